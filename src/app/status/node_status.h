// What a node says of itself, read from /v1/scheduler and /metrics.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/client.h"

namespace muster::app {

// A cumulative histogram: how many were at most each bound, in rising order.
struct BucketCounts {
  std::vector<std::pair<double, double>> at_most;

  double count() const { return at_most.empty() ? 0 : at_most.back().second; }
  // Interpolated within its bucket; 0 when empty.
  double Quantile(double q) const;
  // What came after `before`.
  BucketCounts Since(const BucketCounts& before) const;
};

struct QueueStatus {
  std::uint64_t tasks = 0, parked = 0, running = 0;
  std::uint64_t submitted = 0, merged = 0, superseded = 0, refused = 0, expired = 0, finished = 0;
  std::string work, wait_max, wait_mean;
  double load = 0, score = 0, share = 0, share_target = 0;
};

struct NodeStatus {
  std::string scheduler_json;  // as it came
  std::string policy;
  std::uint64_t workers = 0, reallocations = 0;
  std::string last_reallocation;  // its reason
  QueueStatus updates, queries;

  bool is_ready = false;
  double agents = 0, revision = 0, directory_bytes = 0, connections = 0;
  double registrations = 0, reports_applied = 0, reports_superseded = 0;
  double queries_answered = 0, answers_stale = 0, refusals = 0, requests = 0;
  BucketCounts update_seconds, query_seconds, freshness_risk;
};

// InvalidArgument: not the answers of a node.
absl::Status ParseScheduler(std::string_view json, NodeStatus* status);
void ParseMetrics(std::string_view text, NodeStatus* status);

// Asks the node. The client's errors; PermissionDenied if the node refuses.
absl::StatusOr<NodeStatus> ReadNodeStatus(api::Client* client);

}  // namespace muster::app
