// A log-linear histogram of non-negative integers: relative error at most 1/32, fixed memory.
//
// One thread records, any thread may copy (relaxed atomics): a copy is a moment's picture, not
// exact to the last record.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace muster::base {

class Histogram {
 public:
  static constexpr int kSubBuckets = 32;  // per power of two
  static constexpr int kBuckets = 60 * kSubBuckets;

  Histogram() = default;
  Histogram(const Histogram& other) { Copy(other); }
  Histogram& operator=(const Histogram& other) {
    if (this != &other) Copy(other);
    return *this;
  }

  void Record(std::uint64_t value);
  void Add(const Histogram& other);
  std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  std::uint64_t sum() const { return sum_.load(std::memory_order_relaxed); }
  std::uint64_t max() const { return max_.load(std::memory_order_relaxed); }
  // The value below which the fraction `q` of all records lie (upper edge of its bucket, but never
  // above max); 0 when empty.
  std::uint64_t Quantile(double q) const;
  // How many records are <= value (to the bucket's resolution).
  std::uint64_t CountAtMost(std::uint64_t value) const;

 private:
  void Copy(const Histogram& other);
  static int BucketOf(std::uint64_t value);
  static std::uint64_t UpperEdge(int bucket);

  std::array<std::atomic<std::uint32_t>, kBuckets> buckets_{};
  std::atomic<std::uint64_t> count_{0};
  std::atomic<std::uint64_t> sum_{0};
  std::atomic<std::uint64_t> max_{0};
};

}  // namespace muster::base
