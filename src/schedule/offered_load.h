// Recent arrival rate and mean service time of one queue: the lambda and s of (23) and (24).
//
// Exponentially decayed sums. Events are collected for a 64th of the window before they are
// decayed, so that an event costs an addition.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/time.h"

namespace muster::schedule {

class OfferedLoad {
 public:
  void Arrived(base::MonoTime now) {
    Fold(now);
    pending_.arrivals += 1;
  }
  void Served(base::Duration used, base::MonoTime now) {
    Fold(now);
    pending_.services += 1;
    pending_.service_seconds += base::ToSeconds(used);
  }
  void set_window(base::Duration window) { window_ = window; }

  // Tasks per second, and seconds per task (0 before the first was served), as of `now`.
  double arrival_rate(base::MonoTime now) const {
    return Total(now).arrivals / base::ToSeconds(window_);
  }
  double mean_service(base::MonoTime now) const {
    const Sums sums = Total(now);
    return sums.services > 0 ? sums.service_seconds / sums.services : 0;
  }

 private:
  struct Sums {
    double arrivals = 0;
    double services = 0;
    double service_seconds = 0;
  };

  Sums Total(base::MonoTime now) const {
    const double kept = std::exp(-base::ToSeconds(std::max(now - folded_at_, base::Duration(0))) /
                                 base::ToSeconds(window_));
    return {(decayed_.arrivals + pending_.arrivals) * kept,
            (decayed_.services + pending_.services) * kept,
            (decayed_.service_seconds + pending_.service_seconds) * kept};
  }
  void Fold(base::MonoTime now) {
    if (now - folded_at_ < window_ / 64) return;
    decayed_ = Total(now);
    pending_ = {};
    folded_at_ = now;
  }

  base::Duration window_ = std::chrono::seconds(1);
  base::MonoTime folded_at_{};
  Sums decayed_;
  Sums pending_;
};

}  // namespace muster::schedule
