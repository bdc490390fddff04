#include "load/generator.h"

#include <memory>
#include <thread>
#include <vector>

#include "base/strings.h"
#include "load/session.h"

namespace muster::load {

namespace {

absl::StatusOr<Result> RunSessions(const RunOptions& options, bool only_register) {
  if (options.threads < 1 || options.connections < options.threads || options.window < 1) {
    return base::InvalidArgument(
        "a run has at least one thread, a connection for each, and a window of one");
  }
  std::vector<std::unique_ptr<Session>> sessions;
  for (std::uint32_t i = 0; i < options.threads; ++i) {
    sessions.push_back(std::make_unique<Session>(options, i));
    if (auto status = sessions.back()->Connect(); !status.ok()) return status;
  }
  const std::int64_t start_at = MonotonicNanos();
  std::vector<std::thread> threads;
  for (std::uint32_t i = 1; i < options.threads; ++i) {
    threads.emplace_back([&, i] { sessions[i]->Run(start_at, only_register); });
  }
  sessions[0]->Run(start_at, only_register);
  for (std::thread& thread : threads) thread.join();
  Result result;
  for (const auto& session : sessions) result.Add(session->result());
  if (result.broken >= options.connections) {
    return absl::UnavailableError(
        base::StrCat("every connection to ", options.host, ":", options.port, " was lost"));
  }
  return result;
}

}  // namespace

absl::StatusOr<Result> Run(const RunOptions& options) { return RunSessions(options, false); }

absl::StatusOr<Result> RegisterAll(const RunOptions& options) {
  RunOptions all = options;
  all.rate = 0;
  all.warm_up = base::Duration(0);
  all.duration = std::chrono::hours(1);
  auto result = RunSessions(all, true);
  if (!result.ok()) return result;
  const auto& kind = result->kinds[static_cast<std::size_t>(Kind::kRegister)];
  if (kind.items != options.workload.agents) {
    return absl::FailedPreconditionError(
        base::StrCat("of ", options.workload.agents, " agents, ", kind.items,
                     " were registered; the first refusal: ", result->first_error));
  }
  return result;
}

}  // namespace muster::load
