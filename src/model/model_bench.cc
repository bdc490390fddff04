// The parsers on what agents really send: one text an iteration, buffers warm.
#include <string>

#include "base/check.h"
#include "benchmark/benchmark.h"
#include "model/agent.h"
#include "model/query.h"
#include "model/report.h"

namespace muster::model {
namespace {

void ParseReports(benchmark::State& state, const std::string& json, std::string_view id) {
  const StateCatalog catalog = StateCatalog::BuiltIn();
  ReportParser parser{Limits()};
  Report report;
  for (auto _ : state) {
    MUSTER_CHECK(parser.Parse(id, json, catalog, &report).ok(), "the benchmark's report is right");
    benchmark::DoNotOptimize(report.states.data());
  }
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(json.size()));
}

void BM_SmallReport(benchmark::State& state) {
  ParseReports(state, R"({"sequence":7,"states":{"load":0.4375}})", "agent-1");
}
BENCHMARK(BM_SmallReport);

void BM_FullReport(benchmark::State& state) {
  ParseReports(
      state,
      R"({"id":"agent-000123","incarnation":42,"sequence":7,)"
      R"("generated_at":"2026-12-01T02:53:24.5Z","states":{"load":0.4375,"queue_depth":12,)"
      R"("latency":0.0125,"availability":"ready"}})",
      "");
}
BENCHMARK(BM_FullReport);

void BM_Registration(benchmark::State& state) {
  const std::string json =
      R"({"card":{"protocolVersion":"0.3.0","name":"Translator","description":"Translates.",)"
      R"("version":"1.2","url":"https://example.org/a2a","provider":{"organization":"Acme"},)"
      R"("skills":[{"id":"translate","name":"Translate","description":"To German.",)"
      R"("tags":["language","eu"]}],"capabilities":{"streaming":false}},)"
      R"("labels":{"region":"eu","zone":"b"},"lease":"60s"})";
  const Limits limits;
  for (auto _ : state) {
    auto registration = ParseRegistration("agent-1", json, limits);
    MUSTER_CHECK(registration.ok(), "the benchmark's registration is right");
    benchmark::DoNotOptimize(registration->card.json.data());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Registration);

void BM_Query(benchmark::State& state) {
  const std::string json =
      R"({"filter":"skill = \"translate\" AND load < 0.7","order_by":"load","limit":10,)"
      R"("deadline":"150ms","max_age":{"load":"1s"}})";
  const Limits limits;
  for (auto _ : state) {
    auto query = ParseQuery(json, limits);
    MUSTER_CHECK(query.ok(), "the benchmark's query is right");
    benchmark::DoNotOptimize(query->filter.data());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Query);

}  // namespace
}  // namespace muster::model
