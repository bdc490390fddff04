#include "schedule/queueing_scheduler.h"

#include <algorithm>

#include "base/check.h"

namespace muster::schedule {

namespace {
// Queries destroyed by one call of Take at most: it is made under the caller's lock.
constexpr std::size_t kExpiredMax = 256;
}  // namespace

QueueingScheduler::QueueingScheduler(const Options& options)
    : options_(options),
      queues_{TaskQueue(&tasks_), TaskQueue(&tasks_)},
      agents_(options.updates.tasks_max),
      costs_(options.cost_initial),
      dependencies_(&tasks_),
      emergencies_(&tasks_, &dependencies_),
      policy_(NewPolicy(options)) {
  PreparePolicy();
}

// What the policy needs to know of tasks and time.
void QueueingScheduler::PreparePolicy() {
  emergencies_.Restart(policy_->NextScoringAt() != base::MonoTime::max(),
                       options_.joint.critical_age);
  for (TaskQueue& queue : queues_) {
    queue.load.set_window(
        std::max<base::Duration>(std::chrono::seconds(1), 20 * options_.joint.holding_time));
  }
}

void QueueingScheduler::AddOwnLines(std::uint32_t slot) {
  const Task& task = tasks_.at(slot);
  lines_.clear();
  policy_->AppendLines(task, &lines_);
  const auto lies_under = [this](const Line& lower, const Line& upper) {
    return lower.slope <= upper.slope && lower.At(latest_) <= upper.At(latest_);
  };
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    // What lies under another line from now on is never the greatest; of equal ones the last stays.
    bool is_needed = true;
    for (std::size_t k = 0; k < lines_.size() && is_needed; ++k) {
      is_needed = k == i || !lies_under(lines_[i], lines_[k]) ||
                  (k < i && lies_under(lines_[k], lines_[i]));
    }
    if (is_needed) QueueOf(task).ready.Add(slot, task.order, lines_[i]);
  }
}

void QueueingScheduler::CountIn(std::uint32_t slot) {
  const Task& task = tasks_.at(slot);
  TaskQueue& queue = QueueOf(task);
  queue.bytes += task.bytes;
  queue.arrived_sum += task.arrived_at.time_since_epoch().count();
  queue.high_values.Enter(slot);
}

void QueueingScheduler::CountOut(std::uint32_t slot) {
  const Task& task = tasks_.at(slot);
  TaskQueue& queue = QueueOf(task);
  queue.bytes -= task.bytes;
  queue.arrived_sum -= task.arrived_at.time_since_epoch().count();
  queue.high_values.Leave(slot);
}

// What the task's priority and high values are made of has changed, between CountOut and CountIn.
void QueueingScheduler::Rekey(std::uint32_t slot) {
  QueueOf(tasks_.at(slot)).ready.RemoveOwn(slot);
  AddOwnLines(slot);
  emergencies_.Entered(slot);
}

void QueueingScheduler::Enqueue(std::uint32_t slot) {
  Task& task = tasks_.at(slot);
  TaskQueue& queue = QueueOf(task);
  task.phase = TaskPhase::kWaiting;
  queue.work += task.estimate;
  CountIn(slot);
  AddOwnLines(slot);
  emergencies_.Entered(slot);
  if (queue.waiting++ == 0) policy_->BecameBusy(task.kind);
}

void QueueingScheduler::LeaveQueue(std::uint32_t slot) {
  const Task& task = tasks_.at(slot);
  TaskQueue& queue = QueueOf(task);
  queue.ready.RemoveAll(slot);
  queue.work -= task.estimate;
  CountOut(slot);
  --queue.waiting;
}

void QueueingScheduler::Start(std::uint32_t slot, const Choice& choice) {
  Task& task = tasks_.at(slot);
  LeaveQueue(slot);
  task.phase = TaskPhase::kRunning;
  task.is_charged = choice.is_charged;
  ++QueueOf(task).running;
  if (task.is_charged) policy_->Charge(task.kind, task.estimate);
}

void QueueingScheduler::Remove(std::uint32_t slot) {
  Task& task = tasks_.at(slot);
  if (task.kind == QueueKind::kUpdate) agents_.Remove(slot);
  QueueOf(task).arrivals.Remove(&tasks_, slot);
  tasks_.Free(slot);
}

void QueueingScheduler::Take(WorkerIndex worker, base::MonoTime now, Batch* batch) {
  batch->clear();
  Tick(now);
  // Again only if all that a queue had was expired: no Worker idles beside work.
  while (batch->tasks.empty() && batch->expired.size() < kExpiredMax) {
    const auto choice = policy_->Choose(worker, now, queues_);
    if (!choice) return;
    batch->kind = choice->kind;
    FillBatch(*choice, now, batch);
  }
}

