// Every sum, extreme and score, for the policy and for those who watch.
#include <algorithm>
#include <cmath>

#include "schedule/queueing_scheduler.h"
#include "schedule/score.h"

namespace muster::schedule {

QueueMeasures QueueingScheduler::Measure(QueueKind kind, base::MonoTime now) const {
  TaskQueue& queue = queues_[IndexOf(kind)];
  QueueMeasures measures;
  measures.work = queue.work;
  // Tasks are listed in order of arrival; those that run are few.
  std::uint32_t oldest = queue.arrivals.front();
  while (oldest != kNoSlot && tasks_.at(oldest).phase == TaskPhase::kRunning) {
    oldest = tasks_.at(oldest).next;
  }
  if (oldest != kNoSlot) {
    const auto mean = static_cast<std::int64_t>(queue.arrived_sum / queue.unfinished());
    measures.wait_max = now - tasks_.at(oldest).arrived_at;
    measures.wait_mean = now - base::MonoFromNanos(mean);
  }
  const HighValues::Values high = queue.high_values.At(now);
  measures.deadline_pressure = high.deadline_pressure;
  measures.age = high.age;
  measures.benefit = high.benefit;
  const double share = policy_->update_share(queues_);
  const double part = kind == QueueKind::kUpdate ? share : 1 - share;
  measures.load =
      Load(queue.load.arrival_rate(now), queue.load.mean_service(now), options_.workers * part);
  return measures;
}

void QueueingScheduler::ScoreIfDue(base::MonoTime now) {
  if (policy_->NextScoringAt() == base::MonoTime::max()) return;
  if (now < policy_->NextScoringAt() && now < emergencies_.NextAt()) return;
  policy_->Score(now, Measure(QueueKind::kUpdate, now), Measure(QueueKind::kQuery, now),
                 emergencies_.At(now));
}

void QueueingScheduler::FillSnapshot(base::MonoTime now, Snapshot* snapshot) const {
  snapshot->policy = policy_->name();
  snapshot->workers = options_.workers;
  FillQueueSnapshot(QueueKind::kUpdate, now, &snapshot->queue[0]);
  FillQueueSnapshot(QueueKind::kQuery, now, &snapshot->queue[1]);
  const double share = policy_->update_share(queues_);
  snapshot->queue[0].share = snapshot->queue[0].share_target = share;
  snapshot->queue[1].share = snapshot->queue[1].share_target = 1 - share;
  snapshot->reallocations = 0;
  snapshot->recent.clear();
  policy_->AddToSnapshot(snapshot);
}

void QueueingScheduler::FillQueueSnapshot(QueueKind kind, base::MonoTime now,
                                          QueueSnapshot* snapshot) const {
  const TaskQueue& queue = queues_[IndexOf(kind)];
  const QueueMeasures measures = Measure(kind, now);
  snapshot->tasks = queue.waiting;
  snapshot->parked = queue.parked;
  snapshot->running = queue.running;
  snapshot->bytes = queue.bytes;
  snapshot->work = measures.work;
  snapshot->wait_max = measures.wait_max;
  snapshot->wait_mean = measures.wait_mean;
  snapshot->deadline_pressure = measures.deadline_pressure;
  snapshot->load = measures.load;
  snapshot->age = measures.age;
  snapshot->benefit = measures.benefit;
  snapshot->score = 0;
  snapshot->terms.clear();
  snapshot->submitted = queue.submitted;
  snapshot->merged = queue.merged;
  snapshot->superseded = queue.superseded;
  snapshot->refused = queue.refused;
  snapshot->expired = queue.expired;
  snapshot->finished = queue.finished;
  snapshot->cancelled = queue.cancelled;
}

}  // namespace muster::schedule
