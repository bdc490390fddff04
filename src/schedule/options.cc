#include "schedule/options.h"

#include <algorithm>
#include <span>

#include "base/strings.h"
#include "schedule/fixed_split.h"
#include "schedule/joint.h"
#include "schedule/queueing_scheduler.h"
#include "schedule/single_order.h"
#include "schedule/strict_priority.h"

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

bool AreWeights(std::span<const double> weights) {
  return std::all_of(weights.begin(), weights.end(),
                     [](double weight) { return weight >= 0 && weight <= 1000; });
}

absl::Status CheckJoint(const JointOptions& joint) {
  if (!AreWeights(joint.update_weights) || !AreWeights(joint.query_weights) ||
      !AreWeights(joint.update_priority) || !AreWeights(joint.query_priority)) {
    return OutOfRange("joint: every weight", "0 to 1000");
  }
  if (joint.update_priority[3] <= 0 || joint.query_priority[1] <= 0) {
    return OutOfRange("joint: the weight of waiting in a priority",
                      "more than 0, or a task may never be served");
  }
  if (joint.reference_wait_updates < std::chrono::milliseconds(1) ||
      joint.reference_wait_queries < std::chrono::milliseconds(1)) {
    return OutOfRange("joint: a reference wait", "at least 1 ms");
  }
  if (!(joint.share_min >= 0.01 && joint.share_min <= 0.5)) {
    return OutOfRange("joint.share_min", "0.01 to 0.5");
  }
  if (!(joint.damping > 0 && joint.damping <= 1)) {
    return OutOfRange("joint.damping", "more than 0, at most 1");
  }
  if (!(joint.hysteresis >= 0 && joint.hysteresis <= 1)) {
    return OutOfRange("joint.hysteresis", "0 to 1");
  }
  if (joint.holding_time < std::chrono::milliseconds(1)) {
    return OutOfRange("joint.holding_time", "at least 1 ms");
  }
  if (joint.holding_work < base::Duration(0)) {
    return OutOfRange("joint.holding_work", "at least 0 s");
  }
  if (!(joint.loan_part >= 0 && joint.loan_part <= 0.5)) {
    return OutOfRange("joint.loan_part", "0 to 0.5");
  }
  if (!(joint.loans_burst >= 0 && joint.loans_burst <= 100)) {
    return OutOfRange("joint.loans_burst", "0 to 100");
  }
  if (!(joint.critical_age >= 1 && joint.critical_age <= 1000)) {
    return OutOfRange("joint.critical_age", "1 to 1000");
  }
  return absl::OkStatus();
}

}  // namespace

const std::vector<std::string>& PolicyNames() {
  static const std::vector<std::string> names = {"fcfs",         "fixed_split", "joint",
                                                 "update_first", "query_first", "edf"};
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
  if (auto status = CheckJoint(options.joint); !status.ok()) return status;
  if (auto status = CheckLimits("updates", options.updates); !status.ok()) return status;
  return CheckLimits("queries", options.queries);
}

absl::StatusOr<std::unique_ptr<Scheduler>> NewScheduler(const Options& options) {
  if (auto status = Check(options); !status.ok()) return status;
  return std::make_unique<QueueingScheduler>(options);
}

std::unique_ptr<Policy> NewPolicy(const Options& options) {
  if (options.policy == "fcfs") return std::make_unique<Fcfs>(options);
  if (options.policy == "joint") return std::make_unique<Joint>(options);
  if (options.policy == "edf") return std::make_unique<EarliestDeadlineFirst>(options);
  if (options.policy == "update_first") {
    return std::make_unique<StrictPriority>(options, QueueKind::kUpdate);
  }
  if (options.policy == "query_first") {
    return std::make_unique<StrictPriority>(options, QueueKind::kQuery);
  }
  return std::make_unique<FixedSplit>(options);
}

}  // namespace muster::schedule
