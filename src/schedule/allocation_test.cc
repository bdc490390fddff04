// Once warm, no call allocates: this program counts.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "schedule/testing/tasks.h"

namespace {
std::atomic<std::uint64_t> allocations{0};
}  // namespace

// Not inlined: a compiler that sees both halves takes malloc and delete for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace muster::schedule {
namespace {

using testing::At;
using testing::Micros;
using testing::Query;
using testing::State;
using testing::TestOptions;
using testing::Update;

// A few hundred calls of every kind; the same at every round, but for the time.
void PlayRound(Scheduler* scheduler, std::int64_t round, Batch* batch) {
  const std::int64_t start = round * 100'000;
  StateUpdate states[2];
  for (int i = 0; i < 200; ++i) {
    const base::MonoTime now = At(start + i * 10);
    states[0] = State(0, now, now - Micros(5000), Micros(1000));
    states[1] =
        State(static_cast<StateKey>(1 + i % 3), now, now - Micros(500), Micros(250 << i % 5));
    UpdateTask update = Update(static_cast<AgentKey>(i % 50), now, states);
    update.deadline = Micros(i % 4 * 700);
    scheduler->SubmitUpdate(update, now);
    const Admission query = scheduler->SubmitQuery(Query(now, Micros(500 << i % 6)), now);
    if (i % 16 == 0) scheduler->Cancel(query.task, now);
    if (i % 3 != 0) continue;
    scheduler->Take(0, now, batch);
    const StateRef refs[] = {{static_cast<AgentKey>(i % 50), 0}};
    for (const TaskId id : batch->tasks) {
      if (batch->kind == QueueKind::kQuery && scheduler->Park(id, refs, now)) continue;
      scheduler->Finish(id, Micros(20), now);
    }
    scheduler->Tick(now);
  }
  for (std::int64_t i = 0; i < 1000; ++i) {
    const base::MonoTime now = At(start + 5000 + i * 60);
    scheduler->Take(0, now, batch);
    for (const TaskId id : batch->tasks) scheduler->Finish(id, Micros(20), now);
  }
}

TEST(Allocation, NoCallAllocatesOnceWarm) {
  for (const std::string& policy : PolicyNames()) {
    Options options = TestOptions(policy);
    options.batch_tasks_max = 4;
    auto scheduler = *NewScheduler(options);
    Batch batch;
    for (std::int64_t round = 1; round <= 20; ++round) PlayRound(scheduler.get(), round, &batch);
    const std::uint64_t before = allocations.load();
    for (std::int64_t round = 21; round <= 40; ++round) PlayRound(scheduler.get(), round, &batch);
    EXPECT_EQ(allocations.load() - before, 0u) << policy;
    EXPECT_FALSE(scheduler->HasWork());
  }
}

}  // namespace
}  // namespace muster::schedule
