// The scheduler's options, set in the configuration and at run time.
#pragma once

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

struct Options {
  std::string policy = "fixed_split";  // one of PolicyNames()
  std::uint32_t workers = 1;           // K
  double update_share = 0.5;           // r_U of fixed_split, 0.05..0.95
  std::uint32_t batch_tasks_max = 64;  // tasks a Worker takes per call
  // Tasks that an idle Worker takes per call from the queue that is not its own, within
  // batch_work_max: its own queue's next task waits for no more than these.
  std::uint32_t lent_tasks_max = 16;
  base::Duration batch_work_max = std::chrono::microseconds(500);  // and their estimated work
  base::Duration cost_initial = std::chrono::microseconds(5);      // first estimate of any class
  double cost_weight = 0.05;  // of the newest measurement in the running mean, (3)
  // A parked query returns this long before the last moment at which it could still be in time.
  base::Duration park_margin = std::chrono::microseconds(500);
  QueueLimits updates;
  QueueLimits queries;
};

// InvalidArgument names the option and its range.
absl::Status Check(const Options& options);
const std::vector<std::string>& PolicyNames();
absl::StatusOr<std::unique_ptr<Scheduler>> NewScheduler(const Options& options);

}  // namespace muster::schedule
