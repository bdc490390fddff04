#include "node/node_state.h"

#include <utility>

#include "base/check.h"
#include "base/strings.h"

namespace muster::node {
namespace {

// What a client that was told "unavailable" waits before it asks again: the store is not a queue,
// so there is no queued work to compute it from.
constexpr base::Duration kStorageRetry = std::chrono::seconds(1);

std::unique_ptr<schedule::Scheduler> MakeScheduler(const schedule::Options& options) {
  auto scheduler = schedule::NewScheduler(options);
  MUSTER_CHECK(scheduler.ok(), "scheduler options are checked before a node is made");
  return *std::move(scheduler);
}

}  // namespace

NodeState::NodeState(const Options& options_in, journal::Storage* storage, const Clock* clock_in,
                     ReplySink* sink_in, Waker* waker_in)
    : options(options_in),
      clock(clock_in),
      sink(sink_in),
      waker(waker_in),
      directory(options_in.limits),
      tombstones(options_in.limits.tombstones_max),
      scheduler(MakeScheduler(options_in.schedule)),
      asleep(options_in.schedule.workers, false),
      axis(GenerationAxis::At(clock_in->Read())),
      journal(storage, {options_in.limits.events_per_agent_max, options_in.limits.tombstones_max}),
      served(clock_in->Read().mono, options_in.stall_min) {
  for (std::uint32_t i = 0; i < options.schedule.workers; ++i) {
    workers.push_back(std::make_unique<WorkerState>());
  }
  catalog.Publish(directory.catalog());
}

void NodeState::Deliver(WorkerState& worker, const ReplyTo& to, base::Now now, ReplyBody body) {
  if (const auto* refusal = std::get_if<Refusal>(&body)) {
    worker.metrics.refusals[static_cast<std::size_t>(refusal->kind)].Add();
  }
  const Reply reply{std::move(body), revisions.visible(), now, &worker.catalog.Refresh(catalog)};
  sink->Deliver(to, reply);
}

void NodeState::Refuse(WorkerState& worker, const ReplyTo& to, base::Now now, Refusal refusal) {
  Deliver(worker, to, now, std::move(refusal));
}

Refusal NodeState::JournalRefusal(WorkerState& worker, const absl::Status& status) {
  worker.metrics.journal_errors.Add();
  {
    base::MutexLock lock(&error_mutex);
    journal_last_error = std::string(base::Message(status));
  }
  const bool full = absl::IsResourceExhausted(status);
  return {full ? Refusal::Kind::kStorageFull : Refusal::Kind::kUnavailable,
          base::StrCat("nothing was changed: the store refused the write: ", base::Message(status)),
          kStorageRetry};
}

Refusal ToRefusal(const absl::Status& status) {
  using Kind = Refusal::Kind;
  Kind kind = Kind::kInternal;
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
      kind = Kind::kBadRequest;
      break;
    case absl::StatusCode::kNotFound:
      kind = Kind::kNotFound;
      break;
    case absl::StatusCode::kAlreadyExists:
      kind = Kind::kConflict;
      break;
    case absl::StatusCode::kUnimplemented:
      kind = Kind::kNotImplemented;
      break;
    case absl::StatusCode::kResourceExhausted:
      kind = Kind::kStorageFull;
      break;
    case absl::StatusCode::kUnavailable:
      kind = Kind::kUnavailable;
      break;
    default:
      break;
  }
  return {kind, std::string(base::Message(status)), base::Duration(0)};
}

}  // namespace muster::node
