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

// The other queue drains once the first is empty.
double StrictPriority::DrainTime(QueueKind kind, double work, const TaskQueues& queues) const {
  const auto before = static_cast<double>(queues[IndexOf(first_)].work.count());
  return (kind == first_ ? work : work + before) / workers_;
}

}  // namespace muster::schedule
