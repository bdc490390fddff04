#include "directory/top_k.h"

#include <algorithm>

namespace muster::directory {

TopK::TopK(const SortKeys& keys, std::size_t k, const std::uint64_t* after)
    : keys_(keys), k_(k), after_(after), words_(keys.width()) {
  rows_.reserve(k);
}

void TopK::OfferWith(std::uint64_t first, model::AgentSlot slot) {
  const std::size_t width = keys_.width();
  const auto worse = [this](const Row& a, const Row& b) { return Before(a, b); };
  std::uint64_t* offered = &words_[rows_.size() * width];
  offered[0] = first;
  for (std::size_t i = 1; i < width; ++i) offered[i] = keys_.Read(i, slot);
  if (after_ != nullptr && keys_.Compare(offered, after_) <= 0) return;
  if (rows_.size() < k_) {
    rows_.push_back({slot, static_cast<std::uint32_t>(rows_.size() * width)});
    words_.resize(words_.size() + width);
    std::push_heap(rows_.begin(), rows_.end(), worse);
  } else if (keys_.Compare(offered, KeysOf(rows_.front())) < 0) {
    std::pop_heap(rows_.begin(), rows_.end(), worse);
    std::copy_n(offered, width, &words_[rows_.back().keys]);
    rows_.back().slot = slot;
    std::push_heap(rows_.begin(), rows_.end(), worse);
  }
  NoteWorst();
}

void TopK::NoteWorst() {
  if (rows_.size() == k_ && keys_.first_is_word()) worst_first_ = KeysOf(rows_.front())[0];
}

const std::vector<TopK::Row>& TopK::Sort() {
  std::sort_heap(rows_.begin(), rows_.end(),
                 [this](const Row& a, const Row& b) { return Before(a, b); });
  return rows_;
}

}  // namespace muster::directory
