// Cases worked out by hand.
#include "schedule/queueing_scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/testing/tasks.h"

namespace muster::schedule {
namespace {

using testing::At;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Micros;
using testing::Query;
using testing::State;
using testing::TestOptions;
using testing::Update;
using Outcome = Admission::Outcome;

class QueueingSchedulerTest : public ::testing::Test {
 protected:
  void Make(const Options& options) { scheduler_ = *NewScheduler(options); }
  std::vector<TaskId> Take(WorkerIndex worker, base::MonoTime now) {
    scheduler_->Take(worker, now, &batch_);
    return batch_.tasks;
  }
  TaskId SubmitUpdate(AgentKey agent, base::MonoTime now, std::vector<StateUpdate> states) {
    return scheduler_->SubmitUpdate(Update(agent, now, states), now).task;
  }
  TaskId SubmitQuery(base::MonoTime now, base::Duration deadline) {
    return scheduler_->SubmitQuery(Query(now, deadline), now).task;
  }
  QueueSnapshot Queue(QueueKind kind, base::MonoTime now) {
    Snapshot snapshot;
    scheduler_->FillSnapshot(now, &snapshot);
    return snapshot.queue[static_cast<int>(kind)];
  }

  std::unique_ptr<Scheduler> scheduler_;
  Batch batch_;
};

TEST_F(QueueingSchedulerTest, FcfsServesBothQueuesInOneOrderOfArrival) {
  Make(TestOptions("fcfs"));
  const TaskId first = SubmitUpdate(1, At(0), {});
  const TaskId second = SubmitQuery(At(1), Micros(10'000));
  const TaskId third = SubmitUpdate(2, At(2), {});
  EXPECT_THAT(Take(0, At(3)), ElementsAre(first));
  EXPECT_EQ(batch_.kind, QueueKind::kUpdate);
  EXPECT_THAT(Take(0, At(3)), ElementsAre(second));
  EXPECT_EQ(batch_.kind, QueueKind::kQuery);
  EXPECT_THAT(Take(0, At(3)), ElementsAre(third));
  EXPECT_THAT(Take(0, At(3)), IsEmpty());
}

TEST_F(QueueingSchedulerTest, AFcfsBatchEndsWhereTheOtherQueuesHeadIsOlder) {
  Options options = TestOptions("fcfs");
  options.batch_tasks_max = 8;
  Make(options);
  const TaskId first = SubmitUpdate(1, At(0), {});
  const TaskId second = SubmitUpdate(2, At(1), {});
  SubmitQuery(At(2), Micros(10'000));
  SubmitUpdate(3, At(3), {});
  EXPECT_THAT(Take(0, At(4)), ElementsAre(first, second));
}

TEST_F(QueueingSchedulerTest, ABatchIsBoundedByItsEstimatedWork) {
  Options options = TestOptions("fixed_split");
  options.batch_tasks_max = 8;
  options.batch_work_max = Micros(250);
  Make(options);
  for (AgentKey agent = 0; agent < 5; ++agent) SubmitUpdate(agent, At(0), {});
  EXPECT_EQ(Take(0, At(1)).size(), 2u);  // 100 us each
}

TEST_F(QueueingSchedulerTest, ANewerReportTakesOverItsStatesAndKeepsThePlaceInTheQueue) {
  Make(TestOptions("fixed_split"));
  const TaskId pending = SubmitUpdate(
      7, At(100),
      {State(0, At(90), At(0), Micros(1000), 11), State(1, At(90), At(0), Micros(1000), 12)});
  SubmitUpdate(8, At(110), {});
  const std::vector<StateUpdate> newer = {State(1, At(150), At(0), Micros(1000), 22),
                                          State(2, At(150), At(0), Micros(1000), 23)};
  const Admission admission = scheduler_->SubmitUpdate(Update(7, At(160), newer), At(160));
  EXPECT_EQ(admission.outcome, Outcome::kMerged);
  EXPECT_EQ(admission.task, pending);
  EXPECT_EQ(admission.superseded, 0u);
  EXPECT_EQ(Queue(QueueKind::kUpdate, At(200)).wait_max, Micros(100));
  ASSERT_THAT(Take(0, At(200)), ElementsAre(pending));
  const auto states = scheduler_->States(pending);
  ASSERT_EQ(states.size(), 3u);
  EXPECT_EQ(states[0].value.low, 11u);
  EXPECT_EQ(states[1].value.low, 22u);
  EXPECT_EQ(states[1].generated_at, At(150));
  EXPECT_EQ(states[2].value.low, 23u);
}

TEST_F(QueueingSchedulerTest, AnOlderOrEqualStateIsSupersededBitByBit) {
  Make(TestOptions("fixed_split"));
  SubmitUpdate(7, At(100), {State(0, At(90), At(0), Micros(1000))});
  const std::vector<StateUpdate> mixed = {State(0, At(90), At(0), Micros(1000)),   // equal
                                          State(1, At(60), At(60), Micros(1000)),  // installed
                                          State(2, At(80), At(0), Micros(1000))};
  const Admission merged = scheduler_->SubmitUpdate(Update(7, At(110), mixed), At(110));
  EXPECT_EQ(merged.outcome, Outcome::kMerged);
  EXPECT_EQ(merged.superseded, 0b011u);

  const std::vector<StateUpdate> old = {State(0, At(80), At(0), Micros(1000))};
  UpdateTask update = Update(7, At(120), old);
  const Admission dropped = scheduler_->SubmitUpdate(update, At(120));
  EXPECT_EQ(dropped.outcome, Outcome::kSuperseded);
  EXPECT_EQ(dropped.superseded, 1u);

  update.must_run = true;  // it carries events
  EXPECT_EQ(scheduler_->SubmitUpdate(update, At(120)).outcome, Outcome::kMerged);
}

TEST_F(QueueingSchedulerTest, ARunningUpdateIsNeverChanged) {
  Make(TestOptions("fixed_split"));
  const TaskId running = SubmitUpdate(7, At(0), {State(0, At(0), At(-50), Micros(1000), 1)});
  ASSERT_THAT(Take(0, At(1)), ElementsAre(running));
  const TaskId pending = SubmitUpdate(7, At(2), {State(0, At(2), At(-50), Micros(1000), 2)});
  EXPECT_FALSE(pending == running);
  EXPECT_EQ(scheduler_->States(running)[0].value.low, 1u);
  scheduler_->Finish(running, Micros(10), At(3));
  ASSERT_THAT(Take(0, At(4)), ElementsAre(pending));
  EXPECT_EQ(scheduler_->States(pending)[0].installed_at, At(0));
}

TEST_F(QueueingSchedulerTest, WhatMayNotMergeKeepsItsOrder) {
  Make(TestOptions("fixed_split"));
  UpdateTask registration = Update(7, At(0), {});
  registration.mergeable = false;
  const TaskId first = scheduler_->SubmitUpdate(registration, At(0)).task;
  const TaskId report = SubmitUpdate(7, At(1), {});
  const TaskId second = scheduler_->SubmitUpdate(registration, At(2)).task;
  EXPECT_THAT(Take(0, At(3)), ElementsAre(first));
  EXPECT_THAT(Take(0, At(3)), ElementsAre(report));
  EXPECT_THAT(Take(0, At(3)), ElementsAre(second));
}

TEST_F(QueueingSchedulerTest, WorkIsTheSumOfEstimatesFrozenAtSubmission) {
  Options options = TestOptions("fixed_split");
  options.cost_weight = 0.5;
  Make(options);
  const TaskId first = SubmitUpdate(1, At(0), {});
  SubmitUpdate(2, At(0), {});
  EXPECT_EQ(Queue(QueueKind::kUpdate, At(0)).work, Micros(200));
  Take(0, At(1));
  EXPECT_EQ(Queue(QueueKind::kUpdate, At(1)).work, Micros(100));
  scheduler_->Finish(first, Micros(300), At(2));  // the mean is now 200 us
  EXPECT_EQ(Queue(QueueKind::kUpdate, At(2)).work, Micros(100));
  SubmitUpdate(3, At(3), {});
  EXPECT_EQ(Queue(QueueKind::kUpdate, At(3)).work, Micros(300));
}

TEST_F(QueueingSchedulerTest, AFullQueueSaysWhenItWillHaveRoom) {
  Options options = TestOptions("fixed_split", 2);
  options.updates.tasks_max = 3;
  Make(options);
  for (AgentKey agent = 0; agent < 3; ++agent) SubmitUpdate(agent, At(0), {});
  const Admission alone = scheduler_->SubmitUpdate(Update(9, At(0), {}), At(0));
  EXPECT_EQ(alone.outcome, Outcome::kRefused);
  // One of three tasks of 100 us must drain, at two Workers' pace: no query waits.
  EXPECT_EQ(alone.retry_after, Micros(50) + base::Duration(1));
  SubmitQuery(At(0), Micros(10'000));
  EXPECT_EQ(scheduler_->SubmitUpdate(Update(9, At(0), {}), At(0)).retry_after,
            Micros(100) + base::Duration(1));
  // A merge adds no task.
  EXPECT_EQ(scheduler_->SubmitUpdate(Update(1, At(0), {}), At(0)).outcome, Outcome::kMerged);
  EXPECT_EQ(Queue(QueueKind::kUpdate, At(0)).refused, 2u);
}

TEST_F(QueueingSchedulerTest, AQueryThatCanNotStartInTimeIsRefusedAtOnce) {
  Make(TestOptions("fixed_split"));
  for (int i = 0; i < 5; ++i) SubmitQuery(At(0), Micros(10'000));
  EXPECT_EQ(scheduler_->SubmitQuery(Query(At(0), Micros(500)), At(0)).outcome, Outcome::kQueued);
  const Admission late = scheduler_->SubmitQuery(Query(At(0), Micros(500)), At(0));
  EXPECT_EQ(late.outcome, Outcome::kRefused);
  EXPECT_EQ(late.retry_after, Micros(100) + base::Duration(1));
}

TEST_F(QueueingSchedulerTest, AnExpiredQueryIsDestroyedWhenItsTurnComes) {
  Make(TestOptions("fixed_split"));
  const TaskId late = SubmitQuery(At(0), Micros(200));
  const TaskId good = SubmitQuery(At(0), Micros(5000));
  EXPECT_THAT(Take(0, At(201)), ElementsAre(good));
  EXPECT_THAT(batch_.expired, ElementsAre(late));
  EXPECT_EQ(Queue(QueueKind::kQuery, At(201)).expired, 1u);
}

TEST_F(QueueingSchedulerTest, NoWorkerIdlesWhenAllQueriesHaveExpired) {
  Make(TestOptions("fixed_split"));
  SubmitQuery(At(0), Micros(200));
  SubmitQuery(At(0), Micros(200));
  const TaskId update = SubmitUpdate(1, At(0), {});
  ASSERT_THAT(Take(0, At(0)), ElementsAre(update));
  scheduler_->Finish(update, Micros(100), At(100));
  const TaskId next = SubmitUpdate(1, At(100), {});
  EXPECT_THAT(Take(0, At(500)), ElementsAre(next));
  EXPECT_EQ(batch_.expired.size(), 2u);
}

TEST_F(QueueingSchedulerTest, AnIdleWorkerTakesOneTaskAtATimeFromTheOtherQueue) {
  Options options = TestOptions("fixed_split", 2);
  options.batch_tasks_max = 8;
  Make(options);
  for (AgentKey agent = 0; agent < 4; ++agent) SubmitUpdate(agent, At(0), {});
  EXPECT_EQ(Take(1, At(1)).size(), 1u);  // Worker 1 is the queries'
  EXPECT_EQ(Take(0, At(1)).size(), 3u);
}

TEST_F(QueueingSchedulerTest, ExtremeBoundsAndDeadlinesOverflowNothing) {
  for (const std::string& policy : PolicyNames()) {
    Make(TestOptions(policy));
    StateUpdate never = State(0, At(0), At(-3'000'000'000'000'000), base::Duration(0));
    never.critical = true;
    StateUpdate forever = State(1, At(0), At(-1), base::Duration::max());
    forever.critical = true;
    const TaskId update = SubmitUpdate(1, At(0), {never, forever});
    QueryTask query = Query(At(0), base::Duration::max());
    query.hard = true;
    const TaskId patient = scheduler_->SubmitQuery(query, At(0)).task;
    query.deadline = base::Duration(1);
    scheduler_->SubmitQuery(query, At(0));
    scheduler_->Tick(At(1'000'000'000));
    std::vector<TaskId> taken;
    for (int i = 0; i < 3; ++i) {
      for (const TaskId id : Take(0, At(1'000'000'000))) taken.push_back(id);
    }
    EXPECT_THAT(taken, ::testing::UnorderedElementsAre(update, patient)) << policy;
  }
}

class ParkingTest : public QueueingSchedulerTest {
 protected:
  // A query is running; updates of agents 1 and 2 would freshen state 0, an old one of agent 3 not.
  void SetUp() override {
    Options options = TestOptions("fixed_split");
    options.update_share = 0.95;
    Make(options);
    query_ = SubmitQuery(At(0), Micros(10'000));
    ASSERT_THAT(Take(0, At(0)), ElementsAre(query_));
    for (AgentKey agent = 4; agent < 8; ++agent) SubmitUpdate(agent, At(0), {});
    first_ = SubmitUpdate(1, At(0), {State(0, At(0), At(-5000), Micros(1000))});
    second_ = SubmitUpdate(2, At(0), {State(0, At(0), At(-5000), Micros(1000))});
    old_ = SubmitUpdate(3, At(0), {State(0, At(-3000), At(-5000), Micros(1000))});
  }

  TaskId query_, first_, second_, old_;
};

TEST_F(ParkingTest, AQueryReturnsWhenAllThatItWaitsForIsInstalled) {
  const std::vector<StateRef> wanted = {{1, 0}, {2, 0}};
  ASSERT_TRUE(scheduler_->Park(query_, wanted, At(10)));
  EXPECT_EQ(Queue(QueueKind::kQuery, At(10)).parked, 1u);
  EXPECT_EQ(Queue(QueueKind::kQuery, At(10)).work, Micros(0));
  EXPECT_EQ(Queue(QueueKind::kQuery, At(10)).wait_max, Micros(10));
  ASSERT_THAT(Take(0, At(20)), ElementsAre(first_));  // hastened: before agents 4..7
  scheduler_->Finish(first_, Micros(10), At(30));
  EXPECT_EQ(Queue(QueueKind::kQuery, At(30)).parked, 1u);
  ASSERT_THAT(Take(0, At(30)), ElementsAre(second_));
  scheduler_->Finish(second_, Micros(10), At(40));
  EXPECT_EQ(Queue(QueueKind::kQuery, At(40)).parked, 0u);
  EXPECT_EQ(Queue(QueueKind::kQuery, At(40)).work, Micros(100));
}

TEST_F(ParkingTest, AQueryReturnsWhenItsSlackIsGone) {
  const std::vector<StateRef> wanted = {{1, 0}};
  ASSERT_TRUE(scheduler_->Park(query_, wanted, At(10)));
  EXPECT_EQ(scheduler_->NextEventAt(), At(10'000 - 100 - 50));  // a + l - s - margin
  scheduler_->Tick(At(9849));
  EXPECT_EQ(Queue(QueueKind::kQuery, At(9849)).parked, 1u);
  scheduler_->Tick(At(9850));
  EXPECT_EQ(Queue(QueueKind::kQuery, At(9850)).parked, 0u);
  // It runs once more, and is never parked again.
  while (Take(0, At(9850)) != std::vector<TaskId>{query_}) {
    for (const TaskId id : batch_.tasks) scheduler_->Finish(id, Micros(1), At(9850));
  }
  EXPECT_FALSE(scheduler_->Park(query_, wanted, At(9850)));
  scheduler_->Finish(query_, Micros(10), At(9860));
}

TEST_F(ParkingTest, AQueryIsNotParkedWhereNoUpdateWouldHelp) {
  const std::vector<StateRef> wanted = {{3, 0}, {1, 5}, {99, 0}};
  EXPECT_FALSE(scheduler_->Park(query_, wanted, At(10)));
  EXPECT_EQ(Queue(QueueKind::kQuery, At(10)).running, 1u);
  // But the old value is better than what is there: it is hastened.
  EXPECT_THAT(Take(0, At(20)), ElementsAre(old_));
}

TEST_F(ParkingTest, ARunningUpdateIsWaitedForToo) {
  while (Take(0, At(5)) != std::vector<TaskId>{first_}) {
  }
  const std::vector<StateRef> wanted = {{1, 0}};
  ASSERT_TRUE(scheduler_->Park(query_, wanted, At(10)));
  scheduler_->Finish(first_, Micros(10), At(20));
  EXPECT_EQ(Queue(QueueKind::kQuery, At(20)).tasks, 1u);
}

TEST_F(ParkingTest, ACancelledQueryIsForgottenByWhatItWaitedFor) {
  const std::vector<StateRef> wanted = {{1, 0}, {2, 0}};
  ASSERT_TRUE(scheduler_->Park(query_, wanted, At(10)));
  EXPECT_TRUE(scheduler_->Cancel(query_, At(20)));
  EXPECT_FALSE(scheduler_->Cancel(query_, At(20)));
  EXPECT_EQ(scheduler_->NextEventAt(), base::MonoTime::max());
  ASSERT_THAT(Take(0, At(30)), ElementsAre(first_));
  scheduler_->Finish(first_, Micros(10), At(40));
  EXPECT_EQ(Queue(QueueKind::kQuery, At(40)).tasks, 0u);
}

TEST_F(ParkingTest, AChangeOfPolicyLosesNoTask) {
  const std::vector<StateRef> wanted = {{2, 0}};
  ASSERT_TRUE(scheduler_->Park(query_, wanted, At(10)));
  Options options = scheduler_->options();
  options.policy = "fcfs";
  ASSERT_TRUE(scheduler_->Reconfigure(options, At(20)).ok());
  EXPECT_EQ(Queue(QueueKind::kUpdate, At(20)).tasks, 7u);
  EXPECT_EQ(Queue(QueueKind::kQuery, At(20)).parked, 1u);
  ASSERT_THAT(Take(0, At(30)), ElementsAre(second_));  // inherits the query's place
  scheduler_->Finish(second_, Micros(10), At(40));
  EXPECT_EQ(Queue(QueueKind::kQuery, At(40)).tasks, 1u);
}

TEST(Options, AreCheckedWholeBeforeAnyIsTaken) {
  auto scheduler = *NewScheduler(TestOptions("fcfs"));
  Options options = scheduler->options();
  options.update_share = 0.3;
  options.policy = "lifo";
  const auto status = scheduler->Reconfigure(options, At(0));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("policy must be one of fcfs"));
  EXPECT_EQ(scheduler->options().update_share, 0.5);
  options.policy = "fcfs";
  options.workers = 2;
  EXPECT_FALSE(scheduler->Reconfigure(options, At(0)).ok());
}

}  // namespace
}  // namespace muster::schedule
