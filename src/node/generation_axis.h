// Generation times (wall clock) on the scheduler's monotonic axis, exactly and both ways.
//
// The offset is one number, so that equal generation times stay equal and their order is kept. When
// the wall clock is stepped, the axis is rebased, but only while no update is pending.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/time.h"

namespace muster::node {

struct GenerationAxis {
  std::int64_t offset = 0;  // wall minus monotonic, nanoseconds

  base::MonoTime ToMono(base::WallTime at) const {
    return base::MonoFromNanos(at.time_since_epoch().count() - offset);
  }
  base::WallTime ToWall(base::MonoTime at) const {
    return base::WallFromUnixNanos(at.time_since_epoch().count() + offset);
  }
  static GenerationAxis At(base::Now now) {
    return {now.wall.time_since_epoch().count() - now.mono.time_since_epoch().count()};
  }
};

}  // namespace muster::node
