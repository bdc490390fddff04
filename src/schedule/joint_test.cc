// The joint policy's rules, each alone: division, hysteresis, holding, loans, tokens.
#include "schedule/joint.h"

#include <gtest/gtest.h>

#include "schedule/testing/tasks.h"

namespace muster::schedule {
namespace {

using testing::At;
using testing::Micros;
using testing::TestOptions;

// P_X = rho_X alone, as the undamped cycle of the draft needs it.
double ShareByLoadAlone(double x_updates, double x_queries, double workers, double share) {
  const double load_u = Load(x_updates, 1, workers * share);
  const double load_q = Load(x_queries, 1, workers * (1 - share));
  return TargetShare(load_u, load_q, share);
}

std::vector<int> WorkersByLoadAlone(double damping, int steps) {
  std::vector<int> sequence;
  double share = 0.3;  // 3 of 10
  for (int i = 0; i < steps; ++i) {
    const double next = DampedShare(share, ShareByLoadAlone(2, 2, 10, share), damping);
    sequence.push_back(static_cast<int>(std::floor(10 * next + 0.5)));
    share = sequence.back() / 10.0;
  }
  return sequence;
}

TEST(JointShare, UndampedItCyclesForEverAndDampedItSettles) {
  EXPECT_EQ(WorkersByLoadAlone(1, 6), (std::vector<int>{7, 3, 7, 3, 7, 3}));
  EXPECT_EQ(WorkersByLoadAlone(0.5, 6), (std::vector<int>{5, 5, 5, 5, 5, 5}));
}

TEST(JointShare, TheFixedPointByLoadAloneIsTheSquareRootSplit) {
  EXPECT_NEAR(10 * ShareByLoadAlone(4, 1, 10, 2.0 / 3), 6.666666667, 1e-8);
}

class JointTest : public ::testing::Test {
 protected:
  JointTest() { options_ = TestOptions("joint", 8); }

  // Only rho counts, so that a test sets the target by it: P_U : P_Q = u : q.
  void CountLoadAlone() {
    options_.joint.update_weights = {0, 0, 0, 0, 0, 1, 0};
    options_.joint.query_weights = {0, 0, 0, 0, 1};
  }
  static QueueMeasures Loaded(double normalised) {
    QueueMeasures measures;
    measures.load = normalised / (1 - normalised);
    return measures;
  }
  double Share(const Joint& joint) { return joint.update_share(queues_); }
  Snapshot Shown(const Joint& joint) {
    Snapshot snapshot;
    joint.AddToSnapshot(&snapshot);
    return snapshot;
  }

