// Which emergencies there are: critical states, hard queries, dependencies (cases 4 to 6).
//
// Each begins at an instant that is known when its task enters the queue: nothing is polled.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "schedule/dependencies.h"
#include "schedule/task.h"

namespace muster::schedule {

struct Emergencies {
  bool critical_state = false;  // flagged, age at least `critical_age` bounds, an update gains
  bool hard_query = false;      // flagged, 0 < slack <= 2 s
  bool dependency = false;      // two parked queries or more on one state as stale as that
};

class EmergencyWatch {
 public:
  EmergencyWatch(const TaskTable* tasks, const Dependencies* dependencies)
      : tasks_(*tasks), dependencies_(*dependencies) {}

  // Forgets all; watches nothing unless `is_needed`.
  void Restart(bool is_needed, double critical_age);

  // `slot` waits from now on, as it is; what was known of it before is void.
  void Entered(std::uint32_t slot);
  // A query was parked on pending `update`.
  void ParkedOn(std::uint32_t update) { EnterDependencies(update); }

  // `now` never goes back.
  Emergencies At(base::MonoTime now);
  base::MonoTime NextAt() const {
    return coming_.empty() ? base::MonoTime::max() : coming_.front().begins_at;
  }

 private:
  enum class Kind : std::uint8_t { kCriticalState, kHardQuery, kDependency };
  static constexpr std::size_t kKinds = 3;
  struct Emergency {
    base::MonoTime begins_at;
    std::uint32_t slot;
    std::uint32_t epoch;
    Kind kind;

    // For a heap with the earliest on top.
    bool operator<(const Emergency& other) const { return begins_at > other.begins_at; }
  };

  void Add(base::MonoTime begins_at, std::uint32_t slot, Kind kind);
  void EnterDependencies(std::uint32_t update);
  bool IsOver(const Emergency& emergency, base::MonoTime now) const;
  bool AnyOf(Kind kind, base::MonoTime now);
  base::MonoTime CriticalAt(const StateUpdate& state) const;

  const TaskTable& tasks_;
  const Dependencies& dependencies_;
  bool is_needed_ = false;
  double critical_age_ = 2;
  std::vector<Emergency> coming_;
  std::array<std::vector<Emergency>, kKinds> present_;
  std::size_t coming_kept_ = 0;  // at the last clearing out
};

}  // namespace muster::schedule
