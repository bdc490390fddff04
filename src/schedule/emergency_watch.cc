#include "schedule/emergency_watch.h"

#include <algorithm>

#include "schedule/score.h"

namespace muster::schedule {

namespace {
// Emergencies to come of tasks that have gone are cleared out when they may be half of all.
constexpr std::size_t kSlack = 1024;
// Thirty years.
constexpr double kNeverSeconds = 1e9;
}  // namespace

base::MonoTime EmergencyWatch::CriticalAt(const StateUpdate& state) const {
  const double seconds = critical_age_ * base::ToSeconds(state.max_age);
  return state.installed_at + base::FromSeconds(std::min(seconds, kNeverSeconds));
}

void EmergencyWatch::Entered(std::uint32_t slot) {
  if (!is_needed_) return;
  const Task& task = tasks_.at(slot);
  if (task.kind == QueueKind::kQuery) {
    if (task.hard) Add(task.due_at - 3 * task.estimate, slot, Kind::kHardQuery);
    return;
  }
  for (const StateUpdate& state : task.states()) {
    if (state.critical && Benefit(state, task.estimate) > 0) {
      Add(CriticalAt(state), slot, Kind::kCriticalState);
    }
  }
  if (task.waits != kNoNode) EnterDependencies(slot);
}

void EmergencyWatch::EnterDependencies(std::uint32_t update) {
  const Task& task = tasks_.at(update);
  if (!is_needed_ || task.phase != TaskPhase::kWaiting) return;
  for (const StateUpdate& state : task.states()) {
    if (dependencies_.QueriesOn(update, state.state) < 2) continue;
    Add(CriticalAt(state), update, Kind::kDependency);
  }
}

void EmergencyWatch::Add(base::MonoTime begins_at, std::uint32_t slot, Kind kind) {
  if (coming_.size() > 2 * coming_kept_ + kSlack) {
    std::erase_if(coming_, [this](const Emergency& emergency) {
      return tasks_.at(emergency.slot).epoch != emergency.epoch;
    });
    std::make_heap(coming_.begin(), coming_.end());
    coming_kept_ = coming_.size();
  }
  coming_.push_back({begins_at, slot, tasks_.at(slot).epoch, kind});
  std::push_heap(coming_.begin(), coming_.end());
}

void EmergencyWatch::Restart(bool is_needed, double critical_age) {
  is_needed_ = is_needed;
  critical_age_ = critical_age;
  coming_.clear();
  coming_kept_ = 0;
  for (auto& present : present_) present.clear();
}

bool EmergencyWatch::IsOver(const Emergency& emergency, base::MonoTime now) const {
  const Task& task = tasks_.at(emergency.slot);
  if (task.epoch != emergency.epoch) return true;
  switch (emergency.kind) {
    case Kind::kHardQuery:
      return now >= task.due_at - task.estimate;
    case Kind::kDependency:
      return task.waits == kNoNode ||
             std::none_of(task.states().begin(), task.states().end(), [&](const StateUpdate& s) {
               return CriticalAt(s) <= now && dependencies_.QueriesOn(emergency.slot, s.state) >= 2;
             });
    case Kind::kCriticalState:
      break;
  }
  return false;
}

bool EmergencyWatch::AnyOf(Kind kind, base::MonoTime now) {
  std::vector<Emergency>& present = present_[static_cast<std::size_t>(kind)];
  while (!present.empty() && IsOver(present.back(), now)) present.pop_back();
  return !present.empty();
}

Emergencies EmergencyWatch::At(base::MonoTime now) {
  while (!coming_.empty() && coming_.front().begins_at <= now) {
    const Emergency begun = coming_.front();
    std::pop_heap(coming_.begin(), coming_.end());
    coming_.pop_back();
    if (!IsOver(begun, now)) present_[static_cast<std::size_t>(begun.kind)].push_back(begun);
  }
  return {AnyOf(Kind::kCriticalState, now), AnyOf(Kind::kHardQuery, now),
          AnyOf(Kind::kDependency, now)};
}

}  // namespace muster::schedule
