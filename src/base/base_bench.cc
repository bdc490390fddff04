// What the hot path does with text, numbers and times, one item an iteration.
#include <string>

#include "base/histogram.h"
#include "base/json_writer.h"
#include "base/random.h"
#include "base/text.h"
#include "benchmark/benchmark.h"

namespace muster::base {
namespace {

void BM_ParseRfc3339(benchmark::State& state) {
  const std::string text = "2026-12-01T02:53:24.123456Z";
  for (auto _ : state) benchmark::DoNotOptimize(ParseRfc3339(text));
}
BENCHMARK(BM_ParseRfc3339);

void BM_AppendRfc3339(benchmark::State& state) {
  std::string out;
  for (auto _ : state) {
    out.clear();
    AppendRfc3339(&out, WallFromUnixNanos(1'796'093'604'123'456'000));
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(BM_AppendRfc3339);

void BM_ParseDuration(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(ParseDuration("150ms"));
}
BENCHMARK(BM_ParseDuration);

void BM_AppendDuration(benchmark::State& state) {
  std::string out;
  for (auto _ : state) {
    out.clear();
    AppendDuration(&out, Duration(1'234'567'890));
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(BM_AppendDuration);

void BM_AppendJsonString(benchmark::State& state) {
  const std::string text = "agent-0123456789-abcdef-eu-west";
  std::string out;
  for (auto _ : state) {
    out.clear();
    AppendJsonString(&out, text);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(BM_AppendJsonString);

void BM_JsonNumber(benchmark::State& state) {
  std::string out;
  double value = 0.1;
  for (auto _ : state) {
    out.clear();
    JsonWriter(&out).Number(value);
    benchmark::DoNotOptimize(out.data());
    value += 0.01;
  }
}
BENCHMARK(BM_JsonNumber);

void BM_HistogramRecord(benchmark::State& state) {
  Histogram histogram;
  std::uint64_t value = 1;
  for (auto _ : state) histogram.Record(value += 997);
  benchmark::DoNotOptimize(histogram.count());
}
BENCHMARK(BM_HistogramRecord);

void BM_Exponential(benchmark::State& state) {
  Random random(1);
  for (auto _ : state) benchmark::DoNotOptimize(random.Exponential(1));
}
BENCHMARK(BM_Exponential);

}  // namespace
}  // namespace muster::base
