// A set of slots, or all slots but those: what combining bitmaps gives.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "model/agent.h"
#include "roaring/roaring.hh"

namespace muster::directory {

class SlotSet {
 public:
  static SlotSet Empty() { return SlotSet(Roaring()); }
  static SlotSet All() { return Empty().Complement(); }
  // `bitmap` outlives the set and does not change.
  static SlotSet Borrow(const Roaring* bitmap) { return SlotSet(bitmap); }
  explicit SlotSet(Roaring bitmap) : owned_(std::move(bitmap)) {}

  SlotSet Complement() && {
    is_complement_ = !is_complement_;
    return std::move(*this);
  }
  static SlotSet Intersect(const SlotSet& a, const SlotSet& b);
  static SlotSet Unite(SlotSet a, SlotSet b);

  bool is_complement() const { return is_complement_; }
  // The members, or where is_complement the non-members.
  const Roaring& bitmap() const { return borrowed_ != nullptr ? *borrowed_ : owned_; }
  bool Contains(model::AgentSlot slot) const { return bitmap().contains(slot) != is_complement_; }

 private:
  explicit SlotSet(const Roaring* borrowed) : borrowed_(borrowed) {}

  const Roaring* borrowed_ = nullptr;
  Roaring owned_;
  bool is_complement_ = false;
};

}  // namespace muster::directory
