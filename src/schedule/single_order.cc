#include "schedule/single_order.h"

namespace muster::schedule {

void Fcfs::AppendLines(const Task& task, std::vector<Line>* lines) const {
  lines->push_back(LineByArrival(task));
}

Line Fcfs::Inherited(const Task& query) const { return LineByArrival(query); }

Line EarliestDeadlineFirst::LineByDeadline(const Task& task) const {
  const base::MonoTime due_at =
      task.deadline.count() > 0 ? task.due_at : task.arrived_at + update_deadline_;
  return {-static_cast<Int128>(due_at.time_since_epoch().count()), 0};
}

void EarliestDeadlineFirst::AppendLines(const Task& task, std::vector<Line>* lines) const {
  lines->push_back(LineByDeadline(task));
}

Line EarliestDeadlineFirst::Inherited(const Task& query) const { return LineByDeadline(query); }

std::optional<QueueKind> SingleOrder::First(base::MonoTime now, const TaskQueues& queues) const {
  const std::uint32_t update = queues[0].ready.Top(now);
  const std::uint32_t query = queues[1].ready.Top(now);
  if (update == kNoSlot && query == kNoSlot) return std::nullopt;
  if (update == kNoSlot) return QueueKind::kQuery;
  if (query == kNoSlot) return QueueKind::kUpdate;
  return queues[0].ready.TopPriority(now) >= queues[1].ready.TopPriority(now) ? QueueKind::kUpdate
                                                                              : QueueKind::kQuery;
}

std::optional<Choice> SingleOrder::Choose(WorkerIndex, base::MonoTime now,
                                          const TaskQueues& queues) {
  const auto kind = First(now, queues);
  if (!kind) return std::nullopt;
  return Choice{*kind, tasks_max_, false};
}

bool SingleOrder::MayContinue(QueueKind kind, base::MonoTime now, const TaskQueues& queues) const {
  return First(now, queues) == kind;
}

double SingleOrder::update_share(const TaskQueues& queues) const {
  const base::Duration work = queues[0].work + queues[1].work;
  return work.count() == 0 ? 0.5 : base::ToSeconds(queues[0].work) / base::ToSeconds(work);
}

// Both queues drain together: with a part of this one goes the same part of the other.
double SingleOrder::DrainTime(QueueKind kind, double work, const TaskQueues& queues) const {
  const auto own = static_cast<double>(queues[IndexOf(kind)].work.count());
  const auto other = static_cast<double>(queues[IndexOf(Other(kind))].work.count());
  return own > 0 ? work / own * (own + other) / workers_ : 0;
}

// All of the other queue may be due before.
double EarliestDeadlineFirst::DrainTime(QueueKind kind, double work,
                                        const TaskQueues& queues) const {
  const auto other = static_cast<double>(queues[IndexOf(Other(kind))].work.count());
  return (work + other) / workers_;
}

}  // namespace muster::schedule
