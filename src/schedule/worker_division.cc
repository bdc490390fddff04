#include "schedule/worker_division.h"

#include <algorithm>
#include <cmath>

namespace muster::schedule {

namespace {
// A part of a Worker smaller than this is rounding, not a share.
constexpr double kShareResolution = 1e-9;
}  // namespace

void WorkerDivision::Divide(std::uint32_t workers, double update_share) {
  const double wanted = workers * update_share;
  dedicated_to_updates_ = static_cast<std::uint32_t>(std::floor(wanted + kShareResolution));
  const double rest = wanted - dedicated_to_updates_;
  if (rest < kShareResolution) {
    swinging_update_share_ = 0;
    dedicated_to_queries_ = workers - dedicated_to_updates_;
  } else {
    swinging_update_share_ = rest;
    dedicated_to_queries_ = workers - dedicated_to_updates_ - 1;
  }
}

WorkerDivision::Role WorkerDivision::RoleOf(WorkerIndex worker) const {
  if (worker < dedicated_to_updates_) return Role::kUpdates;
  if (worker == dedicated_to_updates_ && swinging_update_share_ > 0) return Role::kSwings;
  return Role::kQueries;
}

void WorkerDivision::Charge(QueueKind kind, base::Duration time) {
  if (swinging_update_share_ <= 0) return;
  const double nanos = static_cast<double>(time.count());
  lead_ += kind == QueueKind::kUpdate ? nanos / swinging_update_share_
                                      : -nanos / (1 - swinging_update_share_);
}

void WorkerDivision::BecameBusy(QueueKind kind) {
  lead_ = kind == QueueKind::kUpdate ? std::max(lead_, 0.0) : std::min(lead_, 0.0);
}

}  // namespace muster::schedule
