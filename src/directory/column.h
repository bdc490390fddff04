// One state of all agents: its values and their generation times, each contiguous within a chunk.
//
// A value is written before its generation time and read after it, so that a value is never older
// than the time that stands beside it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/time.h"
#include "directory/packed_value.h"
#include "directory/plane.h"
#include "model/agent.h"
#include "model/state.h"

namespace muster::directory {

// The value of a slot that never reported: a quiet NaN, which no comparison of numbers is true of,
// and neither a boolean nor a text.
inline constexpr std::uint64_t kAbsentValue = 0x7ff8'0000'0000'0000;
inline constexpr std::int64_t kNeverGenerated = std::numeric_limits<std::int64_t>::min();

class Column {
 public:
  explicit Column(model::StateType type) : type_(type) {}

  void Grow(std::size_t slots) {
    low_.Grow(slots);
    generated_.Grow(slots);
    if (type_ == model::StateType::kLocation) high_.Grow(slots);
  }

  void Store(model::AgentSlot slot, PackedValue value, base::WallTime generated_at) {
    low_.Store(slot, value.low);
    if (type_ == model::StateType::kLocation) high_.Store(slot, value.high);
    generated_.Store(slot, generated_at.time_since_epoch().count(), std::memory_order_release);
  }
  void Clear(model::AgentSlot slot) {
    low_.Clear(slot);
    if (type_ == model::StateType::kLocation) high_.Clear(slot);
    generated_.Clear(slot);
  }

  std::optional<base::WallTime> GeneratedAt(model::AgentSlot slot) const {
    const std::int64_t nanos = generated_.Load(slot, std::memory_order_acquire);
    if (nanos == kNeverGenerated) return std::nullopt;
    return base::WallFromUnixNanos(nanos);
  }
  // kAbsentValue where nothing was reported.
  std::uint64_t Low(model::AgentSlot slot) const { return low_.Load(slot); }
  // Low of many slots, in rising order.
  auto LowReader() const { return Plane<std::uint64_t, kAbsentValue>::Reader(low_); }
  PackedValue Value(model::AgentSlot slot) const {
    return {low_.Load(slot), type_ == model::StateType::kLocation ? high_.Load(slot) : 0};
  }

  std::size_t MemoryUsed() const {
    return low_.MemoryUsed() + high_.MemoryUsed() + generated_.MemoryUsed();
  }

 private:
  const model::StateType type_;
  Plane<std::uint64_t, kAbsentValue> low_;
  Plane<std::uint64_t, kAbsentValue> high_;  // of locations
  Plane<std::int64_t, kNeverGenerated> generated_;
};

}  // namespace muster::directory
