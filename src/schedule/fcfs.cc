#include "schedule/fcfs.h"

namespace muster::schedule {

void Fcfs::AppendLines(const Task& task, std::vector<Line>* lines) const {
  lines->push_back({-static_cast<Int128>(task.order), 0});
}

// The query's own place in the order.
Line Fcfs::Inherited(const Task& query) const { return {-static_cast<Int128>(query.order), 0}; }

std::optional<QueueKind> Fcfs::First(base::MonoTime now, const TaskQueues& queues) const {
  const std::uint32_t update = queues[0].ready.Top(now);
  const std::uint32_t query = queues[1].ready.Top(now);
  if (update == kNoSlot && query == kNoSlot) return std::nullopt;
  if (update == kNoSlot) return QueueKind::kQuery;
  if (query == kNoSlot) return QueueKind::kUpdate;
  return queues[0].ready.TopPriority(now) >= queues[1].ready.TopPriority(now) ? QueueKind::kUpdate
                                                                              : QueueKind::kQuery;
}

std::optional<Choice> Fcfs::Choose(WorkerIndex, base::MonoTime now, const TaskQueues& queues) {
  const auto kind = First(now, queues);
  if (!kind) return std::nullopt;
  return Choice{*kind, tasks_max_, false};
}

bool Fcfs::MayContinue(QueueKind kind, base::MonoTime now, const TaskQueues& queues) const {
  return First(now, queues) == kind;
}

double Fcfs::update_share(const TaskQueues& queues) const {
  const base::Duration work = queues[0].work + queues[1].work;
  return work.count() == 0 ? 0.5 : base::ToSeconds(queues[0].work) / base::ToSeconds(work);
}

// Both queues drain together: this one's part of the Workers is its part of the work.
double Fcfs::WorkersOf(QueueKind kind, const TaskQueues& queues) const {
  const double work = base::ToSeconds(queues[IndexOf(kind)].work);
  const double other = base::ToSeconds(queues[IndexOf(Other(kind))].work);
  return work > 0 ? workers_ * work / (work + other) : workers_;
}

}  // namespace muster::schedule
