// One committer at a time, without a lock across its I/O: of the Workers that bring items, the
// first leads and commits for all who join while it does; they go on with other work.
//
// Bounded: a Worker that brings items to a full lane waits until the leader has taken some.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace muster::node {

template <typename Item>
class Lane {
 public:
  static constexpr std::size_t kItemsMax = 8192;

  // Adds `items` (cleared). True: the caller leads, and must call NextGroup until it returns false.
  // Who leads already (`leads`) may join too, and never waits for itself.
  bool Join(std::vector<Item>* items, bool leads) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return leads || !led_ || waiting_.size() < kItemsMax; });
    waiting_.insert(waiting_.end(), items->begin(), items->end());
    items->clear();
    if (led_) return false;
    led_ = true;
    return true;
  }

  // So many groups a leader commits before it looks after its own connections again.
  static constexpr int kGroupsPerTurn = 4;

  // Leads an empty lane; false if somebody leads already.
  bool TryLead() {
    std::unique_lock lock(mutex_);
    if (led_) return false;
    led_ = true;
    return true;
  }

  // The leader's next group; false: there is none, and its lead has ended.
  bool NextGroup(std::vector<Item>* group) {
    std::unique_lock lock(mutex_);
    group->clear();
    if (waiting_.empty()) {
      led_ = false;
      room_.notify_all();
      return false;
    }
    group->swap(waiting_);
    room_.notify_all();
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable room_;
  std::vector<Item> waiting_;
  bool led_ = false;
};

}  // namespace muster::node
