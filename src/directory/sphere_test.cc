#include "directory/sphere.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "directory/location_index.h"

namespace muster::directory {
namespace {

constexpr double kRadius = 6371010.0;  // metres, S2Earth's
constexpr double kPi = 3.14159265358979323846;

double Meters(model::Location a, model::Location b) {
  return DistanceMeters(ToPoint(a), ToPoint(b));
}

// The haversine formula, in long double.
double Haversine(model::Location a, model::Location b) {
  const long double degree = std::acos(-1.0L) / 180;
  const long double dlat = (b.latitude - a.latitude) * degree;
  const long double dlng = (b.longitude - a.longitude) * degree;
  const long double h = std::pow(std::sin(dlat / 2), 2.0L) + std::cos(a.latitude * degree) *
                                                                 std::cos(b.latitude * degree) *
                                                                 std::pow(std::sin(dlng / 2), 2.0L);
  return static_cast<double>(2 * kRadius * std::asin(std::sqrt(std::min(h, 1.0L))));
}

TEST(Sphere, MeasuresKnownDistances) {
  const double degree = kRadius * kPi / 180;
  EXPECT_NEAR(Meters({0, 0}, {0, 1}), degree, 1e-6);
  EXPECT_NEAR(Meters({0, 0}, {1, 0}), degree, 1e-6);
  EXPECT_NEAR(Meters({0, 0}, {0, 180}), kRadius * kPi, 1e-6);
  EXPECT_NEAR(Meters({90, 0}, {-90, 77}), kRadius * kPi, 1e-6);
  // Berlin to Paris, about 878 km.
  EXPECT_NEAR(Meters({52.52, 13.405}, {48.8566, 2.3522}), 877'465, 1000);
}

TEST(Sphere, CrossesTheAntimeridian) {
  const double degree = kRadius * kPi / 180;
  EXPECT_NEAR(Meters({0, 179.5}, {0, -179.5}), degree, 1e-6);
  EXPECT_EQ(Meters({10, 180}, {10, -180}), 0);
}

TEST(Sphere, APoleIsOnePoint) {
  EXPECT_EQ(Meters({90, 0}, {90, 123}), 0);
  EXPECT_EQ(Meters({-90, -180}, {-90, 45}), 0);
  EXPECT_NEAR(Meters({89.5, 0}, {89.5, 180}), kRadius * kPi / 180, 1e-6);
}

TEST(Sphere, AgreesWithHaversine) {
  EXPECT_TRUE(rc::check([] {
    const auto place = [] {
      return model::Location{*rc::gen::inRange(-90'000, 90'001) / 1000.0,
                             *rc::gen::inRange(-180'000, 180'001) / 1000.0};
    };
    const model::Location a = place();
    const model::Location b = place();
    const double expected = Haversine(a, b);
    // Haversine itself loses digits near opposite points.
    RC_ASSERT(std::abs(Meters(a, b) - expected) <= 1e-6 + expected * 1e-8);
  }));
}

TEST(Disc, HoldsItsRimAndItsCentreAlone) {
  const S2Point center = ToPoint({0, 0});
  const S2Point other = ToPoint({0, 1});
  const double distance = DistanceMeters(center, other);
  EXPECT_TRUE(Disc(center, distance).Contains(other));
  EXPECT_FALSE(Disc(center, distance - 1e-6).Contains(other));
  EXPECT_TRUE(Disc(center, 0).Contains(center));
  EXPECT_FALSE(Disc(center, 0).Contains(ToPoint({0, 1e-7})));
}

TEST(Disc, HalfTheGlobeAndMoreHoldsEverything) {
  const Disc globe(ToPoint({12, 34}), kRadius * kPi + 1);
  EXPECT_TRUE(globe.Contains(ToPoint({-12, -146})));
  EXPECT_TRUE(Disc(ToPoint({0, 0}), 1e300).Contains(ToPoint({0, 180})));
  const Disc hemisphere(ToPoint({90, 0}), kRadius * kPi / 2 + 1e-3);
  EXPECT_TRUE(hemisphere.Contains(ToPoint({0, 77})));
  EXPECT_FALSE(hemisphere.Contains(ToPoint({-0.001, 77})));
}

TEST(LocationIndex, CollectsEveryPointOfADisc) {
  EXPECT_TRUE(rc::check([] {
    LocationIndex index;
    std::vector<S2Point> points;
    const auto place = [] {
      return model::Location{*rc::gen::inRange(-900, 901) / 10.0,
                             *rc::gen::inRange(-1800, 1801) / 10.0};
    };
    for (model::AgentSlot slot = 0; slot < 60; ++slot) {
      const model::Location at = place();
      index.Move(slot, {0, 0});
      index.Move(slot, at);
      points.push_back(ToPoint(at));
    }
    index.Remove(7);
    const double radius = std::pow(10.0, *rc::gen::inRange(0, 80) / 10.0) - 1;
    const Disc disc(points[*rc::gen::inRange(0, 60)], radius);
    const auto cover = *rc::gen::arbitrary<bool>() ? disc.Cover() : disc.CoverRoughly();
    std::vector<model::AgentSlot> found;
    RC_ASSERT(index.Collect(cover, 60, &found));
    for (model::AgentSlot slot = 0; slot < 60; ++slot) {
      if (slot == 7 || !disc.Contains(points[slot])) continue;
      RC_ASSERT(std::count(found.begin(), found.end(), slot) == 1);
    }
    RC_ASSERT(std::count(found.begin(), found.end(), 7U) == 0);
    RC_ASSERT(found.empty() || !index.Collect(cover, found.size() - 1, &found));
  }));
}

}  // namespace
}  // namespace muster::directory
