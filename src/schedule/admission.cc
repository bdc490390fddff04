// How tasks enter: bounds, merging, supersession.
#include <algorithm>

#include "base/check.h"
#include "schedule/queueing_scheduler.h"

namespace muster::schedule {

namespace {

// Bits of Admission::superseded.
constexpr std::size_t kStatesMarked = 64;
// Longer bounds and deadlines count as thirty years, so that no instant overflows.
constexpr base::Duration kLongest = std::chrono::seconds(1'000'000'000);

std::uint64_t AllOf(std::size_t states) {
  return states == kStatesMarked ? ~std::uint64_t{0} : (std::uint64_t{1} << states) - 1;
}

base::Duration BoundedAge(base::Duration max_age) {
  return std::clamp(max_age, base::Duration(1), kLongest);
}

StateUpdate* FindState(std::span<StateUpdate> states, StateKey state) {
  const auto it = std::find_if(states.begin(), states.end(),
                               [state](const StateUpdate& s) { return s.state == state; });
  return it == states.end() ? nullptr : &*it;
}

}  // namespace

// How long until the queue has room for a task; 0 if it has.
base::Duration QueueingScheduler::WaitForRoom(QueueKind kind, base::Duration estimate,
                                              std::uint32_t bytes) const {
  const TaskQueue& queue = queues_[IndexOf(kind)];
  const QueueLimits& limits = LimitsOf(kind);
  const double work = static_cast<double>(queue.work.count());
  double surplus = 0;  // of work, in ns, that must drain first
  if (queue.work + estimate > limits.work_max) {
    surplus = static_cast<double>((queue.work + estimate - limits.work_max).count());
  }
  if (queue.unfinished() >= limits.tasks_max) {
    const auto tasks = static_cast<double>(queue.unfinished() - limits.tasks_max + 1);
    surplus = std::max(surplus, work * tasks / static_cast<double>(queue.unfinished()));
  }
  if (queue.bytes + bytes > limits.bytes_max) {
    const auto over = static_cast<double>(queue.bytes + bytes - limits.bytes_max);
    const auto held = static_cast<double>(std::max<std::uint64_t>(queue.bytes, 1));
    surplus = std::max(surplus, work * std::min(1.0, over / held));
  }
  if (surplus <= 0 && queue.unfinished() < limits.tasks_max &&
      queue.bytes + bytes <= limits.bytes_max) {
    return base::Duration(0);
  }
  const double wait = policy_->DrainTime(kind, surplus, queues_);
  return base::Duration(1 + static_cast<std::int64_t>(wait));
}

// How much too late a query that is admitted now would start; 0 if in time.
base::Duration QueueingScheduler::WaitForStart(base::MonoTime due_at, base::MonoTime now) const {
  const double work = static_cast<double>(queues_[IndexOf(QueueKind::kQuery)].work.count());
  const double wait = policy_->DrainTime(QueueKind::kQuery, work, queues_);
  const double slack = static_cast<double>((due_at - now).count());
  return wait <= slack ? base::Duration(0)
                       : base::Duration(1 + static_cast<std::int64_t>(wait - std::max(slack, 0.0)));
}

Admission QueueingScheduler::Refuse(QueueKind kind, base::Duration retry_after) {
  ++queues_[IndexOf(kind)].refused;
  Admission admission;
  admission.outcome = Admission::Outcome::kRefused;
  admission.retry_after = retry_after;
  return admission;
}

std::uint32_t QueueingScheduler::PendingOf(AgentKey agent) const {
  std::uint32_t slot = agents_.First(agent);
  while (slot != kNoSlot &&
         !(tasks_.at(slot).mergeable && tasks_.at(slot).phase == TaskPhase::kWaiting)) {
    slot = agents_.Next(slot);
  }
  return slot;
}

std::uint64_t QueueingScheduler::FindSuperseded(std::span<const StateUpdate> states,
                                                std::uint32_t pending) const {
  std::uint64_t superseded = 0;
  for (std::size_t k = 0; k < states.size() && k < kStatesMarked; ++k) {
    base::MonoTime newest = states[k].installed_at;
    if (pending != kNoSlot) {
      for (const StateUpdate& held : tasks_.at(pending).states()) {
        if (held.state == states[k].state) newest = std::max(newest, held.generated_at);
      }
    }
    if (states[k].generated_at <= newest) superseded |= std::uint64_t{1} << k;
  }
  return superseded;
}

Admission QueueingScheduler::SubmitUpdate(const UpdateTask& update, base::MonoTime now) {
  latest_ = std::max(latest_, now);
  MUSTER_CHECK(update.cost_class < kCostClassesMax, "a cost class is below kCostClassesMax");
  TaskQueue& queue = queues_[IndexOf(QueueKind::kUpdate)];
  ++queue.submitted;
  const std::uint32_t pending = update.mergeable ? PendingOf(update.agent) : kNoSlot;
  const std::uint64_t superseded = update.mergeable ? FindSuperseded(update.states, pending) : 0;
  const bool has_news = update.must_run || update.states.empty() ||
                        update.states.size() > kStatesMarked ||
                        superseded != AllOf(update.states.size());
  if (!has_news) {
    ++queue.superseded;
    Admission admission;
    admission.outcome = Admission::Outcome::kSuperseded;
    admission.superseded = superseded;
    return admission;
  }
  if (pending != kNoSlot) return Merge(update, pending, superseded);
  const base::Duration estimate = costs_.Estimate(update.cost_class);
  if (const auto wait = WaitForRoom(QueueKind::kUpdate, estimate, update.bytes); wait.count() > 0) {
    return Refuse(QueueKind::kUpdate, wait);
  }
  const std::uint32_t slot = NewTask(QueueKind::kUpdate, update.arrived_at, update.deadline,
                                     update.cost_class, update.bytes, now);
  Task& task = tasks_.at(slot);
  task.mergeable = update.mergeable;
  task.must_run = update.must_run;
  task.agent = update.agent;
  MergeStates(update, superseded, &task);
  agents_.Insert(update.agent, slot);
  Enqueue(slot);
  return {Admission::Outcome::kQueued, IdOf(slot), base::Duration(0), superseded};
}

Admission QueueingScheduler::Merge(const UpdateTask& update, std::uint32_t slot,
                                   std::uint64_t superseded) {
  TaskQueue& queue = queues_[IndexOf(QueueKind::kUpdate)];
  Task& task = tasks_.at(slot);
  if (queue.bytes + update.bytes > options_.updates.bytes_max) {
    return Refuse(QueueKind::kUpdate,
                  WaitForRoom(QueueKind::kUpdate, base::Duration(0), update.bytes));
  }
  ++queue.merged;
  CountOut(slot);
  task.bytes += update.bytes;
  task.must_run |= update.must_run;
  const std::size_t states_before = task.states().size();
  MergeStates(update, superseded, &task);
  // The newest estimate, but never less than that of the larger of the two.
  const base::Duration estimate = costs_.Estimate(update.cost_class);
  const bool replaces_all = superseded == 0 && task.states().size() == update.states.size();
  if (replaces_all || estimate > task.estimate || states_before == 0) {
    queue.work += estimate - task.estimate;
    task.estimate = estimate;
    task.cost_class = update.cost_class;
  }
  CountIn(slot);
  Rekey(slot);
  return {Admission::Outcome::kMerged, IdOf(slot), base::Duration(0), superseded};
}

void QueueingScheduler::MergeStates(const UpdateTask& update, std::uint64_t superseded,
                                    Task* task) {
  for (std::size_t k = 0; k < update.states.size(); ++k) {
    const StateUpdate& arriving = update.states[k];
    StateUpdate* held = FindState(task->states(), arriving.state);
    if (k < kStatesMarked && (superseded >> k & 1)) {
      if (held != nullptr) held->installed_at = std::max(held->installed_at, arriving.installed_at);
    } else if (held == nullptr) {
      tasks_.AddState(task, arriving);
      task->states().back().max_age = BoundedAge(arriving.max_age);
    } else if (arriving.generated_at > held->generated_at) {
      const base::MonoTime installed_at = std::max(held->installed_at, arriving.installed_at);
      *held = arriving;
      held->installed_at = installed_at;
      held->max_age = BoundedAge(arriving.max_age);
    }
  }
}

Admission QueueingScheduler::SubmitQuery(const QueryTask& query, base::MonoTime now) {
  latest_ = std::max(latest_, now);
  MUSTER_CHECK(query.cost_class < kCostClassesMax, "a cost class is below kCostClassesMax");
  MUSTER_CHECK(query.deadline.count() > 0, "a query has a deadline");
  TaskQueue& queue = queues_[IndexOf(QueueKind::kQuery)];
  ++queue.submitted;
  const base::Duration estimate = costs_.Estimate(query.cost_class);
  const auto wait =
      std::max(WaitForRoom(QueueKind::kQuery, estimate, query.bytes),
               WaitForStart(query.arrived_at + std::min(query.deadline, kLongest), now));
  if (wait.count() > 0) return Refuse(QueueKind::kQuery, wait);
  const std::uint32_t slot = NewTask(QueueKind::kQuery, query.arrived_at, query.deadline,
                                     query.cost_class, query.bytes, now);
  Task& task = tasks_.at(slot);
  task.hard = query.hard;
  task.critical = query.critical;
  Enqueue(slot);
  return {Admission::Outcome::kQueued, IdOf(slot), base::Duration(0), 0};
}

// A task that is in no queue yet. Waiting is counted from its arrival, but never from before that
// of a task submitted earlier, so that the order of submission is the order of arrival.
std::uint32_t QueueingScheduler::NewTask(QueueKind kind, base::MonoTime arrived_at,
                                         base::Duration deadline, CostClass cost_class,
                                         std::uint32_t bytes, base::MonoTime now) {
  TaskQueue& queue = queues_[IndexOf(kind)];
  const std::uint32_t slot = tasks_.Allocate();
  Task& task = tasks_.at(slot);
  task.kind = kind;
  task.cost_class = cost_class;
  task.mergeable = task.must_run = task.hard = task.critical = false;
  task.was_parked = task.is_charged = false;
  task.bytes = bytes;
  task.order = next_order_++;
  queue.newest_arrival = std::max(queue.newest_arrival, arrived_at);
  task.arrived_at = queue.newest_arrival;
  task.deadline = std::min(deadline, kLongest);
  task.due_at = deadline.count() > 0 ? arrived_at + task.deadline : base::MonoTime::max();
  task.estimate = costs_.Estimate(cost_class);
  task.timer = task.waits = kNoNode;
  queue.arrivals.Append(&tasks_, slot);
  queue.load.Arrived(now);
  return slot;
}

}  // namespace muster::schedule
