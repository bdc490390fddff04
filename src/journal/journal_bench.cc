// What it costs to turn reports and registrations into bytes and back, without a disk.
#include <benchmark/benchmark.h>

#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "journal/journal.h"
#include "journal/keys.h"
#include "journal/memory_storage.h"
#include "journal/registration_codec.h"
#include "journal/report_codec.h"
#include "journal/testing/counting_sink.h"
#include "journal/testing/real_cards.h"
#include "model/card.h"

namespace muster::journal {
namespace {

constexpr std::size_t kReports = 64;
constexpr base::WallTime kNow = base::WallFromUnixNanos(1'700'000'000'000'000'000);

// Reports as agents send them: load, capacity, queue depth, latency and availability.
std::vector<model::ReportRecord> Reports() {
  std::vector<model::ReportRecord> reports(kReports);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    model::ReportRecord& report = reports[i];
    report.slot = static_cast<model::AgentSlot>(i * 1571);
    report.incarnation = 100'000 + i;
    report.revision = 50'000'000 + i;
    report.received_at = kNow - std::chrono::microseconds(i * 20);
    report.sequences = {10'000 + i};
    const base::WallTime at = report.received_at - std::chrono::milliseconds(3);
    for (model::StateIndex state = 0; state < 5; ++state) {
      model::StateRecord& record = report.states.emplace_back();
      record.state = state;
      record.generated_at = at;
      record.value.number = 0.1 * static_cast<double>(i + state);
    }
    report.states[3].value.type = model::StateType::kString;
    report.states[3].value.text = "ready";
  }
  return reports;
}

std::vector<model::Agent> Agents() {
  std::vector<model::Agent> agents;
  for (model::AgentCard& card : testing::RealCards(MUSTER_SOURCE_DIR)) {
    model::Agent& agent = agents.emplace_back();
    agent.registration.id = "agent-" + std::to_string(agents.size());
    agent.registration.labels = {{"region", "eu"}, {"tier", "gold"}};
    agent.registration.card = std::move(card);
    agent.incarnation = agent.revision = agents.size();
    agent.slot = static_cast<model::AgentSlot>(agents.size() - 1);
  }
  return agents;
}

void BM_EncodeReports(benchmark::State& state) {
  const std::vector<model::ReportRecord> reports = Reports();
  Encoder out;
  for (auto _ : state) {
    out.Clear();
    EncodeReports(reports, kNow, &out);
    benchmark::DoNotOptimize(out.bytes().data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kReports));
  state.counters["bytes_each"] = static_cast<double>(out.bytes().size()) / kReports;
}
BENCHMARK(BM_EncodeReports);

void BM_DecodeReports(benchmark::State& state) {
  Encoder out;
  EncodeReports(Reports(), kNow, &out);
  const Key key = Key::OfNumber(Reports().back().revision);
  model::ReportRecord record;
  for (auto _ : state) {
    ReportReader reader(key.bytes(), out.bytes());
    while (reader.Next(&record)) benchmark::DoNotOptimize(record.states.data());
    MUSTER_CHECK(reader.status().ok(), "what was encoded decodes");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kReports));
}
BENCHMARK(BM_DecodeReports);

void BM_CommitReportsToMemory(benchmark::State& state) {
  MemoryStorage storage;
  Journal journal(&storage, {});
  testing::CountingSink sink;
  MUSTER_CHECK(journal.Recover(&sink).ok(), "an empty store recovers");
  std::vector<model::ReportRecord> reports = Reports();
  for (auto _ : state) {
    for (model::ReportRecord& report : reports) report.revision += kReports;
    MUSTER_CHECK(journal.CommitReports(reports, kNow, Durability::kBuffered).ok(), "memory holds");
    MUSTER_CHECK(journal.TrimReports(reports.back().revision).ok(), "memory holds");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kReports));
}
BENCHMARK(BM_CommitReportsToMemory);

void BM_EncodeAgents(benchmark::State& state) {
  const std::vector<model::Agent> agents = Agents();
  Encoder out;
  for (auto _ : state) {
    out.Clear();
    for (const model::Agent& agent : agents) EncodeAgent(agent, &out);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * agents.size()));
  state.counters["bytes_each"] =
      static_cast<double>(out.bytes().size()) / static_cast<double>(agents.size());
}
BENCHMARK(BM_EncodeAgents);

void BM_DecodeAgents(benchmark::State& state) {
  std::vector<Encoder> records;
  for (const model::Agent& agent : Agents()) EncodeAgent(agent, &records.emplace_back());
  for (auto _ : state) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      model::Agent agent;
      MUSTER_CHECK(DecodeAgent(Key::OfNumber(i + 1).bytes(), records[i].bytes(), &agent).ok(),
                   "what was encoded decodes");
      benchmark::DoNotOptimize(agent.slot);
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * records.size()));
}
BENCHMARK(BM_DecodeAgents);

// The alternative to storing what was read out of a card: reading it again at every start.
void BM_ParseCardsInstead(benchmark::State& state) {
  const std::vector<model::Agent> agents = Agents();
  for (auto _ : state) {
    for (const model::Agent& agent : agents) {
      MUSTER_CHECK(model::ParseCard(agent.registration.card.json, {}).ok(), "it was parsed before");
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * agents.size()));
}
BENCHMARK(BM_ParseCardsInstead);

}  // namespace
}  // namespace muster::journal
