// Three times more work of both kinds than two Workers can do, for a minute of virtual time.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>

#include "schedule/testing/tasks.h"

namespace muster::schedule {
namespace {

using testing::Micros;
using testing::Query;
using testing::State;
using testing::TestOptions;
using testing::Update;

constexpr AgentKey kAgents = 400;
constexpr auto kService = std::chrono::microseconds(1000);
constexpr auto kGap =
    std::chrono::microseconds(333);  // per queue; capacity is 2 tasks a millisecond

class Overload : public ::testing::TestWithParam<std::string> {
 protected:
  Overload() {
    Options options = TestOptions(GetParam(), 2);
    options.cost_initial = kService;
    options.queries.tasks_max = 300;
    options.updates.tasks_max = 1000;
    scheduler_ = *NewScheduler(options);
    installed_.fill(now_);
    served_at_.fill(now_);
  }

  void SubmitOneOfEach() {
    const AgentKey agent = pick_(random_) % kAgents;
    const StateUpdate state =
        State(0, now_, installed_[agent], Micros(agent % 2 ? 250'000 : 4'000'000));
    UpdateTask update = Update(agent, now_, {&state, 1});
    const Admission admission = scheduler_->SubmitUpdate(update, now_);
    if (admission.outcome == Admission::Outcome::kQueued) agent_of_[admission.task.slot] = agent;
    const auto deadline = Micros(pick_(random_) % 2 ? 100'000 : 400'000);
    const Admission query = scheduler_->SubmitQuery(Query(now_, deadline), now_);
    queries_ += query.outcome != Admission::Outcome::kRefused;
  }

  void RunWorker(WorkerIndex worker) {
    for (const TaskId id : running_[worker]) {
      if (worker_kind_[worker] == QueueKind::kUpdate) {
        const AgentKey agent = agent_of_.at(id.slot);
        installed_[agent] = std::max(installed_[agent], scheduler_->States(id)[0].generated_at);
        longest_gap_ = std::max(longest_gap_, now_ - served_at_[agent]);
        served_at_[agent] = now_;
        ++updates_done_;
      } else {
        ++queries_done_;
      }
      scheduler_->Finish(id, kService, now_);
    }
    scheduler_->Take(worker, now_, &batch_);
    expired_ += batch_.expired.size();
    running_[worker] = batch_.tasks;
    worker_kind_[worker] = batch_.kind;
  }

  std::mt19937 random_{7};
  std::uniform_int_distribution<std::uint32_t> pick_;
  base::MonoTime now_ = testing::At(1'000'000);
  std::unique_ptr<Scheduler> scheduler_;
  Batch batch_;
  std::array<base::MonoTime, kAgents> installed_;
  std::array<base::MonoTime, kAgents> served_at_;
  base::Duration longest_gap_{0};
  std::map<std::uint32_t, AgentKey> agent_of_;
  std::vector<TaskId> running_[2];
  QueueKind worker_kind_[2] = {};
  std::uint64_t queries_ = 0, queries_done_ = 0, updates_done_ = 0, expired_ = 0;
};

TEST_P(Overload, IsBoundedAndLosesNothing) {
  const base::MonoTime end = now_ + std::chrono::seconds(60);
  Snapshot snapshot;
  for (std::int64_t step = 0; now_ < end; ++step, now_ += kGap) {
    SubmitOneOfEach();
    if (step % 3 == 0) RunWorker(0);
    if (step % 3 == 1) RunWorker(1);
    if (step % 1000 != 0) continue;
    scheduler_->FillSnapshot(now_, &snapshot);
    ASSERT_LE(snapshot.queue[0].tasks, kAgents);
    ASSERT_LE(snapshot.queue[1].tasks, 300u);
  }
  scheduler_->FillSnapshot(now_, &snapshot);
  const QueueSnapshot& queries = snapshot.queue[1];
  EXPECT_EQ(queries.submitted, queries_ + queries.refused);
  EXPECT_EQ(queries_, queries_done_ + expired_ + queries.tasks + queries.running);
  EXPECT_EQ(queries.expired, expired_);
  // Two Workers are never idle.
  EXPECT_GE(updates_done_ + queries_done_, 119'000u);
  if (GetParam() == "query_first" || GetParam() == "update_first") return;
  // No starvation: both queues are served, and every agent again and again.
  EXPECT_GE(updates_done_, 11'000u);
  EXPECT_GE(queries_done_, 11'000u);
  EXPECT_LE(longest_gap_, std::chrono::seconds(10));
}

INSTANTIATE_TEST_SUITE_P(EveryPolicy, Overload, ::testing::ValuesIn(PolicyNames()),
                         [](const auto& tested) { return tested.param; });

TEST(Refusal, WhoComesBackWhenToldGetsIn) {
  for (const std::string& policy : PolicyNames()) {
    Options options = TestOptions(policy, 2);
    options.queries.tasks_max = 50;
    auto scheduler = *NewScheduler(options);
    base::MonoTime now = testing::At(0);
    for (AgentKey agent = 0; agent < 80; ++agent) {
      scheduler->SubmitUpdate(Update(agent, now, {}), now);
      scheduler->SubmitQuery(Query(now, Micros(1'000'000)), now);
    }
    const Admission refused = scheduler->SubmitQuery(Query(now, Micros(1'000'000)), now);
    ASSERT_EQ(refused.outcome, Admission::Outcome::kRefused);
    const base::MonoTime back_at = now + refused.retry_after;
    Batch batch;
    // Two Workers, 100 us a task; what they have begun by then has left the queue.
    for (; now <= back_at; now += Micros(100)) {
      for (const WorkerIndex worker : {0u, 1u}) {
        scheduler->Take(worker, now, &batch);
        for (const TaskId id : batch.tasks) scheduler->Finish(id, Micros(100), now + Micros(100));
      }
    }
    EXPECT_EQ(scheduler->SubmitQuery(Query(back_at, Micros(1'000'000)), back_at).outcome,
              Admission::Outcome::kQueued)
        << policy;
  }
}

}  // namespace
}  // namespace muster::schedule
