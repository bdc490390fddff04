// A priority that grows linearly with time, in exact integer arithmetic.
//
// Every priority of (28) and (29) is a line (docs/scheduling.md): comparing two of them never
// rounds, so a dispatch is the argmax and not nearly so, and a recorded run replays to the same
// decisions.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/time.h"

namespace muster::schedule {

__extension__ typedef __int128 Int128;

struct Line {
  // A slope of 1 per second; a priority of 1 is kSlopeUnit nanoseconds of it.
  static constexpr std::int64_t kSlopeUnit = std::int64_t{1} << 40;
  static constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
  static constexpr Int128 kOne = Int128{kSlopeUnit} * kNanosPerSecond;
  // Slopes above are cut off: 2^19 per second, so that no priority overflows in 146 years.
  static constexpr std::int64_t kSlopeMax = std::int64_t{1} << 59;

  Int128 intercept = 0;  // at the clock's origin
  std::int64_t slope = 0;

  Int128 At(base::MonoTime t) const {
    return intercept + Int128{slope} * t.time_since_epoch().count();
  }

  // Adds slope * (t - zero_at).
  void AddSlope(std::int64_t added, base::MonoTime zero_at) {
    slope += added;
    intercept -= Int128{added} * zero_at.time_since_epoch().count();
  }

  friend bool operator==(const Line&, const Line&) = default;
};

// `per_second` in units of kSlopeUnit.
inline std::int64_t SlopeOf(double per_second) {
  const double scaled = per_second * static_cast<double>(Line::kSlopeUnit);
  if (!(scaled > 0)) return 0;
  if (scaled >= static_cast<double>(Line::kSlopeMax)) return Line::kSlopeMax;
  return std::llround(scaled);
}

inline double PriorityToDouble(Int128 priority) {
  return static_cast<double>(priority) / static_cast<double>(Line::kOne);
}

}  // namespace muster::schedule
