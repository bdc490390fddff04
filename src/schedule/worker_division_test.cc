#include "schedule/worker_division.h"

#include <gtest/gtest.h>

#include <queue>
#include <random>

#include "schedule/testing/tasks.h"

namespace muster::schedule {
namespace {

using testing::At;
using testing::Micros;
using testing::Query;
using testing::TestOptions;
using testing::Update;

TEST(WorkerDivision, DedicatesWholeWorkersAndLetsTheRestSwing) {
  WorkerDivision division;
  division.Divide(8, 0.3);  // 2.4 and 5.6
  EXPECT_EQ(division.dedicated_to_updates(), 2u);
  EXPECT_EQ(division.dedicated_to_queries(), 5u);
  EXPECT_NEAR(division.swinging_update_share(), 0.4, 1e-12);
  EXPECT_EQ(division.RoleOf(1), WorkerDivision::Role::kUpdates);
  EXPECT_EQ(division.RoleOf(2), WorkerDivision::Role::kSwings);
  EXPECT_EQ(division.RoleOf(3), WorkerDivision::Role::kQueries);
  division.Divide(10, 0.9);  // 9 and 1, although 10 * 0.1 rounds below 1
  EXPECT_EQ(division.dedicated_to_updates(), 9u);
  EXPECT_EQ(division.dedicated_to_queries(), 1u);
  EXPECT_EQ(division.swinging_update_share(), 0);
}

TEST(WorkerDivision, AQueueThatWasIdleResumesLevel) {
  WorkerDivision division;
  division.Divide(1, 0.5);
  for (int i = 0; i < 1000; ++i) division.Charge(QueueKind::kUpdate, Micros(100));
  division.BecameBusy(QueueKind::kQuery);  // no credit for the time in which it had nothing
  EXPECT_EQ(division.Behind(), QueueKind::kUpdate);
  division.Charge(QueueKind::kUpdate, Micros(100));
  EXPECT_EQ(division.Behind(), QueueKind::kQuery);
}

// K Workers on a virtual clock while both queues always wait; service times vary tenfold. At every
// instant, the time that updates had differs from its share by one task at most.
void ExpectShareHeld(std::uint32_t workers, double share) {
  Options options = TestOptions("fixed_split", workers);
  options.update_share = share;
  auto scheduler = *NewScheduler(options);
  std::mt19937 random(workers);
  std::uniform_int_distribution<int> micros(50, 500);
  AgentKey agent = 0;
  const auto fill = [&](base::MonoTime now) {
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(scheduler->SubmitUpdate(Update(++agent, now, {}), now).outcome,
                Admission::Outcome::kQueued);
      ASSERT_EQ(scheduler->SubmitQuery(Query(now, std::chrono::hours(1)), now).outcome,
                Admission::Outcome::kQueued);
    }
  };
  struct Run {
    base::MonoTime ends_at;
    WorkerIndex worker;
    TaskId task;
    base::Duration used;
    bool operator<(const Run& other) const { return ends_at > other.ends_at; }
  };
  std::priority_queue<Run> runs;
  double for_updates = 0;
  double for_all = 0;
  Batch batch;
  for (std::uint32_t i = 0; i < workers; ++i) fill(At(0));
  const auto start = [&](WorkerIndex worker, base::MonoTime now) {
    fill(now);
    scheduler->Take(worker, now, &batch);
    ASSERT_EQ(batch.tasks.size(), 1u);
    const base::Duration used = Micros(micros(random));
    runs.push({now + used, worker, batch.tasks[0], used});
    for_all += base::ToSeconds(used);
    if (batch.kind == QueueKind::kUpdate) for_updates += base::ToSeconds(used);
  };
  for (WorkerIndex worker = 0; worker < workers; ++worker) start(worker, At(0));
  const double longest = 500e-6;
  for (int i = 0; i < 4000; ++i) {
    const Run run = runs.top();
    runs.pop();
    scheduler->Finish(run.task, run.used, run.ends_at);
    start(run.worker, run.ends_at);
    // The swinging Worker errs by one task; of the others each may have one task under way.
    EXPECT_LE(std::abs(for_updates - share * for_all), longest * (1 + workers))
        << workers << " Workers, step " << i;
  }
  const double elapsed = base::ToSeconds(runs.top().ends_at - At(0));
  EXPECT_NEAR(for_updates / elapsed, share * workers, longest * (2 + workers) / elapsed);
}

TEST(WorkerDivision, HoldsTheShareWithinOneTaskWhileBothQueuesWait) {
  for (const std::uint32_t workers : {1u, 2u, 3u, 8u, 64u}) {
    for (const double share : {0.1, 0.33, 0.5, 0.77}) ExpectShareHeld(workers, share);
  }
}

}  // namespace
}  // namespace muster::schedule
