#include "base/random.h"

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace muster::base {
namespace {

TEST(Random, RepeatsForTheSameSeed) {
  Random a(7);
  Random b(7);
  Random other(8);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.Bits(), b.Bits());
  EXPECT_NE(a.Bits(), other.Bits());
}

TEST(Random, ChildrenDependOnSeedAndNameOnly) {
  Random parent(7);
  Random early = parent.Child("arrivals");
  parent.Bits();
  (void)parent.Child("sizes").Bits();
  Random late = parent.Child("arrivals");
  EXPECT_EQ(early.Bits(), late.Bits());
  EXPECT_NE(parent.Child("arrivals").seed(), parent.Child("sizes").seed());
  EXPECT_NE(parent.Child(0).seed(), parent.Child(1).seed());
  EXPECT_NE(parent.Child(0).seed(), Random(8).Child(0).seed());
}

TEST(Random, DrawsStayInTheirRanges) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Random random(seed);
    const auto bound = *rc::gen::inRange<std::uint64_t>(1, 1'000'000'007);
    for (int i = 0; i < 100; ++i) {
      const double unit = random.Unit();
      RC_ASSERT(unit >= 0 && unit < 1);
      const double uniform = random.Uniform(-3, 5);
      RC_ASSERT(uniform >= -3 && uniform < 5);
      RC_ASSERT(random.Below(bound) < bound);
      RC_ASSERT(random.Exponential(2) > 0);
      RC_ASSERT(std::isfinite(random.Normal(0, 1)));
      RC_ASSERT(!random.Chance(0));
      RC_ASSERT(random.Chance(1));
    }
  }));
}

TEST(Random, SmallBoundsAreEquallyLikely) {
  Random random(1);
  std::array<int, 6> seen{};
  for (int i = 0; i < 60'000; ++i) ++seen[random.Below(6)];
  for (const int count : seen) EXPECT_NEAR(count, 10'000, 450);  // five deviations
}

TEST(Random, MomentsAreThoseOfTheDistribution) {
  constexpr int kDraws = 100'000;
  Random random(3);
  double sum = 0;
  double squares = 0;
  double waits = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double drawn = random.Normal(10, 2);
    sum += drawn;
    squares += (drawn - 10) * (drawn - 10);
    waits += random.Exponential(0.5);
  }
  EXPECT_NEAR(sum / kDraws, 10, 0.04);
  EXPECT_NEAR(squares / kDraws, 4, 0.1);
  EXPECT_NEAR(waits / kDraws, 0.5, 0.01);
}

}  // namespace
}  // namespace muster::base
