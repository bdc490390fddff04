// Every sum, extreme and score that the scheduler shows.
#include <algorithm>
#include <cmath>

#include "schedule/queueing_scheduler.h"
#include "schedule/top_mean.h"

namespace muster::schedule {

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
}

void QueueingScheduler::FillQueueSnapshot(QueueKind kind, base::MonoTime now,
                                          QueueSnapshot* snapshot) const {
  const TaskQueue& queue = queues_[IndexOf(kind)];
  snapshot->tasks = queue.waiting;
  snapshot->parked = queue.parked;
  snapshot->running = queue.running;
  snapshot->bytes = queue.bytes;
  snapshot->work = queue.work;
  snapshot->submitted = queue.submitted;
  snapshot->merged = queue.merged;
  snapshot->superseded = queue.superseded;
  snapshot->refused = queue.refused;
  snapshot->expired = queue.expired;
  snapshot->finished = queue.finished;
  snapshot->cancelled = queue.cancelled;
  snapshot->terms.clear();

  TopMean deadline_pressure;
  TopMean age;
  TopMean benefit;
  snapshot->wait_max = snapshot->wait_mean = base::Duration(0);
  for (std::uint32_t slot = queue.arrivals.front(); slot != kNoSlot; slot = tasks_.at(slot).next) {
    const Task& task = tasks_.at(slot);
    if (task.phase == TaskPhase::kRunning) continue;
    const base::Duration wait = now - task.arrived_at;
    snapshot->wait_max = std::max(snapshot->wait_max, wait);
    deadline_pressure.Add(
        task.deadline.count() > 0 ? base::ToSeconds(wait) / base::ToSeconds(task.deadline) : 0);
    for (const StateUpdate& state : task.states()) {
      const double bound = base::ToSeconds(state.max_age);
      age.Add(base::ToSeconds(now - state.installed_at) / bound);
      benefit.Add(std::max(
          0.0, base::ToSeconds(state.generated_at - state.installed_at - task.estimate) / bound));
    }
  }
  snapshot->deadline_pressure = deadline_pressure.mean();
  snapshot->age = age.mean();
  snapshot->benefit = benefit.mean();
  if (queue.unfinished() > 0) {
    const auto mean = static_cast<std::int64_t>(queue.arrived_sum / queue.unfinished());
    snapshot->wait_mean = now - base::MonoFromNanos(mean);
  }
  snapshot->load = queue.load.arrival_rate(now) * queue.load.mean_service(now) /
                   policy_->WorkersOf(kind, queues_);
}

}  // namespace muster::schedule
