#include "directory/posting.h"

#include <algorithm>

namespace muster::directory {

void Posting::Add(model::AgentSlot slot) {
  if (bitmap_) {
    bitmap_->add(slot);
    return;
  }
  const auto at = std::lower_bound(slots_.begin(), slots_.end(), slot);
  if (at != slots_.end() && *at == slot) return;
  if (slots_.size() < kShortMax) {
    slots_.insert(at, slot);
    return;
  }
  bitmap_ = std::make_unique<Roaring>(slots_.size(), slots_.data());
  bitmap_->add(slot);
  slots_ = {};
}

void Posting::Remove(model::AgentSlot slot) {
  if (bitmap_) {
    bitmap_->remove(slot);
    return;
  }
  const auto at = std::lower_bound(slots_.begin(), slots_.end(), slot);
  if (at != slots_.end() && *at == slot) slots_.erase(at);
}

bool Posting::Contains(model::AgentSlot slot) const {
  if (bitmap_) return bitmap_->contains(slot);
  return std::binary_search(slots_.begin(), slots_.end(), slot);
}

Roaring Posting::ToBitmap() const {
  return bitmap_ ? *bitmap_ : Roaring(slots_.size(), slots_.data());
}

void Posting::AddTo(Roaring* out) const {
  if (bitmap_) {
    *out |= *bitmap_;
  } else {
    out->addMany(slots_.size(), slots_.data());
  }
}

std::size_t Posting::MemoryUsed() const {
  const std::size_t array = slots_.capacity() > 4 ? slots_.capacity() * sizeof(slots_[0]) : 0;
  return array + (bitmap_ ? sizeof(Roaring) + bitmap_->getSizeInBytes(false) : 0);
}

}  // namespace muster::directory
