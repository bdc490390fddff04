// Emergencies as the whole scheduler sees them, cases (4) to (6): when they begin, and when they
// end.
#include "schedule/emergency_watch.h"

#include <gtest/gtest.h>

#include "schedule/testing/tasks.h"

namespace muster::schedule {
namespace {

using testing::At;
using testing::Micros;
using testing::Query;
using testing::State;
using testing::TestOptions;
using testing::Update;

class EmergencyTest : public ::testing::Test {
 protected:
  EmergencyTest() {
    Options options = TestOptions("joint", 8);
    options.joint.hysteresis = 1;  // no normal reallocation
    scheduler_ = *NewScheduler(options);
    scheduler_->Tick(At(0));
  }
  double ShareAt(std::int64_t micros) {
    scheduler_->Tick(At(micros));
    scheduler_->FillSnapshot(At(micros), &snapshot_);
    return snapshot_.queue[0].share;
  }
  TaskId SubmitState(AgentKey agent, StateUpdate state, std::int64_t micros) {
    return scheduler_->SubmitUpdate(Update(agent, At(micros), {&state, 1}), At(micros)).task;
  }
  TaskId RunQuery(std::int64_t micros) {
    const TaskId query =
        scheduler_->SubmitQuery(Query(At(micros), Micros(100'000)), At(micros)).task;
    scheduler_->Take(7, At(micros), &batch_);
    EXPECT_EQ(batch_.tasks.at(0), query);
    return query;
  }

  std::unique_ptr<Scheduler> scheduler_;
  Batch batch_;
  Snapshot snapshot_;
};

TEST_F(EmergencyTest, ACriticalStateBeginsAtTwiceItsBoundAndEndsWhenItsUpdateRuns) {
  StateUpdate state = State(0, At(100), At(-1000), Micros(1000));
  state.critical = true;
  const TaskId update = SubmitState(1, state, 100);
  EXPECT_EQ(scheduler_->NextEventAt(), At(1000));  // U + 2 d, before the next scoring
  EXPECT_EQ(ShareAt(999), 0.5);
  EXPECT_EQ(ShareAt(1000), 0.75);
  scheduler_->Take(0, At(1001), &batch_);
  ASSERT_EQ(batch_.tasks.at(0), update);
  EXPECT_EQ(ShareAt(30'000), 0.5);
}

TEST_F(EmergencyTest, ACriticalStateWhoseUpdateGainsNothingIsNone) {
  StateUpdate state = State(0, At(-950), At(-1000), Micros(1000));  // gains 50 us, takes 100
  state.critical = true;
  SubmitState(1, state, 100);
  EXPECT_EQ(ShareAt(2000), 0.5);
}

TEST_F(EmergencyTest, AStateThatIsNotFlaggedIsNone) {
  SubmitState(1, State(0, At(100), At(-1000), Micros(1000)), 100);
  EXPECT_EQ(ShareAt(30'000), 0.5);
}

TEST_F(EmergencyTest, ItEndsWhenTheStateIsFoundInstalledMeanwhile) {
  StateUpdate state = State(0, At(100), At(-20'000), Micros(20'000));
  state.critical = true;
  SubmitState(1, state, 100);
  EXPECT_EQ(ShareAt(20'000), 0.75);
  state.generated_at = At(20'900);
  state.installed_at = At(20'500);
  SubmitState(1, state, 21'000);
  EXPECT_EQ(ShareAt(46'000), 0.5);
  EXPECT_EQ(ShareAt(60'499), 0.5);
  EXPECT_EQ(ShareAt(60'500), 0.75);
}

TEST_F(EmergencyTest, AHardQueryBeginsAtTwoEstimatesOfSlackAndEndsWhenItIsMissed) {
  QueryTask query = Query(At(0), Micros(10'000));
  query.hard = true;
  scheduler_->SubmitQuery(query, At(0));
  EXPECT_EQ(scheduler_->NextEventAt(), At(9700));  // a + l - 3 s
  EXPECT_EQ(ShareAt(9699), 0.5);
  EXPECT_EQ(ShareAt(9700), 0.25);
  EXPECT_EQ(ShareAt(30'000), 0.5);
}

TEST_F(EmergencyTest, TwoQueriesOnOneStaleStateAreOne) {
  SubmitState(1, State(0, At(3000), At(0), Micros(1000)), 3000);
  const StateRef wanted[] = {{1, 0}};
  ASSERT_TRUE(scheduler_->Park(RunQuery(3000), wanted, At(3000)));
  EXPECT_EQ(ShareAt(3001), 0.5);
  const TaskId second = RunQuery(3002);
  ASSERT_TRUE(scheduler_->Park(second, wanted, At(3003)));
  EXPECT_EQ(ShareAt(3004), 0.75);
  EXPECT_TRUE(scheduler_->Cancel(second, At(3005)));
  EXPECT_EQ(ShareAt(30'000), 0.5);
}

}  // namespace
}  // namespace muster::schedule
