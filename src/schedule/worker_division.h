// How K Workers realise a real-valued share, (21) and (22).
//
// floor(K r) Workers are dedicated to updates, floor(K (1 - r)) to queries; the one that is left
// over, if any, swings: it serves the queue whose part of its time is furthest behind. So K = 1
// divides as finely as K = 64, and while both queues wait the share is held to within one batch of
// the swinging Worker. A queue that had nothing waiting resumes level: it has earned no credit.
#pragma once

#include <cstdint>

#include "base/time.h"
#include "schedule/scheduler.h"

namespace muster::schedule {

class WorkerDivision {
 public:
  enum class Role : std::uint8_t { kUpdates, kQueries, kSwings };

  // `update_share` in 0..1. Keeps the account of the Worker that swings.
  void Divide(std::uint32_t workers, double update_share);

  Role RoleOf(WorkerIndex worker) const;
  // The queue that the swinging Worker serves while both wait.
  QueueKind Behind() const { return lead_ <= 0 ? QueueKind::kUpdate : QueueKind::kQuery; }
  void Charge(QueueKind kind, base::Duration time);
  void BecameBusy(QueueKind kind);

  std::uint32_t dedicated_to_updates() const { return dedicated_to_updates_; }
  std::uint32_t dedicated_to_queries() const { return dedicated_to_queries_; }
  double swinging_update_share() const { return swinging_update_share_; }

 private:
  std::uint32_t dedicated_to_updates_ = 0;
  std::uint32_t dedicated_to_queries_ = 0;
  double swinging_update_share_ = 0;  // of its time; 0: none swings
  // Start-time fair queueing with two flows: time/share served to updates minus that to queries,
  // ns.
  double lead_ = 0;
};

}  // namespace muster::schedule
