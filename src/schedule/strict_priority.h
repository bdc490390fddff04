// Update-first and query-first: one queue is served whenever it has work, in order of arrival.
#pragma once

#include "schedule/policy.h"

namespace muster::schedule {

class StrictPriority : public Policy {
 public:
  StrictPriority(const Options& options, QueueKind first)
      : workers_(options.workers), tasks_max_(options.batch_tasks_max), first_(first) {}

  std::string_view name() const override {
    return first_ == QueueKind::kUpdate ? "update_first" : "query_first";
  }
  void AppendLines(const Task& task, std::vector<Line>* lines) const override;
  Line Inherited(const Task& query) const override;
  std::optional<Choice> Choose(WorkerIndex worker, base::MonoTime now,
                               const TaskQueues& queues) override;
  double update_share(const TaskQueues& queues) const override;
  double DrainTime(QueueKind kind, double work, const TaskQueues& queues) const override;

 private:
  const double workers_;
  const std::uint32_t tasks_max_;
  const QueueKind first_;
};

}  // namespace muster::schedule
