#include "schedule/offered_load.h"

#include <gtest/gtest.h>

#include "schedule/testing/tasks.h"

namespace muster::schedule {
namespace {

using testing::At;
using testing::Micros;

TEST(OfferedLoad, TendsToTheRateAndTheMeanService) {
  OfferedLoad load;
  for (std::int64_t i = 0; i < 10'000; ++i) {  // ten seconds, a task a millisecond
    load.Arrived(At(i * 1000));
    load.Served(Micros(i % 2 == 0 ? 200 : 400), At(i * 1000));
  }
  EXPECT_NEAR(load.arrival_rate(At(10'000'000)), 1000, 20);
  EXPECT_NEAR(load.mean_service(At(10'000'000)), 300e-6, 1e-6);
}

TEST(OfferedLoad, FallsByEInEachWindowAndKeepsTheMeanService) {
  OfferedLoad load;
  for (int i = 0; i < 100; ++i) {
    load.Arrived(At(0));
    load.Served(Micros(50), At(0));
  }
  EXPECT_NEAR(load.arrival_rate(At(0)), 100, 1e-9);
  EXPECT_NEAR(load.arrival_rate(At(1'000'000)), 100 / std::exp(1), 1);
  EXPECT_NEAR(load.mean_service(At(1'000'000)), 50e-6, 1e-12);
}

TEST(OfferedLoad, IsNothingBeforeAnythingHappened) {
  const OfferedLoad load;
  EXPECT_EQ(load.arrival_rate(At(5)), 0);
  EXPECT_EQ(load.mean_service(At(5)), 0);
}

}  // namespace
}  // namespace muster::schedule
