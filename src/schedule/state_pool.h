// The states that pending updates carry, in blocks of 1, 2, 4, ... 256 that are used again.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "schedule/scheduler.h"

namespace muster::schedule {

// States of one update. Empty until the first is added.
struct StateBlock {
  std::span<StateUpdate> states;
  std::uint8_t capacity_log2 = 0;  // of the block, where states is not empty
};

class StatePool {
 public:
  static constexpr std::size_t kStatesMax = 256;

  // Appends `state`, moving the block to a larger one if it is full.
  void Append(StateBlock* block, const StateUpdate& state);
  void Free(StateBlock* block);

 private:
  static constexpr std::size_t kSizes = 9;
  static constexpr std::size_t kChunk = 1024;  // states allocated at once

  StateUpdate* Take(std::uint8_t capacity_log2);

  std::array<std::vector<StateUpdate*>, kSizes> free_;
  std::array<std::size_t, kSizes> blocks_{};  // ever made, by size
  std::vector<std::unique_ptr<StateUpdate[]>> chunks_;
};

}  // namespace muster::schedule
