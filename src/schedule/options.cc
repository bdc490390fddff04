#include "schedule/options.h"

#include <algorithm>

#include "base/strings.h"
#include "schedule/fcfs.h"
#include "schedule/fixed_split.h"
#include "schedule/queueing_scheduler.h"

namespace muster::schedule {

namespace {

absl::Status OutOfRange(std::string_view option, std::string_view range) {
  return absl::InvalidArgumentError(base::StrCat(option, " must be ", range));
}

absl::Status CheckLimits(std::string_view queue, const QueueLimits& limits) {
  if (limits.tasks_max < 1 || limits.tasks_max > (1u << 30)) {
    return OutOfRange(base::StrCat(queue, ".tasks_max"), "1 to 2^30 tasks");
  }
  if (limits.bytes_max < 1) return OutOfRange(base::StrCat(queue, ".bytes_max"), "at least 1 byte");
  if (limits.work_max <= base::Duration(0)) {
    return OutOfRange(base::StrCat(queue, ".work_max"), "more than 0 s");
  }
  return absl::OkStatus();
}

}  // namespace

const std::vector<std::string>& PolicyNames() {
  static const std::vector<std::string> names = {"fcfs", "fixed_split"};
  return names;
}

absl::Status Check(const Options& options) {
  const auto& names = PolicyNames();
  if (std::find(names.begin(), names.end(), options.policy) == names.end()) {
    std::string listed;
    for (const std::string& name : names) listed += (listed.empty() ? "" : ", ") + name;
    return OutOfRange("policy", base::StrCat("one of ", listed));
  }
  if (options.workers < 1 || options.workers > 4096) return OutOfRange("workers", "1 to 4096");
  if (!(options.update_share >= 0.05 && options.update_share <= 0.95)) {
    return OutOfRange("update_share", "0.05 to 0.95");
  }
  if (options.lent_tasks_max < 1 || options.lent_tasks_max > 65536) {
    return OutOfRange("lent_tasks_max", "1 to 65536 tasks");
  }
  if (options.batch_tasks_max < 1 || options.batch_tasks_max > 65536) {
    return OutOfRange("batch_tasks_max", "1 to 65536 tasks");
  }
  if (options.batch_work_max <= base::Duration(0)) {
    return OutOfRange("batch_work_max", "more than 0 s");
  }
  if (options.cost_initial <= base::Duration(0) || options.cost_initial > std::chrono::hours(1)) {
    return OutOfRange("cost_initial", "more than 0 s, at most 1 h");
  }
  if (!(options.cost_weight > 0 && options.cost_weight <= 1)) {
    return OutOfRange("cost_weight", "more than 0, at most 1");
  }
  if (options.park_margin < base::Duration(0)) return OutOfRange("park_margin", "at least 0 s");
  if (auto status = CheckLimits("updates", options.updates); !status.ok()) return status;
  return CheckLimits("queries", options.queries);
}

absl::StatusOr<std::unique_ptr<Scheduler>> NewScheduler(const Options& options) {
  if (auto status = Check(options); !status.ok()) return status;
  return std::make_unique<QueueingScheduler>(options);
}

std::unique_ptr<Policy> NewPolicy(const Options& options, const TaskTable* tasks) {
  if (options.policy == "fcfs") return std::make_unique<Fcfs>(options, tasks);
  return std::make_unique<FixedSplit>(options);
}

}  // namespace muster::schedule
