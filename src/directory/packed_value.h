// A value of a state in 16 bytes.
#pragma once

#include <bit>
#include <cstdint>

#include "model/state.h"

namespace muster::directory {

// Number: its bits in `low`. Bool: 0 or 1 in `low`. Text: its number in the directory's text table
// in `low`. Location: the bits of latitude and longitude in `low` and `high`.
struct PackedValue {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend bool operator==(const PackedValue&, const PackedValue&) = default;
};

inline PackedValue Pack(double number) { return {std::bit_cast<std::uint64_t>(number), 0}; }
inline PackedValue Pack(bool boolean) { return {boolean ? 1U : 0U, 0}; }
inline PackedValue Pack(model::Location location) {
  return {std::bit_cast<std::uint64_t>(location.latitude),
          std::bit_cast<std::uint64_t>(location.longitude)};
}

inline double UnpackNumber(std::uint64_t low) { return std::bit_cast<double>(low); }
inline model::Location UnpackLocation(PackedValue value) {
  return {std::bit_cast<double>(value.low), std::bit_cast<double>(value.high)};
}

}  // namespace muster::directory
