#include "directory/id_order.h"

#include <algorithm>
#include <iterator>

#include "base/check.h"

namespace muster::directory {

IdOrder::Label IdOrder::LabelBefore(Iterator next) const {
  const bool is_first = next == slots_.begin();
  const bool is_last = next == slots_.end();
  if (is_first && is_last) return kTop / 2;
  const Label below = is_first ? 0 : labels_[*std::prev(next)];
  const Label above = is_last ? kTop : labels_[*next];
  const Label half = (above - below) / 2;
  if (half == 0) return 0;
  if (is_last) return below + std::min(kStride, half);
  if (is_first) return above - std::min(kStride, half);
  return below + half;
}

void IdOrder::Insert(model::AgentSlot slot) {
  if (labels_.size() <= slot) labels_.resize(std::max<std::size_t>(slot + 1, labels_.size() * 2));
  const Iterator next = slots_.lower_bound(IdOf(slot));
  Label label = LabelBefore(next);
  if (label == 0) {
    Spread(next);
    label = LabelBefore(next);
    MUSTER_CHECK(label != 0, "spreading labels makes room");
  }
  labels_[slot] = label;
  slots_.insert(next, slot);
}

void IdOrder::Spread(Iterator next) {
  const Iterator pivot = next == slots_.begin() ? next : std::prev(next);
  const Label base = labels_[*pivot];
  Iterator first = pivot;
  Iterator last = std::next(pivot);  // [first, last) lie in the range looked at
  std::size_t count = 1;
  double room = 1;  // (4/3)^i: the most agents that a range of 2^i labels may hold
  for (unsigned i = 1; i <= 60; ++i) {
    const Label low = base & ~((Label{1} << i) - 1);
    const Label high = low + (Label{1} << i);
    while (first != slots_.begin() && labels_[*std::prev(first)] >= low) --first, ++count;
    while (last != slots_.end() && labels_[*last] < high) ++last, ++count;
    room *= 4.0 / 3.0;
    const Label step = (high - low) / (count + 1);
    if (static_cast<double>(count) > room || step < 2) continue;
    Label label = low;
    for (Iterator at = first; at != last; ++at) labels_[*at] = label += step;
    return;
  }
  MUSTER_CHECK(false, "2^60 labels have room for every agent");
}

void IdOrder::Remove(model::AgentSlot slot) { slots_.erase(slot); }

IdPosition IdOrder::PositionOf(std::string_view id) const {
  const Iterator at = slots_.lower_bound(id);
  if (at == slots_.end()) return kPastLastId;
  return IdOf(*at) == id ? Position(*at) : Position(*at) - 1;
}

std::size_t IdOrder::MemoryUsed() const {
  // A B-tree's nodes are three quarters full on average.
  return labels_.capacity() * sizeof(Label) + slots_.size() * sizeof(model::AgentSlot) * 4 / 3;
}

}  // namespace muster::directory
