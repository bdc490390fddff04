// One task through the scheduler: submit + take + finish, with so many others pending.
#include <benchmark/benchmark.h>

#include <map>
#include <memory>

#include "schedule/testing/tasks.h"

namespace muster::schedule {
namespace {

using testing::Micros;

// The states of a report: eight kinds with bounds of their own, two in each report.
struct Workload {
  base::MonoTime now = base::MonoFromNanos(1'000'000'000'000);
  AgentKey next_agent = 0;
  std::uint64_t calls = 0;

  void SubmitUpdate(Scheduler* scheduler) {
    static constexpr std::int64_t kMaxAgeMs[] = {1000,   2000,   5000, 10'000,
                                                 30'000, 60'000, 500,  250};
    const std::uint64_t k = calls++;
    const StateKey first = static_cast<StateKey>(k % 8);
    const StateKey second = static_cast<StateKey>((k + 3) % 8);
    const auto jitter = std::chrono::microseconds(k * 7919 % 1'000'000);
    const StateUpdate states[2] = {testing::State(first, now, now - jitter - Micros(1),
                                                  std::chrono::milliseconds(kMaxAgeMs[first])),
                                   testing::State(second, now, now - jitter - Micros(1),
                                                  std::chrono::milliseconds(kMaxAgeMs[second]))};
    scheduler->SubmitUpdate(testing::Update(next_agent++, now, states), now);
  }
  void SubmitQuery(Scheduler* scheduler) {
    const std::uint64_t k = calls++;
    scheduler->SubmitQuery(
        testing::Query(now, std::chrono::hours(10) + std::chrono::seconds(k % 8)), now);
  }
};

// Pending tasks of both kinds are made once per policy and number, and kept.
struct Loaded {
  std::unique_ptr<Scheduler> scheduler;
  Workload workload;
};

Loaded& LoadedWith(const std::string& policy, std::int64_t pending) {
  static std::map<std::pair<std::string, std::int64_t>, Loaded> all;
  Loaded& loaded = all[{policy, pending}];
  if (loaded.scheduler != nullptr) return loaded;
  all.clear();
  Loaded& fresh = all[{policy, pending}];
  Options options = testing::TestOptions(policy);
  options.updates.tasks_max = options.queries.tasks_max = 4'000'000;
  options.updates.work_max = options.queries.work_max = std::chrono::hours(10);
  fresh.scheduler = *NewScheduler(options);
  for (std::int64_t i = 0; i < pending / 2; ++i) {
    fresh.workload.now += Micros(3);
    fresh.workload.SubmitUpdate(fresh.scheduler.get());
    fresh.workload.SubmitQuery(fresh.scheduler.get());
  }
  return fresh;
}

void SubmitTakeFinish(benchmark::State& state, const std::string& policy) {
  Loaded& loaded = LoadedWith(policy, state.range(0));
  Scheduler& scheduler = *loaded.scheduler;
  Batch batch;
  std::uint64_t sum = 0;
  bool is_update = false;
  for (auto _ : state) {
    loaded.workload.now += Micros(2);
    // What was taken last is replaced, so that the numbers pending stay.
    if (is_update) {
      loaded.workload.SubmitUpdate(&scheduler);
    } else {
      loaded.workload.SubmitQuery(&scheduler);
    }
    scheduler.Take(0, loaded.workload.now, &batch);
    for (const TaskId id : batch.tasks) {
      scheduler.Finish(id, Micros(2), loaded.workload.now);
      sum = sum * 31 + id.slot;
    }
    is_update = batch.kind == QueueKind::kUpdate;
  }
  state.counters["hash"] = static_cast<double>(sum % 1'000'000'007);
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const std::string& policy : PolicyNames()) {
    benchmark::RegisterBenchmark(("SubmitTakeFinish/" + policy).c_str(), SubmitTakeFinish, policy)
        ->Arg(10)
        ->Arg(1000)
        ->Arg(100'000)
        ->Arg(1'000'000);
  }
  return true;
}();

}  // namespace
}  // namespace muster::schedule
