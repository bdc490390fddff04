#include "schedule/high_values.h"

#include <gtest/gtest.h>

#include <random>

#include "schedule/score.h"
#include "schedule/testing/reference_scheduler.h"
#include "schedule/testing/tasks.h"

namespace muster::schedule {
namespace {

using testing::ReferenceScheduler;

// Long queues, where k is more than 1: each look must equal the values taken from scratch.
class HighValuesTest : public ::testing::Test {
 protected:
  std::uint64_t Below(std::uint64_t n) { return random_() % n; }

  void EnterOne() {
    const std::uint32_t slot = tasks_.Allocate();
    Task& task = tasks_.at(slot);
    task.phase = TaskPhase::kWaiting;
    task.arrived_at = now_ - base::Duration(Below(1'000'000));
    task.deadline = base::Duration(Below(3) == 0 ? 0 : 1000 * (1 + Below(8)));
    task.estimate = base::Duration(Below(1000));
    for (std::uint64_t k = Below(4); k > 0; --k) {
      const auto installed_at = now_ - base::Duration(Below(5'000'000));
      tasks_.AddState(
          &task,
          testing::State(static_cast<StateKey>(k), installed_at + base::Duration(Below(100'000)),
                         installed_at, base::Duration(100'000 * (1 + Below(6)))));
    }
    values_.Enter(slot);
    entered_.push_back(slot);
  }
  void LeaveOne() {
    if (entered_.empty()) return;
    const std::size_t at = Below(entered_.size());
    values_.Leave(entered_[at]);
    tasks_.Free(entered_[at]);
    entered_.erase(entered_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  void ExpectAsFromScratch() {
    std::vector<double> pressures, ages, benefits;
    for (const std::uint32_t slot : entered_) {
      const Task& task = tasks_.at(slot);
      pressures.push_back(DeadlinePressure(now_ - task.arrived_at, task.deadline));
      for (const StateUpdate& state : task.states()) {
        ages.push_back(Age(now_, state.installed_at, state.max_age));
        benefits.push_back(Benefit(state, task.estimate));
      }
    }
    const HighValues::Values values = values_.At(now_);
    EXPECT_NEAR(values.deadline_pressure, ReferenceScheduler::HighValue(pressures), 1e-9);
    EXPECT_NEAR(values.age, ReferenceScheduler::HighValue(ages), 1e-9);
    EXPECT_NEAR(values.benefit, ReferenceScheduler::HighValue(benefits), 1e-9);
  }

  std::mt19937_64 random_{11};
  base::MonoTime now_ = testing::At(10'000'000);
  TaskTable tasks_;
  HighValues values_{&tasks_};
  std::vector<std::uint32_t> entered_;
};

TEST_F(HighValuesTest, EachLookEqualsTheValuesTakenFromScratch) {
  for (int round = 0; round < 60; ++round) {
    const std::uint64_t comes = round % 10 == 9 ? 0 : Below(200);
    const std::uint64_t goes = round % 10 == 9 ? entered_.size() : Below(150);
    for (std::uint64_t i = 0; i < comes; ++i) EnterOne();
    for (std::uint64_t i = 0; i < goes; ++i) LeaveOne();
    now_ += base::Duration(Below(1'000'000));
    ExpectAsFromScratch();
  }
}

TEST(TopCount, IsATwentiethBetweenOneAndSixteen) {
  EXPECT_EQ(TopCount(0), 0u);
  EXPECT_EQ(TopCount(1), 1u);
  EXPECT_EQ(TopCount(20), 1u);
  EXPECT_EQ(TopCount(21), 2u);
  EXPECT_EQ(TopCount(320), 16u);
  EXPECT_EQ(TopCount(1'000'000), 16u);
}

}  // namespace
}  // namespace muster::schedule