  Options options_;
  TaskTable tasks_;
  TaskQueues queues_{TaskQueue(&tasks_), TaskQueue(&tasks_)};
  const Emergencies calm_;
  const QueueMeasures idle_;
};

TEST_F(JointTest, GoesHalfTheWayToItsTarget) {
  CountLoadAlone();
  Joint joint(options_);
  joint.Score(At(0), Loaded(0.4), Loaded(0.1), calm_);
  EXPECT_NEAR(Shown(joint).queue[0].share_target, 0.8, 1e-12);
  EXPECT_NEAR(Share(joint), 0.65, 1e-12);
  EXPECT_EQ(Shown(joint).reallocations, 1u);
}

TEST_F(JointTest, SmallChangesAreNotMade) {
  CountLoadAlone();
  Joint joint(options_);
  joint.Score(At(0), Loaded(0.34), Loaded(0.16), calm_);  // half the way is 0.59: within H
  EXPECT_EQ(Share(joint), 0.5);
  options_.joint.hysteresis = 0.05;
  Joint eager(options_);
  eager.Score(At(0), Loaded(0.34), Loaded(0.16), calm_);
  EXPECT_NEAR(Share(eager), 0.59, 1e-12);
}

TEST_F(JointTest, HoldsADivisionForItsTime) {
  CountLoadAlone();
  Joint joint(options_);
  joint.Score(At(0), Loaded(0.4), Loaded(0.1), calm_);
  joint.Score(At(49'999), Loaded(0.1), Loaded(0.4), calm_);
  EXPECT_NEAR(Share(joint), 0.65, 1e-12);
  joint.Score(At(50'000), Loaded(0.1), Loaded(0.4), calm_);
  EXPECT_NEAR(Share(joint), 0.425, 1e-12);
}

TEST_F(JointTest, HoldsADivisionForSoManyTasksAndSoMuchWork) {
  CountLoadAlone();
  options_.joint.holding_tasks = 2;
  options_.joint.holding_work = Micros(300);
  Joint joint(options_);
  joint.Score(At(0), Loaded(0.4), Loaded(0.1), calm_);
  joint.Finished(Micros(250));
  joint.Score(At(100'000), Loaded(0.1), Loaded(0.4), calm_);
  EXPECT_NEAR(Share(joint), 0.65, 1e-12);  // one task only
  joint.Finished(Micros(49));
  joint.Score(At(200'000), Loaded(0.1), Loaded(0.4), calm_);
  EXPECT_NEAR(Share(joint), 0.65, 1e-12);  // 299 us only
  joint.Finished(Micros(1));
  joint.Score(At(300'000), Loaded(0.1), Loaded(0.4), calm_);
  EXPECT_NEAR(Share(joint), 0.425, 1e-12);
}

TEST_F(JointTest, NeitherQueueEverLosesItsMinimum) {
  CountLoadAlone();
  Joint joint(options_);
  for (int i = 0; i < 20; ++i) joint.Score(At(i * 50'000), Loaded(0.9), idle_, calm_);
  EXPECT_NEAR(Share(joint), 0.9, 0.1 + 1e-12);
  EXPECT_LE(Share(joint), 0.9);
  joint.Score(At(2'000'000), Loaded(0.9), idle_, {.critical_state = true});
  EXPECT_LE(Share(joint), 0.9);
}

TEST_F(JointTest, KeepsItsShareWhereNothingIsUrgent) {
  Joint joint(options_);
  joint.Score(At(0), idle_, idle_, calm_);
  EXPECT_EQ(Share(joint), 0.5);
}

TEST_F(JointTest, LendsWhileAnEmergencyLastsAndLeavesTheHoldingTimeAlone) {
  CountLoadAlone();
  Joint joint(options_);
  joint.Score(At(0), Loaded(0.3), Loaded(0.3), calm_);
  joint.Score(At(1), Loaded(0.3), Loaded(0.3), {.critical_state = true});
  EXPECT_EQ(Share(joint), 0.75);
  EXPECT_EQ(Shown(joint).recent.back().reason, "loan: a critical state is far too old");
  joint.Score(At(2), Loaded(0.3), Loaded(0.3), calm_);
  EXPECT_EQ(Share(joint), 0.5);
  // A normal reallocation is not blocked by the loan's having begun just now.
  joint.Score(At(3), Loaded(0.4), Loaded(0.1), calm_);
  EXPECT_NEAR(Share(joint), 0.65, 1e-12);
}

TEST_F(JointTest, LendsToQueriesForAHardOne) {
  Joint joint(options_);
  joint.Score(At(0), idle_, idle_, {.hard_query = true});
  EXPECT_EQ(Share(joint), 0.25);
}

TEST_F(JointTest, NobodyLendsWhileBothSidesHaveAnEmergency) {
  Joint joint(options_);
  joint.Score(At(0), idle_, idle_, {.critical_state = true});
  EXPECT_EQ(Share(joint), 0.75);
  joint.Score(At(1), idle_, idle_, {.critical_state = true, .hard_query = true});
  EXPECT_EQ(Share(joint), 0.5);
}

TEST_F(JointTest, RationsLoans) {
  Joint joint(options_);
  const auto blink = [&](std::int64_t micros) {
    joint.Score(At(micros), idle_, idle_, {.dependency = true});
    const double share = Share(joint);
    joint.Score(At(micros), idle_, idle_, calm_);
    return share;
  };
  EXPECT_EQ(blink(0), 0.75);
  EXPECT_EQ(blink(1), 0.75);
  EXPECT_EQ(blink(2), 0.5);  // both tokens are spent
  EXPECT_EQ(blink(12'498), 0.5);
  EXPECT_EQ(blink(12'502), 0.75);  // one more after T_min/4
  EXPECT_EQ(blink(12'503), 0.5);
}

TEST_F(JointTest, FastGrowthTakesThreePeriodsInARow) {
  CountLoadAlone();
  options_.joint.hysteresis = 1;  // no normal reallocation
  QueueMeasures growing;
  growing.load = 1.1;
  growing.work = std::chrono::seconds(9);  // above K theta_U = 8 s
  Joint joint(options_);
  joint.Score(At(0), growing, idle_, calm_);
  joint.Score(At(25'000), growing, idle_, calm_);
  joint.Score(At(50'000), idle_, idle_, calm_);
  joint.Score(At(75'000), growing, idle_, calm_);
  joint.Score(At(100'000), growing, idle_, calm_);
  EXPECT_EQ(Share(joint), 0.5);
  joint.Score(At(100'001), growing, idle_, calm_);  // not a period of its own
  EXPECT_EQ(Share(joint), 0.5);
  joint.Score(At(125'000), growing, idle_, calm_);
  EXPECT_EQ(Share(joint), 0.75);
  growing.work = std::chrono::seconds(8);
  joint.Score(At(150'000), growing, idle_, calm_);
  EXPECT_EQ(Share(joint), 0.5);
}

}  // namespace
}  // namespace muster::schedule
