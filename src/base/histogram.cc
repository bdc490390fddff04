#include "base/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace muster::base {
namespace {
constexpr int kSubBits = std::countr_zero(static_cast<unsigned>(Histogram::kSubBuckets));
}  // namespace

// Values below kSubBuckets have a bucket each; above, each power of two is cut into kSubBuckets.
int Histogram::BucketOf(std::uint64_t value) {
  if (value < kSubBuckets) return static_cast<int>(value);
  const int shift = static_cast<int>(std::bit_width(value)) - 1 - kSubBits;
  const int bucket = (shift + 1) * kSubBuckets + static_cast<int>((value >> shift) - kSubBuckets);
  return std::min(bucket, kBuckets - 1);
}

std::uint64_t Histogram::UpperEdge(int bucket) {
  if (bucket < kSubBuckets) return static_cast<std::uint64_t>(bucket);
  const int shift = bucket / kSubBuckets - 1;
  const auto lead = static_cast<std::uint64_t>(bucket % kSubBuckets) + kSubBuckets;
  return ((lead + 1) << shift) - 1;
}

void Histogram::Record(std::uint64_t value) {
  constexpr auto relaxed = std::memory_order_relaxed;
  auto& bucket = buckets_[static_cast<std::size_t>(BucketOf(value))];
  bucket.store(bucket.load(relaxed) + 1, relaxed);
  count_.store(count_.load(relaxed) + 1, relaxed);
  sum_.store(sum_.load(relaxed) + value, relaxed);
  if (value > max_.load(relaxed)) max_.store(value, relaxed);
}

void Histogram::Add(const Histogram& other) {
  constexpr auto relaxed = std::memory_order_relaxed;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    buckets_[i].store(buckets_[i].load(relaxed) + other.buckets_[i].load(relaxed), relaxed);
  }
  count_.store(count() + other.count(), relaxed);
  sum_.store(sum() + other.sum(), relaxed);
  max_.store(std::max(max(), other.max()), relaxed);
}

void Histogram::Copy(const Histogram& other) {
  constexpr auto relaxed = std::memory_order_relaxed;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    buckets_[i].store(other.buckets_[i].load(relaxed), relaxed);
  }
  count_.store(other.count(), relaxed);
  sum_.store(other.sum(), relaxed);
  max_.store(other.max(), relaxed);
}

std::uint64_t Histogram::Quantile(double q) const {
  const std::uint64_t total = count();
  if (total == 0) return 0;
  const auto rank = std::max<std::uint64_t>(
      1,
      static_cast<std::uint64_t>(std::ceil(std::clamp(q, 0.0, 1.0) * static_cast<double>(total))));
  std::uint64_t seen = 0;
  for (int i = 0; i < kBuckets; ++i) {
    seen += buckets_[static_cast<std::size_t>(i)].load(std::memory_order_relaxed);
    if (seen >= rank) return std::min(UpperEdge(i), max());
  }
  return max();
}

std::uint64_t Histogram::CountAtMost(std::uint64_t value) const {
  const int last = BucketOf(value);
  std::uint64_t seen = 0;
  for (int i = 0; i <= last; ++i) {
    seen += buckets_[static_cast<std::size_t>(i)].load(std::memory_order_relaxed);
  }
  return seen;
}

}  // namespace muster::base
