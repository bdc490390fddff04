#include "directory/location_index.h"

namespace muster::directory {
namespace {

std::uint64_t LeafCell(const S2Point& point) { return S2CellId(point).id(); }

}  // namespace

void LocationIndex::Move(model::AgentSlot slot, model::Location to) {
  Remove(slot);
  const std::size_t chunk = ChunkOf(slot);
  if (points_.size() <= chunk) points_.resize(chunk + 1);
  if (!points_[chunk]) points_[chunk] = std::make_unique<Chunk>();
  const S2Point point = ToPoint(to);
  (*points_[chunk])[OffsetOf(slot)] = point;
  by_cell_.emplace(LeafCell(point), slot);
}

void LocationIndex::Remove(model::AgentSlot slot) {
  const S2Point* point = Point(slot);
  if (point == nullptr) return;
  by_cell_.erase({LeafCell(*point), slot});
  (*points_[ChunkOf(slot)])[OffsetOf(slot)] = S2Point();
}

bool LocationIndex::Collect(std::span<const Disc::CellRange> cells, std::size_t slots_max,
                            std::vector<model::AgentSlot>* out) const {
  out->clear();
  for (const Disc::CellRange& cell : cells) {
    for (auto at = by_cell_.lower_bound({cell.first, 0});
         at != by_cell_.end() && at->first <= cell.last; ++at) {
      if (out->size() == slots_max) return false;
      out->push_back(at->second);
    }
  }
  return true;
}

std::size_t LocationIndex::MemoryUsed() const {
  std::size_t bytes = by_cell_.size() * sizeof(*by_cell_.begin()) * 4 / 3;
  for (const auto& chunk : points_) bytes += chunk ? sizeof(Chunk) : 0;
  return bytes;
}

}  // namespace muster::directory
