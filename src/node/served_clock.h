// The time that the node has served: monotonic time without the node's own stalls. Leases run on
// it, so that a process that was stopped, or starved, lapses nobody.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/time.h"

namespace muster::node {

// Advance by one thread; read by any.
class ServedClock {
 public:
  ServedClock(base::MonoTime start, base::Duration stall_min)
      : stall_min_(stall_min), last_tick_(start.time_since_epoch().count()) {}

  // A gap since the last call longer than `stall_min` is a stall. Returns its length, or zero.
  base::Duration Advance(base::MonoTime now) {
    const base::Duration gap = now - base::MonoFromNanos(last_tick_.load());
    const base::Duration stall = gap > stall_min_ ? gap : base::Duration(0);
    stalled_.store(stalled_.load() + stall.count());
    last_tick_.store(now.time_since_epoch().count());
    return stall;
  }

  // Between a stall's end and the next Advance the time stands still rather than run ahead.
  base::MonoTime At(base::MonoTime now) const {
    const std::int64_t ceiling = last_tick_.load() + stall_min_.count();
    return base::MonoFromNanos(std::min(now.time_since_epoch().count(), ceiling) - stalled_.load());
  }

  base::Duration stalled() const { return base::Duration(stalled_.load()); }

 private:
  const base::Duration stall_min_;
  std::atomic<std::int64_t> last_tick_;
  std::atomic<std::int64_t> stalled_{0};
};

}  // namespace muster::node
