// The ids that were removed, so that their late reports get "gone". Bounded: the oldest is
// forgotten.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "model/agent.h"

namespace muster::node {

class Tombstones {
 public:
  explicit Tombstones(std::size_t count_max) : count_max_(count_max) {}

  void Add(model::Tombstone tombstone) {
    order_.push_back({tombstone.id, tombstone.incarnation});
    by_id_.insert_or_assign(tombstone.id, std::move(tombstone));
    while (by_id_.size() > count_max_ || order_.size() > 2 * count_max_ + 1) ForgetOldest();
  }
  void Erase(std::string_view id) { by_id_.erase(id); }
  const model::Tombstone* Find(std::string_view id) const {
    const auto it = by_id_.find(id);
    return it == by_id_.end() ? nullptr : &it->second;
  }
  std::size_t size() const { return by_id_.size(); }

 private:
  struct Entry {
    std::string id;
    model::Incarnation incarnation;
  };
  // An entry whose id was since registered, or removed again, is stale and forgets nothing.
  void ForgetOldest() {
    const auto it = by_id_.find(order_.front().id);
    if (it != by_id_.end() && it->second.incarnation == order_.front().incarnation) {
      by_id_.erase(it);
    }
    order_.pop_front();
  }

  const std::size_t count_max_;
  base::StringMap<model::Tombstone> by_id_;
  std::deque<Entry> order_;
};

}  // namespace muster::node
