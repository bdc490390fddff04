// Queries that wait for updates, (14)-(17): parking, inheritance, release.
#include <algorithm>

#include "base/check.h"
#include "schedule/queueing_scheduler.h"

namespace muster::schedule {

namespace {

const StateUpdate* FindState(const Task& task, StateKey state) {
  for (const StateUpdate& held : task.states()) {
    if (held.state == state) return &held;
  }
  return nullptr;
}

}  // namespace

// The update whose completion would make `ref` fresh: a running one rather than a pending one, then
// the oldest. An agent's updates are indexed newest first.
std::uint32_t QueueingScheduler::FindFreshener(const StateRef& ref, base::MonoTime now) const {
  std::uint32_t found = kNoSlot;
  for (std::uint32_t slot = agents_.First(ref.agent); slot != kNoSlot; slot = agents_.Next(slot)) {
    const Task& task = tasks_.at(slot);
    const StateUpdate* held = FindState(task, ref.state);
    if (held == nullptr || now + task.estimate - held->generated_at >= held->max_age) continue;
    const bool runs = task.phase == TaskPhase::kRunning;
    if (found == kNoSlot || runs || tasks_.at(found).phase != TaskPhase::kRunning) found = slot;
  }
  return found;
}

// Pending updates of a stale state that gain something inherit the query's priority.
void QueueingScheduler::HastenState(const Task& query, const StateRef& ref, base::MonoTime now) {
  for (std::uint32_t slot = agents_.First(ref.agent); slot != kNoSlot; slot = agents_.Next(slot)) {
    const Task& task = tasks_.at(slot);
    const StateUpdate* held = FindState(task, ref.state);
    if (held == nullptr || now - held->installed_at < held->max_age) continue;
    if (held->generated_at - held->installed_at > task.estimate) Inherit(query, slot, now);
  }
}

void QueueingScheduler::Inherit(const Task& query, std::uint32_t update, base::MonoTime now) {
  const Task& task = tasks_.at(update);
  if (task.phase != TaskPhase::kWaiting) return;
  QueueOf(task).ready.Inherit(update, task.order, policy_->Inherited(query), now);
}

bool QueueingScheduler::Park(TaskId id, std::span<const StateRef> states, base::MonoTime now) {
  Task* query = tasks_.Find(id);
  MUSTER_CHECK(
      query != nullptr && query->phase == TaskPhase::kRunning && query->kind == QueueKind::kQuery,
      "only a running query is parked");
  for (const StateRef& ref : states) HastenState(*query, ref, now);
  const base::MonoTime release_at = query->due_at - query->estimate - options_.park_margin;
  if (query->was_parked || release_at <= now) return false;
  for (const StateRef& ref : states) {
    const std::uint32_t update = FindFreshener(ref, now);
    if (update == kNoSlot) continue;
    dependencies_.Add(id.slot, update, ref.state);
    emergencies_.ParkedOn(update);
    Inherit(*query, update, now);
  }
  if (query->waits == kNoNode) return false;
  TaskQueue& queue = QueueOf(*query);
  query->phase = TaskPhase::kParked;
  query->was_parked = true;
  --queue.running;
  ++queue.parked;
  CountIn(id.slot);
  SetTimer(id.slot, release_at);
  return true;
}

void QueueingScheduler::Hasten(TaskId id, std::span<const StateRef> states, base::MonoTime now) {
  const Task* query = tasks_.Find(id);
  if (query == nullptr || query->kind != QueueKind::kQuery) return;
  for (const StateRef& ref : states) HastenState(*query, ref, now);
}

bool QueueingScheduler::Cancel(TaskId id, base::MonoTime) {
  const Task* query = tasks_.Find(id);
  if (query == nullptr || query->kind != QueueKind::kQuery) return false;
  if (query->phase == TaskPhase::kParked) {
    Unpark(id.slot);
  } else if (query->phase == TaskPhase::kWaiting) {
    LeaveQueue(id.slot);
  } else {
    return false;
  }
  ++queues_[IndexOf(QueueKind::kQuery)].cancelled;
  Remove(id.slot);
  return true;
}

// Out of what waits parked, into no queue yet.
void QueueingScheduler::Unpark(std::uint32_t slot) {
  TaskQueue& queue = queues_[IndexOf(QueueKind::kQuery)];
  dependencies_.Withdraw(slot);
  ClearTimer(slot);
  --queue.parked;
  CountOut(slot);
}

void QueueingScheduler::ReturnToQueue(std::uint32_t slot) {
  Unpark(slot);
  Enqueue(slot);
}

void QueueingScheduler::ReleaseDue(base::MonoTime now) {
  while (!timers_.empty() && timers_.top().at <= now) ReturnToQueue(timers_.top().slot);
}

void QueueingScheduler::SetTimer(std::uint32_t slot, base::MonoTime at) {
  timers_.Push({at, tasks_.at(slot).order, slot},
               [this](const Timer& timer, std::uint32_t to) { tasks_.at(timer.slot).timer = to; });
}

void QueueingScheduler::ClearTimer(std::uint32_t slot) {
  timers_.RemoveAt(tasks_.at(slot).timer, [this](const Timer& timer, std::uint32_t to) {
    tasks_.at(timer.slot).timer = to;
  });
}

}  // namespace muster::schedule
