// Time as types: two clocks that can't be mixed up, both in integer nanoseconds.
//
// MonoTime  what waiting, deadlines and durations are measured on; its origin is arbitrary.
// WallTime  nanoseconds since the Unix epoch; used for generation times and for people only.
//
// Nothing below a shell reads a clock: instants are arguments.
#pragma once

#include <chrono>
#include <cstdint>

namespace muster::base {

using Duration = std::chrono::nanoseconds;

struct MonoClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<MonoClock>;
  static constexpr bool is_steady = true;
};
struct WallClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<WallClock>;
  static constexpr bool is_steady = false;
};

using MonoTime = MonoClock::time_point;
using WallTime = WallClock::time_point;

// The two clocks read at (nearly) one moment: what a shell hands to a core.
struct Now {
  MonoTime mono;
  WallTime wall;

  // Where a wall instant lies on the monotonic axis, so that ages compare with waits.
  MonoTime OnMono(WallTime at) const { return mono - (wall - at); }
};

constexpr WallTime WallFromUnixNanos(std::int64_t nanos) { return WallTime(Duration(nanos)); }
constexpr MonoTime MonoFromNanos(std::int64_t nanos) { return MonoTime(Duration(nanos)); }
constexpr double ToSeconds(Duration d) { return std::chrono::duration<double>(d).count(); }
constexpr Duration FromSeconds(double seconds) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

}  // namespace muster::base
