#include "schedule/state_pool.h"

#include <algorithm>

#include "base/check.h"

namespace muster::schedule {

void StatePool::Append(StateBlock* block, const StateUpdate& state) {
  const std::size_t size = block->states.size();
  MUSTER_CHECK(size < kStatesMax, "an agent has at most 256 states");
  StateUpdate* begin = block->states.data();
  if (size == 0) {
    block->capacity_log2 = 0;
    begin = Take(0);
  } else if (size == std::size_t{1} << block->capacity_log2) {
    begin = Take(block->capacity_log2 + 1);
    std::copy(block->states.begin(), block->states.end(), begin);
    free_[block->capacity_log2].push_back(block->states.data());
    ++block->capacity_log2;
  }
  begin[size] = state;
  block->states = {begin, size + 1};
}

void StatePool::Free(StateBlock* block) {
  if (!block->states.empty()) free_[block->capacity_log2].push_back(block->states.data());
  block->states = {};
}

StateUpdate* StatePool::Take(std::uint8_t capacity_log2) {
  std::vector<StateUpdate*>& free = free_[capacity_log2];
  if (free.empty()) {
    chunks_.push_back(std::make_unique<StateUpdate[]>(kChunk));
    const std::size_t size = std::size_t{1} << capacity_log2;
    blocks_[capacity_log2] += kChunk / size;
    free.reserve(blocks_[capacity_log2]);  // so that Free never allocates
    for (std::size_t at = 0; at < kChunk; at += size) free.push_back(&chunks_.back()[at]);
  }
  StateUpdate* block = free.back();
  free.pop_back();
  return block;
}

}  // namespace muster::schedule
