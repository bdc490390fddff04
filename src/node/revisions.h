// Hands out revisions to the two commit lanes and says up to which one everything is visible.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "base/mutex.h"
#include "model/agent.h"

namespace muster::node {

enum class LaneName : std::uint8_t { kRegistrations = 0, kReports = 1 };

// Thread-safe.
class Revisions {
 public:
  // The first of `count` consecutive revisions, open until the lane calls Close.
  model::Revision Allocate(LaneName lane, std::uint64_t count) {
    base::MutexLock lock(&mutex_);
    auto& oldest = oldest_open_[static_cast<std::size_t>(lane)];
    if (oldest == 0) oldest = next_;
    const model::Revision first = next_;
    next_ += count;
    return first;
  }

  // What the lane allocated is visible now, or will never be used.
  void Close(LaneName lane) {
    base::MutexLock lock(&mutex_);
    oldest_open_[static_cast<std::size_t>(lane)] = 0;
    model::Revision visible = next_ - 1;
    for (const model::Revision oldest : oldest_open_) {
      if (oldest != 0) visible = std::min(visible, oldest - 1);
    }
    visible_.store(visible, std::memory_order_release);
  }

  void Restore(model::Revision last) {
    base::MutexLock lock(&mutex_);
    next_ = last + 1;
    visible_.store(last, std::memory_order_release);
  }

  // Everything up to and including it is visible to queries.
  model::Revision visible() const { return visible_.load(std::memory_order_acquire); }

 private:
  base::Mutex mutex_;
  model::Revision next_ ABSL_GUARDED_BY(mutex_) = 1;
  std::array<model::Revision, 2> oldest_open_ ABSL_GUARDED_BY(mutex_) = {0, 0};  // 0: none
  std::atomic<model::Revision> visible_{0};
};

}  // namespace muster::node
