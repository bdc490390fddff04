// What a discovery costs inside the directory, beside the ceiling: the bitmap and the column alone.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/strings.h"
#include "directory/column.h"
#include "directory/directory.h"
#include "directory/fingerprint.h"
#include "roaring/roaring.hh"

namespace muster::directory {
namespace {

constexpr int kSkills = 100;

std::string SkillName(int skill) { return base::StrCat("skill-", skill); }

// Agents with two of 100 skills, one of 5 regions, a load, an availability and a place.
class Fleet {
 public:
  explicit Fleet(int agents) : directory_(model::Limits()) {
    std::mt19937_64 random(1);
    const StateIndex load = *directory_.catalog().Find("load");
    const StateIndex availability = *directory_.catalog().Find("availability");
    const StateIndex location = *directory_.catalog().Find("location");
    const PackedValue ready = *directory_.Intern("ready");
    const PackedValue busy = *directory_.Intern("busy");
    for (int i = 0; i < agents; ++i) {
      const AgentSlot slot = Register(i, static_cast<int>(random() % kSkills));
      const auto fraction = [&] { return static_cast<double>(random() % 100'000) / 100'000; };
      directory_.Install(slot, load, Pack(fraction()), base::WallTime{});
      directory_.Install(slot, availability, random() % 4 == 0 ? busy : ready, base::WallTime{});
      const model::Location place{fraction() * 180 - 90, fraction() * 360 - 180};
      directory_.Install(slot, location, Pack(place), base::WallTime{});
      for (const char* state : {"latency", "cost", "capacity", "queue_depth", "success_rate"}) {
        directory_.Install(slot, *directory_.catalog().Find(state), Pack(fraction()),
                           base::WallTime{});
      }
    }
  }

  Directory& directory() { return directory_; }

  static Fleet& Of(std::int64_t agents) {
    static std::unique_ptr<Fleet> small, large;
    std::unique_ptr<Fleet>& fleet = agents <= 10'000 ? small : large;
    if (!fleet) fleet = std::make_unique<Fleet>(static_cast<int>(agents));
    return *fleet;
  }

 private:
  AgentSlot Register(int number, int skill) {
    model::Agent agent;
    agent.slot = *directory_.ReserveSlot();
    agent.registration.id = base::StrCat("agent-", absl::Dec(number, absl::kZeroPad8));
    agent.registration.card.name = base::StrCat("Agent number ", number);
    agent.registration.card.provider = "Acme";
    agent.registration.card.skills = {SkillName(skill), SkillName((skill + 7) % kSkills)};
    agent.registration.card.tags = {number % 3 == 0 ? "nlp" : "vision"};
    agent.registration.labels = {{"region", base::StrCat("region-", number % 5)}};
    agent.registration.lease = std::chrono::hours(1);
    const AgentSlot slot = agent.slot;
    directory_.Put(std::move(agent), base::WallTime{}, base::MonoTime{});
    return slot;
  }

  Directory directory_;
};

constexpr ReadTime kAt{base::WallTime(std::chrono::seconds(1)),
                       base::MonoTime(std::chrono::seconds(1))};

model::Query Selective() {
  model::Query query;
  query.filter =
      "skill = \"skill-7\" AND labels.region = \"region-2\" AND load < 0.7 AND "
      "availability = \"ready\"";
  query.order_by = "load";
  query.limit = 10;
  return query;
}

void RunQuery(benchmark::State& state, const model::Query& query) {
  const Directory& directory = Fleet::Of(state.range(0)).directory();
  const auto plan = directory.Compile(query);
  MUSTER_CHECK(plan.ok(), "benchmarked queries compile");
  QueryResult result;
  for (auto _ : state) {
    directory.Execute(*plan, kAt, &result);
    benchmark::DoNotOptimize(result.rows.data());
  }
  state.counters["rows"] = static_cast<double>(result.rows.size());
  Fingerprint rows;  // the same on every machine: what was measured was the same answer
  for (const ResultRow& row : result.rows) rows.Add(std::uint64_t{row.slot});
  state.counters["rows_hash"] = static_cast<double>(rows.value() >> 32U);
  state.counters["candidates"] = static_cast<double>(result.candidates);
  state.SetItemsProcessed(state.iterations());
}

void BM_Compile(benchmark::State& state) {
  const Directory& directory = Fleet::Of(10'000).directory();
  const model::Query query = Selective();
  for (auto _ : state) benchmark::DoNotOptimize(directory.Compile(query));
}
BENCHMARK(BM_Compile);

void BM_Selective(benchmark::State& state) { RunQuery(state, Selective()); }
BENCHMARK(BM_Selective)->Arg(10'000)->Arg(100'000);

void BM_OneSkillInOrder(benchmark::State& state) {
  model::Query query;
  query.filter = "skill = \"skill-7\" AND load < 0.7";
  query.order_by = "load, latency desc";
  RunQuery(state, query);
}
BENCHMARK(BM_OneSkillInOrder)->Arg(10'000)->Arg(100'000);

void BM_BroadById(benchmark::State& state) {
  model::Query query;
  query.filter = "load < 0.7 AND availability = ready";
  RunQuery(state, query);
}
BENCHMARK(BM_BroadById)->Arg(10'000)->Arg(100'000);

void BM_BroadTopK(benchmark::State& state) {
  model::Query query;
  query.filter = "load < 0.7 AND availability = ready";
  query.order_by = "latency";
  RunQuery(state, query);
}
BENCHMARK(BM_BroadTopK)->Arg(10'000)->Arg(100'000);

void BM_BroadRank(benchmark::State& state) {
  model::Query query;
  query.rank = {{"load", -1}, {"success_rate", 2}};
  RunQuery(state, query);
}
BENCHMARK(BM_BroadRank)->Arg(10'000)->Arg(100'000);

void BM_MixedTree(benchmark::State& state) {
  model::Query query;
  query.filter = "(skill = \"skill-7\" OR load < 0.1) AND NOT (cost > 0.5 AND tag:nlp)";
  query.order_by = "load";
  RunQuery(state, query);
}
BENCHMARK(BM_MixedTree)->Arg(10'000)->Arg(100'000);

void BM_Near(benchmark::State& state) {
  model::Query query;
  query.near = model::Near{{52.52, 13.4}, 200'000};
  RunQuery(state, query);
}
BENCHMARK(BM_Near)->Arg(10'000)->Arg(100'000);

void BM_NearestOfAll(benchmark::State& state) {
  model::Query query;
  query.near = model::Near{{52.52, 13.4}, 1e8};
  RunQuery(state, query);
}
BENCHMARK(BM_NearestOfAll)->Arg(10'000)->Arg(100'000);

void BM_Find(benchmark::State& state) {
  const Directory& directory = Fleet::Of(state.range(0)).directory();
  std::array<std::string, 1024> ids;
  std::mt19937_64 random(2);
  for (std::string& id : ids) {
    const auto number = random() % static_cast<std::uint64_t>(state.range(0));
    id = base::StrCat("agent-", absl::Dec(number, absl::kZeroPad8));
  }
  std::size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(directory.Find(ids[next++ % ids.size()]));
}
BENCHMARK(BM_Find)->Arg(10'000)->Arg(100'000);

void BM_Install(benchmark::State& state) {
  Directory& directory = Fleet::Of(state.range(0)).directory();
  const StateIndex load = *directory.catalog().Find("load");
  std::mt19937_64 random(3);
  std::int64_t now = 1;
  for (auto _ : state) {
    const auto slot = static_cast<AgentSlot>(random() % static_cast<std::uint64_t>(state.range(0)));
    directory.Install(slot, load, Pack(0.5), base::WallFromUnixNanos(++now));
  }
}
BENCHMARK(BM_Install)->Arg(10'000)->Arg(100'000);

void BM_Memory(benchmark::State& state) {
  const Directory& directory = Fleet::Of(state.range(0)).directory();
  for (auto _ : state) benchmark::DoNotOptimize(directory.size());
  state.counters["bytes_per_agent"] =
      static_cast<double>(directory.MemoryUsed()) / static_cast<double>(directory.size());
}
BENCHMARK(BM_Memory)->Arg(100'000)->Iterations(1);

// ---- the ceiling: no plan, no order, no lapse; two bitmaps, then one comparison an agent ----
void BM_CeilingBitmapAndColumn(benchmark::State& state) {
  const auto agents = static_cast<AgentSlot>(state.range(0));
  Roaring skill, region;
  Column column(model::StateType::kNumber);
  column.Grow(agents);
  std::mt19937_64 random(4);
  for (AgentSlot slot = 0; slot < agents; ++slot) {
    if (random() % 50 == 0) skill.add(slot);
    if (random() % 5 == 0) region.add(slot);
    column.Store(slot, Pack(static_cast<double>(random() % 1000) / 1000), base::WallTime{});
  }
  std::array<std::uint32_t, 512> block;
  for (auto _ : state) {
    const Roaring both = skill & region;
    roaring_uint32_iterator_t at;
    roaring_init_iterator(&both.roaring, &at);
    std::size_t found = 0;
    for (;;) {
      const std::uint32_t count = roaring_read_uint32_iterator(&at, block.data(), block.size());
      if (count == 0) break;
      for (std::uint32_t i = 0; i < count; ++i) {
        found += UnpackNumber(column.Low(block[i])) < 0.7 ? 1 : 0;
      }
    }
    benchmark::DoNotOptimize(found);
  }
}
BENCHMARK(BM_CeilingBitmapAndColumn)->Arg(10'000)->Arg(100'000);

void BM_CeilingColumn(benchmark::State& state) {
  const auto agents = static_cast<AgentSlot>(state.range(0));
  Column column(model::StateType::kNumber);
  column.Grow(agents);
  std::mt19937_64 random(5);
  for (AgentSlot slot = 0; slot < agents; ++slot) {
    column.Store(slot, Pack(static_cast<double>(random() % 1000) / 1000), base::WallTime{});
  }
  for (auto _ : state) {
    std::size_t found = 0;
    for (AgentSlot slot = 0; slot < agents; ++slot) {
      found += UnpackNumber(column.Low(slot)) < 0.7 ? 1 : 0;
    }
    benchmark::DoNotOptimize(found);
  }
}
BENCHMARK(BM_CeilingColumn)->Arg(10'000)->Arg(100'000);

}  // namespace
}  // namespace muster::directory
