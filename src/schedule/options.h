// The scheduler's options, set in the configuration and at run time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/time.h"
#include "schedule/scheduler.h"

namespace muster::schedule {

struct QueueLimits {
  std::uint64_t tasks_max = 1'000'000;
  std::uint64_t bytes_max = 1ull << 30;
  base::Duration work_max = std::chrono::seconds(60);  // W at most, in Worker time
};

// The joint policy, docs/scheduling.md. Weights may be 0; those of a score sum to 1 by default.
struct JointOptions {
  // a of (11): W, T^max, T^avg, A, D, rho, B.
  std::array<double, 7> update_weights = {0.25, 0.10, 0.05, 0.20, 0.10, 0.15, 0.15};
  // b of (13): W, T^max, T^avg, D, rho.
  std::array<double, 5> query_weights = {0.30, 0.15, 0.05, 0.35, 0.15};
  std::array<double, 4> update_priority = {0.4, 0.3, 0.2, 0.1};            // c of (28): A, B, D, w
  std::array<double, 2> query_priority = {0.8, 0.2};                       // e of (29): D, w
  base::Duration reference_wait_updates = std::chrono::seconds(1);         // theta_U
  base::Duration reference_wait_queries = std::chrono::milliseconds(100);  // theta_Q
  double share_min = 0.1;   // r_min of either queue, 0.01..0.5
  double damping = 0.5;     // gamma: part of the way to the target at a time, 0..1
  double hysteresis = 0.1;  // H: smaller changes are not made
  base::Duration holding_time = std::chrono::milliseconds(50);  // T_min between two of them; and
  std::uint64_t holding_tasks = 0;                              // so many tasks, and
  base::Duration holding_work{0};                               // so much work in between
  double loan_part = 0.25;        // of all Workers, lent in an emergency, 0..0.5
  double loans_burst = 2;         // loans at once at most; one more every T_min/4
  double critical_age = 2;        // A at which a flagged state is an emergency
  bool benefit_per_work = false;  // ablation: B per unit of work
};

struct Options {
  std::string policy = "joint";        // one of PolicyNames()
  std::uint32_t workers = 1;           // K
  double update_share = 0.5;           // r_U of fixed_split, and joint's first; 0.05..0.95
  std::uint32_t batch_tasks_max = 64;  // tasks a Worker takes per call
  // Tasks that an idle Worker takes per call from the queue that is not its own, within
  // batch_work_max: its own queue's next task waits for no more than these.
  std::uint32_t lent_tasks_max = 16;
  base::Duration batch_work_max = std::chrono::microseconds(500);  // and their estimated work
  base::Duration cost_initial = std::chrono::microseconds(5);      // first estimate of any class
  double cost_weight = 0.05;  // of the newest measurement in the running mean, (3)
  // A parked query returns this long before the last moment at which it could still be in time.
  base::Duration park_margin = std::chrono::microseconds(500);
  JointOptions joint;
  QueueLimits updates;
  QueueLimits queries;
};

// InvalidArgument names the option and its range.
absl::Status Check(const Options& options);
const std::vector<std::string>& PolicyNames();
absl::StatusOr<std::unique_ptr<Scheduler>> NewScheduler(const Options& options);

}  // namespace muster::schedule
