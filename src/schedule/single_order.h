// One order over both queues: first come, first served, or earliest deadline first.
#pragma once

#include "schedule/policy.h"

namespace muster::schedule {

class SingleOrder : public Policy {
 public:
  explicit SingleOrder(const Options& options)
      : workers_(options.workers), tasks_max_(options.batch_tasks_max) {}

  std::optional<Choice> Choose(WorkerIndex worker, base::MonoTime now,
                               const TaskQueues& queues) override;
  bool MayContinue(QueueKind kind, base::MonoTime now, const TaskQueues& queues) const override;
  double update_share(const TaskQueues& queues) const override;
  double DrainTime(QueueKind kind, double work, const TaskQueues& queues) const override;

 protected:
  const double workers_;

 private:
  // The queue whose head comes first; nothing if none waits.
  std::optional<QueueKind> First(base::MonoTime now, const TaskQueues& queues) const;

  const std::uint32_t tasks_max_;
};

class Fcfs : public SingleOrder {
 public:
  using SingleOrder::SingleOrder;
  std::string_view name() const override { return "fcfs"; }
  void AppendLines(const Task& task, std::vector<Line>* lines) const override;
  Line Inherited(const Task& query) const override;  // the query's own place
};

// An update without a deadline is due theta_U after its arrival.
class EarliestDeadlineFirst : public SingleOrder {
 public:
  explicit EarliestDeadlineFirst(const Options& options)
      : SingleOrder(options), update_deadline_(options.joint.reference_wait_updates) {}
  std::string_view name() const override { return "edf"; }
  void AppendLines(const Task& task, std::vector<Line>* lines) const override;
  Line Inherited(const Task& query) const override;  // the query's deadline
  double DrainTime(QueueKind kind, double work, const TaskQueues& queues) const override;

 private:
  Line LineByDeadline(const Task& task) const;

  const base::Duration update_deadline_;
};

}  // namespace muster::schedule
