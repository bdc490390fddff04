#include "schedule/strict_priority.h"

namespace muster::schedule {

void StrictPriority::AppendLines(const Task& task, std::vector<Line>* lines) const {
  lines->push_back(LineByArrival(task));
}

Line StrictPriority::Inherited(const Task& query) const { return LineBeforeAll(query); }

std::optional<Choice> StrictPriority::Choose(WorkerIndex, base::MonoTime,
                                             const TaskQueues& queues) {
  for (const QueueKind kind : {first_, Other(first_)}) {
    if (queues[IndexOf(kind)].waiting > 0) return Choice{kind, tasks_max_, false};
  }
  return std::nullopt;
}

double StrictPriority::update_share(const TaskQueues& queues) const {
  const bool first_waits = queues[IndexOf(first_)].waiting > 0;
  return (first_ == QueueKind::kUpdate) == first_waits ? 1 : 0;
}

// The other queue drains once the first is empty: what waits there is in its way.
double StrictPriority::WorkersOf(QueueKind kind, const TaskQueues& queues) const {
  if (kind == first_) return workers_;
  const double work = base::ToSeconds(queues[IndexOf(kind)].work);
  return work > 0 ? workers_ * work / (work + base::ToSeconds(queues[IndexOf(first_)].work))
                  : workers_;
}

}  // namespace muster::schedule
