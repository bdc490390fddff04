// Two queues in order of arrival, and a fixed share r_U of the Workers' time for updates.
//
// A Worker whose queue is empty takes one task at a time from the other. An update that a query
// waits for goes before all that none waits for.
#pragma once

#include "schedule/policy.h"
#include "schedule/worker_division.h"

namespace muster::schedule {

class FixedSplit : public Policy {
 public:
  explicit FixedSplit(const Options& options);

  std::string_view name() const override { return "fixed_split"; }
  void AppendLines(const Task& task, std::vector<Line>* lines) const override;
  Line Inherited(const Task& query) const override;
  std::optional<Choice> Choose(WorkerIndex worker, base::MonoTime now,
                               const TaskQueues& queues) override;
  void BecameBusy(QueueKind kind) override { division_.BecameBusy(kind); }
  void Charge(QueueKind kind, base::Duration time) override { division_.Charge(kind, time); }
  double update_share(const TaskQueues&) const override { return share_; }
  double DrainTime(QueueKind kind, double work, const TaskQueues& queues) const override;

 private:
  const double workers_;
  const double share_;
  const std::uint32_t tasks_max_;
  const std::uint32_t lent_tasks_max_;
  WorkerDivision division_;
};

// What a Worker of a divided set serves now: its own queue in batches, else one task of the other.
std::optional<Choice> ChooseDivided(const WorkerDivision& division, WorkerIndex worker,
                                    std::uint32_t tasks_max, std::uint32_t lent_tasks_max,
                                    const TaskQueues& queues);

// How long `work` of a queue takes with its part of the Workers, or with all if only it has work.
double DrainTimeDivided(QueueKind kind, double work, double workers, double update_share,
                        const TaskQueues& queues);

}  // namespace muster::schedule
