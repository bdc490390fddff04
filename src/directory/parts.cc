#include "directory/parts.h"

#include <algorithm>

namespace muster::directory {

void Parts::GrowTo(std::size_t slots) {
  for (const auto& column : columns) column->Grow(slots);
  heard_at.Grow(slots);
  expires_at.Grow(slots);
  if (leases.size() >= slots) return;
  const std::size_t room = std::max(slots, leases.size() + leases.size() / 2);
  leases.resize(room);
  sequences.resize(room);
}

std::size_t Parts::MemoryUsed() const {
  std::size_t bytes = agents.MemoryUsed() + facets.MemoryUsed() + locations.MemoryUsed() +
                      texts.MemoryUsed() + heard_at.MemoryUsed() + expires_at.MemoryUsed();
  for (const auto& column : columns) bytes += sizeof(Column) + column->MemoryUsed();
  bytes += leases.capacity() * sizeof(leases[0]);
  return bytes + sequences.capacity() * sizeof(sequences[0]);
}

}  // namespace muster::directory
