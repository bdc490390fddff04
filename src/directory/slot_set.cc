#include "directory/slot_set.h"

namespace muster::directory {

SlotSet SlotSet::Intersect(const SlotSet& a, const SlotSet& b) {
  if (!a.is_complement_ && !b.is_complement_) return SlotSet(a.bitmap() & b.bitmap());
  if (!a.is_complement_) return SlotSet(a.bitmap() - b.bitmap());
  if (!b.is_complement_) return SlotSet(b.bitmap() - a.bitmap());
  return SlotSet(a.bitmap() | b.bitmap()).Complement();
}

// De Morgan: what is in neither, complemented.
SlotSet SlotSet::Unite(SlotSet a, SlotSet b) {
  return Intersect(std::move(a).Complement(), std::move(b).Complement()).Complement();
}

}  // namespace muster::directory
