// Where agents are: their points by slot, and their slots by S2 leaf cell.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "directory/plane.h"
#include "directory/sphere.h"
#include "model/agent.h"
#include "model/state.h"

namespace muster::directory {

class LocationIndex {
 public:
  void Move(model::AgentSlot slot, model::Location to);
  void Remove(model::AgentSlot slot);  // which may have no location

  // Null: this agent has no location.
  const S2Point* Point(model::AgentSlot slot) const {
    const std::size_t chunk = ChunkOf(slot);
    if (chunk >= points_.size() || !points_[chunk]) return nullptr;
    const S2Point& point = (*points_[chunk])[OffsetOf(slot)];
    return point.Norm2() == 0 ? nullptr : &point;
  }
  // Fills `out` with the slots in `cells`, in no order. False, with `out` unspecified, once they
  // are more than `slots_max`.
  bool Collect(std::span<const Disc::CellRange> cells, std::size_t slots_max,
               std::vector<model::AgentSlot>* out) const;

  std::size_t size() const { return by_cell_.size(); }
  std::size_t MemoryUsed() const;

 private:
  using Chunk = std::array<S2Point, kChunkSlots>;  // the origin, which is no point: no location

  std::vector<std::unique_ptr<Chunk>> points_;
  absl::btree_set<std::pair<std::uint64_t, model::AgentSlot>> by_cell_;
};

}  // namespace muster::directory
