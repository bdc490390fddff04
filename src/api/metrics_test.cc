#include "api/metrics.h"

#include <cstdio>
#include <cstdlib>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace muster::api {
namespace {

using testing::HasSubstr;

MetricsInput Sample(const Counters* counters) {
  MetricsInput input;
  input.node.agents = 7;
  input.node.refusals = std::vector<std::uint64_t>(11, 0);
  input.node.refusals[5] = 3;
  input.node.query_nanos.Record(1'500'000);
  input.node.query_nanos.Record(40'000'000);
  input.scheduler.policy = "fcfs";
  input.scheduler.queue[1].tasks = 4;
  input.reactors.push_back(counters);
  return input;
}

TEST(Metrics, CountersAndHistogramsAreShown) {
  Counters counters;
  counters.requests[static_cast<std::size_t>(Route::kDiscover)].Add(9);
  counters.responses[404].Add(2);
  std::string text;
  AppendMetricsText(Sample(&counters), &text);
  for (const char* line :
       {"muster_agents 7\n", "muster_refusals_total{reason=\"overloaded\"} 3\n",
        "muster_query_seconds_bucket{le=\"0.001\"} 0\n",
        "muster_query_seconds_bucket{le=\"0.0025\"} 1\n",
        "muster_query_seconds_bucket{le=\"+Inf\"} 2\n", "muster_query_seconds_count 2\n",
        "muster_queue_tasks{queue=\"query\"} 4\n",
        "muster_http_requests_total{call=\"discover\"} 9\n",
        "muster_http_responses_total{status=\"404\"} 2\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(Metrics, PromtoolFindsNothingToSay) {
  if (std::system("command -v promtool >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "promtool (Debian's package prometheus) is not installed";
  }
  Counters counters;
  std::string text;
  AppendMetricsText(Sample(&counters), &text);
  std::FILE* promtool = popen("promtool check metrics >&2", "w");
  ASSERT_NE(promtool, nullptr);
  EXPECT_EQ(std::fwrite(text.data(), 1, text.size(), promtool), text.size());
  EXPECT_EQ(pclose(promtool), 0);
}

}  // namespace
}  // namespace muster::api
