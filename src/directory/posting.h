// The slots that share one facet value: a short sorted array, or a Roaring bitmap once it is long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/container/inlined_vector.h"
#include "model/agent.h"
#include "roaring/roaring.hh"

namespace muster::directory {

class Posting {
 public:
  void Add(model::AgentSlot slot);
  void Remove(model::AgentSlot slot);

  bool empty() const { return size() == 0; }
  std::uint64_t size() const { return bitmap_ ? bitmap_->cardinality() : slots_.size(); }
  bool Contains(model::AgentSlot slot) const;
  // Null while the posting is short.
  const Roaring* bitmap() const { return bitmap_.get(); }
  Roaring ToBitmap() const;
  void AddTo(Roaring* out) const;
  std::size_t MemoryUsed() const;  // beyond the object

 private:
  static constexpr std::size_t kShortMax = 32;

  absl::InlinedVector<model::AgentSlot, 4> slots_;
  std::unique_ptr<Roaring> bitmap_;
};

}  // namespace muster::directory
