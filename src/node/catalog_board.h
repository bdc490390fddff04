// The current state catalog as an immutable copy that threads keep and refresh when its version
// moves.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/mutex.h"
#include "model/state.h"

namespace muster::node {

class CatalogBoard {
 public:
  void Publish(const model::StateCatalog& catalog) {
    auto copy = std::make_shared<const model::StateCatalog>(catalog);
    base::MutexLock lock(&mutex_);
    current_ = std::move(copy);
    version_.fetch_add(1, std::memory_order_release);
  }
  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }
  std::shared_ptr<const model::StateCatalog> current() const {
    base::MutexLock lock(&mutex_);
    return current_;
  }

 private:
  mutable base::Mutex mutex_;
  std::shared_ptr<const model::StateCatalog> current_ ABSL_GUARDED_BY(mutex_);
  std::atomic<std::uint64_t> version_{0};
};

// One thread's copy.
class CatalogCopy {
 public:
  const model::StateCatalog& Refresh(const CatalogBoard& board) {
    const std::uint64_t version = board.version();
    if (catalog_ == nullptr || version != version_) {
      catalog_ = board.current();
      version_ = version;
    }
    return *catalog_;
  }
  const model::StateCatalog& get() const { return *catalog_; }

 private:
  std::shared_ptr<const model::StateCatalog> catalog_;
  std::uint64_t version_ = 0;
};

}  // namespace muster::node
