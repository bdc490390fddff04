// Estimated processing times: an exponentially weighted mean per cost class, the s of (3).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/time.h"
#include "schedule/scheduler.h"

namespace muster::schedule {

class CostEstimator {
 public:
  explicit CostEstimator(base::Duration initial) {
    means_.fill(static_cast<double>(initial.count()));
  }

  // At least 1 ns, so that every waiting task counts as work.
  base::Duration Estimate(CostClass cost_class) const {
    return base::Duration(std::max<std::int64_t>(1, std::llround(means_[cost_class])));
  }
  // `weight`: of the newest measurement, 0..1.
  void Observe(CostClass cost_class, base::Duration used, double weight) {
    double& mean = means_[cost_class];
    mean += weight * (static_cast<double>(used.count()) - mean);
  }

 private:
  std::array<double, kCostClassesMax> means_;  // ns
};

}  // namespace muster::schedule
