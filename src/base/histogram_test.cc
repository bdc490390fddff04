#include "base/histogram.h"

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace muster::base {
namespace {

TEST(Histogram, IsEmptyAtFirst) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0);
  EXPECT_EQ(histogram.Quantile(0.5), 0);
  EXPECT_EQ(histogram.CountAtMost(100), 0);
}

TEST(Histogram, IsExactBelowSixtyFour) {
  Histogram histogram;
  for (std::uint64_t value = 0; value < 64; ++value) histogram.Record(value);
  EXPECT_EQ(histogram.Quantile(0), 0);
  EXPECT_EQ(histogram.Quantile(0.5), 31);
  EXPECT_EQ(histogram.Quantile(1), 63);
  for (std::uint64_t value = 0; value < 64; ++value) {
    EXPECT_EQ(histogram.CountAtMost(value), value + 1);
  }
  EXPECT_EQ(histogram.sum(), 63 * 64 / 2);
}

TEST(Histogram, NeverSaysMoreThanTheMaximum) {
  Histogram histogram;
  histogram.Record(1'000'000);
  EXPECT_EQ(histogram.Quantile(0.5), 1'000'000);
  EXPECT_EQ(histogram.max(), 1'000'000);
}

TEST(Histogram, HoldsTheLargestValue) {
  Histogram histogram;
  histogram.Record(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(histogram.Quantile(1), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(histogram.CountAtMost(std::numeric_limits<std::uint64_t>::max()), 1);
}

std::vector<std::uint64_t> AnyValues() {
  return *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint64_t>>(rc::gen::map(
      rc::gen::pair(rc::gen::inRange(4, 64), rc::gen::arbitrary<std::uint64_t>()),
      [](std::pair<int, std::uint64_t> drawn) { return drawn.second >> drawn.first; })));
}

TEST(Histogram, QuantilesAreWithinOnePart32) {
  EXPECT_TRUE(rc::check([] {
    std::vector<std::uint64_t> values = AnyValues();
    Histogram histogram;
    for (const std::uint64_t value : values) histogram.Record(value);
    std::sort(values.begin(), values.end());
    for (const double q : {0.0, 0.01, 0.5, 0.9, 0.99, 1.0}) {
      const auto rank = std::max(1.0, std::ceil(q * static_cast<double>(values.size())));
      const std::uint64_t exact = values[static_cast<std::size_t>(rank) - 1];
      const std::uint64_t said = histogram.Quantile(q);
      RC_ASSERT(said >= exact);
      RC_ASSERT(said - exact <= exact / 32);
    }
  }));
}

TEST(Histogram, AddsUpAndCopies) {
  EXPECT_TRUE(rc::check([] {
    const std::vector<std::uint64_t> a = AnyValues();
    const std::vector<std::uint64_t> b = AnyValues();
    Histogram left;
    Histogram right;
    Histogram both;
    for (const std::uint64_t value : a) left.Record(value), both.Record(value);
    for (const std::uint64_t value : b) right.Record(value), both.Record(value);
    Histogram sum = left;
    sum.Add(right);
    RC_ASSERT(sum.count() == both.count());
    RC_ASSERT(sum.sum() == both.sum());
    RC_ASSERT(sum.max() == both.max());
    for (const double q : {0.1, 0.5, 0.99}) RC_ASSERT(sum.Quantile(q) == both.Quantile(q));
    RC_ASSERT(sum.CountAtMost(a[0]) == both.CountAtMost(a[0]));
  }));
}

}  // namespace
}  // namespace muster::base
