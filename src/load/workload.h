// What is sent: agents, their cards and states, and the queries for them, as ready bytes of HTTP.
//
// A generator that shares its processors with the server must spend little on a request: most bytes
// are made once, and digits are patched in place.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "load/random.h"

namespace muster::load {

enum class Kind : std::uint8_t { kRegister, kReport, kReportBatch, kGet, kDiscover, kList };
inline constexpr std::size_t kKinds = 6;
std::string_view Name(Kind kind);  // "register", "report", "batch", "get", "discover", "list"

using Mix = std::array<double, kKinds>;  // weights by Kind

// "report=65,discover=9"; a name alone weighs 1. InvalidArgument names what is wrong.
absl::StatusOr<Mix> ParseMix(std::string_view text);

struct WorkloadOptions {
  Mix mix{};
  std::uint32_t agents = 10'000;  // the population that reports and look-ups draw from
  std::uint32_t batch_lines = 500;
  std::vector<std::string> skills;  // names; drawn by Zipf's law, the first most often
  double skill_exponent = 1.0;
  std::uint32_t skills_per_agent = 2;
  std::string token;  // empty: none is sent
  std::string
      discover_body;  // empty: drawn: a skill, in a region, ready, below a load, least loaded first
  std::uint64_t seed = 1;
};

// The requests of one generator thread. Not thread-safe.
class Workload {
 public:
  // New agents are numbered from `agents` on, this thread's every `threads`-th.
  Workload(const WorkloadOptions& options, std::uint32_t thread, std::uint32_t threads);

  Kind Draw();
  // Appends the bytes of a request of this kind.
  void Append(Kind kind, std::string* out);
  // Appends the registration of agent `number`.
  void AppendRegistration(std::uint32_t number, std::string* out);
  // Items in one request of this kind: lines of a batch, else 1.
  std::uint64_t Items(Kind kind) const {
    return kind == Kind::kReportBatch ? options_.batch_lines : 1;
  }

 private:
  std::string Head(std::string_view method, std::string_view target, std::size_t body_size,
                   std::string_view content_type) const;
  void MakeReport();
  void MakeBatches();
  void MakeQueries();

  const WorkloadOptions options_;
  const std::uint32_t threads_;
  std::uint32_t next_new_;
  Random random_;
  Zipf zipf_;
  Mix cumulative_{};
  std::string report_, get_, list_;
  std::size_t report_id_at_ = 0, report_load_at_ = 0, report_depth_at_ = 0, report_ready_at_ = 0;
  std::size_t get_id_at_ = 0;
  std::vector<std::string> batches_, queries_;
  std::size_t next_batch_ = 0;
};

// "agent-0000042"
std::string AgentId(std::uint32_t number);

}  // namespace muster::load
