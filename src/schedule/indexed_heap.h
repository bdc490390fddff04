// A 4-ary heap whose entries tell where they are, so that any of them can be removed.
//
// Entry::Precedes(other) is a strict order; the first is on top. `moved(entry, position)` is called
// whenever an entry has a new position. Allocates only when it grows beyond its largest size so
// far.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace muster::schedule {

template <typename Entry>
class IndexedHeap {
 public:
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  const Entry& top() const { return entries_.front(); }
  const Entry& at(std::size_t position) const { return entries_[position]; }
  void clear() { entries_.clear(); }

  template <typename Moved>
  void Push(const Entry& entry, const Moved& moved) {
    entries_.push_back(entry);
    SiftUp(static_cast<std::uint32_t>(entries_.size() - 1), entry, moved);
  }

  template <typename Moved>
  void RemoveAt(std::uint32_t position, const Moved& moved) {
    const Entry last = entries_.back();
    entries_.pop_back();
    if (position == entries_.size()) return;
    if (position > 0 && last.Precedes(entries_[(position - 1) / kArity])) {
      SiftUp(position, last, moved);
    } else {
      SiftDown(position, last, moved);
    }
  }

  static constexpr std::uint32_t kArity = 4;

 private:
  template <typename Moved>
  void SiftUp(std::uint32_t position, const Entry& entry, const Moved& moved) {
    while (position > 0) {
      const std::uint32_t parent = (position - 1) / kArity;
      if (!entry.Precedes(entries_[parent])) break;
      Place(position, entries_[parent], moved);
      position = parent;
    }
    Place(position, entry, moved);
  }

  template <typename Moved>
  void SiftDown(std::uint32_t position, const Entry& entry, const Moved& moved) {
    const auto size = static_cast<std::uint32_t>(entries_.size());
    for (;;) {
      const std::uint32_t first = position * kArity + 1;
      if (first >= size) break;
      const std::uint32_t end = std::min(first + kArity, size);
      std::uint32_t best = first;
      for (std::uint32_t child = first + 1; child < end; ++child) {
        if (entries_[child].Precedes(entries_[best])) best = child;
      }
      if (!entries_[best].Precedes(entry)) break;
      Place(position, entries_[best], moved);
      position = best;
    }
    Place(position, entry, moved);
  }

  template <typename Moved>
  void Place(std::uint32_t position, const Entry& entry, const Moved& moved) {
    entries_[position] = entry;
    moved(entries_[position], position);
  }

  std::vector<Entry> entries_;
};

}  // namespace muster::schedule
