// First come, first served: one order by arrival over both queues.
#pragma once

#include "schedule/policy.h"

namespace muster::schedule {

class Fcfs : public Policy {
 public:
  Fcfs(const Options& options, const TaskTable* tasks)
      : workers_(options.workers), tasks_max_(options.batch_tasks_max), tasks_(*tasks) {}

  std::string_view name() const override { return "fcfs"; }
  void AppendLines(const Task& task, std::vector<Line>* lines) const override;
  Line Inherited(const Task& query) const override;
  std::optional<Choice> Choose(WorkerIndex worker, base::MonoTime now,
                               const TaskQueues& queues) override;
  bool MayContinue(QueueKind kind, base::MonoTime now, const TaskQueues& queues) const override;
  double update_share(const TaskQueues& queues) const override;
  double WorkersOf(QueueKind kind, const TaskQueues& queues) const override;

 private:
  // The queue whose head came first; nothing if none waits.
  std::optional<QueueKind> First(base::MonoTime now, const TaskQueues& queues) const;

  const double workers_;
  const std::uint32_t tasks_max_;
  const TaskTable& tasks_;
};

}  // namespace muster::schedule
