#include <benchmark/benchmark.h>

#include "api/render.h"

namespace muster::api {
namespace {

// Ten agents with four states each: the usual answer of a discovery.
void BM_RenderDiscovered(benchmark::State& state) {
  const model::StateCatalog catalog = model::StateCatalog::BuiltIn();
  const base::Now now{base::MonoFromNanos(0), base::WallFromUnixNanos(1'800'000'000'000'000'000)};
  std::vector<model::Agent> agents(10);
  std::vector<directory::StateReading> readings;
  for (int i = 0; i < 40; ++i) {
    directory::StateReading reading;
    reading.state = static_cast<model::StateIndex>(i % 3);
    if (i % 4 == 3) {
      reading.state = *catalog.Find("availability");
      reading.value.type = model::StateType::kString;
      reading.value.text = "ready";
    } else {
      reading.value.number = i % 7 / 100.0;
    }
    reading.generated_at = now.wall - std::chrono::microseconds(123'456 + 7919 * i);
    reading.max_age = std::chrono::seconds(10);
    readings.push_back(reading);
  }
  std::vector<node::AgentRow> rows;
  for (std::size_t i = 0; i < agents.size(); ++i) {
    agents[i].registration.id = "translator-" + std::to_string(1000 + i);
    agents[i].registration.card.name = "Translator of contracts";
    node::AgentRow& row = rows.emplace_back();
    row.agent = &agents[i];
    row.states = std::span(readings).subspan(4 * i, 4);
  }
  const std::vector<std::string> no_fields;
  node::Reply reply;
  reply.now = now;
  reply.catalog = &catalog;
  node::Discovered answer;
  answer.rows = rows;
  answer.fields = &no_fields;
  reply.body = answer;
  Renderer renderer;
  std::string out;
  for (auto _ : state) {
    out.clear();
    renderer.Render(reply, {}, &out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * out.size()));
}
BENCHMARK(BM_RenderDiscovered);

void BM_RenderReported(benchmark::State& state) {
  const model::StateCatalog catalog = model::StateCatalog::BuiltIn();
  node::Reply reply;
  reply.catalog = &catalog;
  reply.body = node::Reported{};
  Renderer renderer;
  std::string out;
  for (auto _ : state) {
    out.clear();
    renderer.Render(reply, {}, &out);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(BM_RenderReported);

}  // namespace
}  // namespace muster::api