void QueueingScheduler::FillBatch(const Choice& choice, base::MonoTime now, Batch* batch) {
  TaskQueue& queue = queues_[IndexOf(choice.kind)];
  base::Duration work{0};
  while (batch->tasks.size() < choice.tasks_max && batch->expired.size() < kExpiredMax) {
    if (queue.waiting == 0) return;
    if (!batch->tasks.empty() && !policy_->MayContinue(choice.kind, now, queues_)) return;
    const std::uint32_t slot = queue.ready.Top(now);
    const Task& task = tasks_.at(slot);
    if (choice.kind == QueueKind::kQuery && now > task.due_at) {
      batch->expired.push_back(IdOf(slot));
      ++queue.expired;
      LeaveQueue(slot);
      Remove(slot);
      continue;
    }
    if (!batch->tasks.empty() && work + task.estimate > options_.batch_work_max) return;
    work += task.estimate;
    batch->tasks.push_back(IdOf(slot));
    Start(slot, choice);
  }
}

std::span<const StateUpdate> QueueingScheduler::States(TaskId id) const {
  const Task* task = tasks_.Find(id);
  MUSTER_CHECK(task != nullptr, "the states of a task are read before it is finished");
  return task->states();
}

void QueueingScheduler::Finish(TaskId id, base::Duration used, base::MonoTime now) {
  const Task* task = tasks_.Find(id);
  MUSTER_CHECK(task != nullptr && task->phase == TaskPhase::kRunning,
               "only a running task is finished, and once");
  TaskQueue& queue = QueueOf(*task);
  costs_.Observe(task->cost_class, used, options_.cost_weight);
  queue.load.Served(used, now);
  policy_->Finished(used);
  if (task->is_charged) policy_->Charge(task->kind, used - task->estimate);
  --queue.running;
  ++queue.finished;
  if (task->kind == QueueKind::kUpdate) Install(*task);
  if (task->waits != kNoNode) {
    released_.clear();
    dependencies_.Installed(id.slot, &released_);
    for (const std::uint32_t query : released_) ReturnToQueue(query);
  }
  Remove(id.slot);
}

// The states that `finished` brought are installed: other updates of that agent gain less.
void QueueingScheduler::Install(const Task& finished) {
  if (finished.states().empty()) return;
  for (std::uint32_t slot = agents_.First(finished.agent); slot != kNoSlot;
       slot = agents_.Next(slot)) {
    Task& other = tasks_.at(slot);
    if (&other == &finished || other.phase != TaskPhase::kWaiting) continue;
    const auto overtakes = [](const StateUpdate& installed, const StateUpdate& held) {
      return installed.state == held.state && installed.generated_at > held.installed_at;
    };
    bool changes = false;
    for (const StateUpdate& held : other.states()) {
      for (const StateUpdate& installed : finished.states()) changes |= overtakes(installed, held);
    }
    if (!changes) continue;
    CountOut(slot);
    for (StateUpdate& held : other.states()) {
      for (const StateUpdate& installed : finished.states()) {
        if (overtakes(installed, held)) held.installed_at = installed.generated_at;
      }
    }
    CountIn(slot);
    Rekey(slot);
  }
}

void QueueingScheduler::Tick(base::MonoTime now) {
  latest_ = std::max(latest_, now);
  ReleaseDue(now);
  ScoreIfDue(now);
}

base::MonoTime QueueingScheduler::NextEventAt() const {
  const base::MonoTime timer = timers_.empty() ? base::MonoTime::max() : timers_.top().at;
  if (!HasWork()) return timer;
  return std::min({timer, policy_->NextScoringAt(), emergencies_.NextAt()});
}

absl::Status QueueingScheduler::Reconfigure(const Options& options, base::MonoTime now) {
  latest_ = std::max(latest_, now);
  if (auto status = Check(options); !status.ok()) return status;
  if (options.workers != options_.workers) {
    return absl::InvalidArgumentError(
        "workers: the number of Workers can't change while the node runs; restart it with the "
        "number that you want");
  }
  options_ = options;
  policy_ = NewPolicy(options_);
  PreparePolicy();
  for (TaskQueue& queue : queues_) {
    queue.ready.clear();
    for (std::uint32_t slot = queue.arrivals.front(); slot != kNoSlot;
         slot = tasks_.at(slot).next) {
      if (tasks_.at(slot).phase != TaskPhase::kWaiting) continue;
      AddOwnLines(slot);
      emergencies_.Entered(slot);
    }
  }
  // What parked queries wait for is hastened under the new policy too.
  for (std::uint32_t slot = queues_[1].arrivals.front(); slot != kNoSlot;
       slot = tasks_.at(slot).next) {
    const Task& query = tasks_.at(slot);
    if (query.phase != TaskPhase::kParked) continue;
    dependencies_.ForEachUpdate(slot, [&](std::uint32_t update) { Inherit(query, update, now); });
  }
  return absl::OkStatus();
}

}  // namespace muster::schedule
