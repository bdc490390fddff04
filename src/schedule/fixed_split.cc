#include "schedule/fixed_split.h"

namespace muster::schedule {

FixedSplit::FixedSplit(const Options& options)
    : workers_(options.workers),
      share_(options.update_share),
      tasks_max_(options.batch_tasks_max),
      lent_tasks_max_(options.lent_tasks_max) {
  division_.Divide(options.workers, share_);
}

void FixedSplit::AppendLines(const Task& task, std::vector<Line>* lines) const {
  lines->push_back(LineByArrival(task));
}

Line FixedSplit::Inherited(const Task& query) const { return LineBeforeAll(query); }

std::optional<Choice> FixedSplit::Choose(WorkerIndex worker, base::MonoTime,
                                         const TaskQueues& queues) {
  return ChooseDivided(division_, worker, tasks_max_, lent_tasks_max_, queues);
}

double FixedSplit::DrainTime(QueueKind kind, double work, const TaskQueues& queues) const {
  return DrainTimeDivided(kind, work, workers_, share_, queues);
}

double DrainTimeDivided(QueueKind kind, double work, double workers, double update_share,
                        const TaskQueues& queues) {
  if (queues[IndexOf(Other(kind))].waiting == 0) return work / workers;
  return work / (workers * (kind == QueueKind::kUpdate ? update_share : 1 - update_share));
}

std::optional<Choice> ChooseDivided(const WorkerDivision& division, WorkerIndex worker,
                                    std::uint32_t tasks_max, std::uint32_t lent_tasks_max,
                                    const TaskQueues& queues) {
  const bool updates_wait = queues[0].waiting > 0;
  const bool queries_wait = queues[1].waiting > 0;
  if (!updates_wait && !queries_wait) return std::nullopt;
  const QueueKind only = updates_wait ? QueueKind::kUpdate : QueueKind::kQuery;
  const bool both_wait = updates_wait && queries_wait;
  const WorkerDivision::Role role = division.RoleOf(worker);
  if (role == WorkerDivision::Role::kSwings) {
    return Choice{both_wait ? division.Behind() : only, tasks_max, true};
  }
  const QueueKind own =
      role == WorkerDivision::Role::kUpdates ? QueueKind::kUpdate : QueueKind::kQuery;
  if (both_wait || only == own) return Choice{own, tasks_max, false};
  return Choice{only, lent_tasks_max, false};
}

}  // namespace muster::schedule
