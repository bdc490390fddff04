#include "app/status/node_status.h"

#include <gtest/gtest.h>

#include "app/status/status_lines.h"

namespace muster::app {
namespace {

const char kMetrics[] = R"(# HELP muster_agents Registered agents.
# TYPE muster_agents gauge
muster_ready 1
muster_agents 48
muster_reports_total{result="applied"} 10
muster_reports_total{result="superseded"} 3
muster_http_requests_total{call="get"} 5
muster_http_requests_total{call="put"} 7
muster_query_seconds_bucket{le="0.001"} 50
muster_query_seconds_bucket{le="0.002"} 100
muster_query_seconds_bucket{le="+Inf"} 100
muster_query_seconds_count 100
)";

const char kScheduler[] = R"({"policy":"fixed_split","workers":2,"queues":{
  "update":{"tasks":5,"parked":0,"running":1,"work":"20us","wait_max":"1ms","share":0.5,"load":null},
  "query":{"tasks":0,"parked":2,"running":0,"work":"0s","wait_max":"0s","share":0.5}},
  "reallocations":{"count":1,"recent":[{"reason":"shares"}]},"options":{}})";

TEST(NodeStatusTest, ReadsMetricsAndAddsUpLabels) {
  NodeStatus status;
  ParseMetrics(kMetrics, &status);
  EXPECT_TRUE(status.is_ready);
  EXPECT_EQ(status.agents, 48);
  EXPECT_EQ(status.reports_applied, 10);
  EXPECT_EQ(status.reports_superseded, 3);
  EXPECT_EQ(status.requests, 12);
  EXPECT_EQ(status.query_seconds.count(), 100);
}

TEST(NodeStatusTest, InterpolatesQuantiles) {
  NodeStatus status;
  ParseMetrics(kMetrics, &status);
  EXPECT_DOUBLE_EQ(status.query_seconds.Quantile(0.25), 0.0005);
  EXPECT_DOUBLE_EQ(status.query_seconds.Quantile(0.75), 0.0015);
  EXPECT_EQ(BucketCounts().Quantile(0.5), 0);
  EXPECT_EQ(status.query_seconds.Since(status.query_seconds).count(), 0);
}

TEST(NodeStatusTest, ReadsTheScheduler) {
  NodeStatus status;
  ASSERT_TRUE(ParseScheduler(kScheduler, &status).ok());
  EXPECT_EQ(status.policy, "fixed_split");
  EXPECT_EQ(status.updates.tasks, 5u);
  EXPECT_EQ(status.queries.parked, 2u);
  EXPECT_EQ(status.updates.work, "20us");
  EXPECT_EQ(status.last_reallocation, "shares");
  EXPECT_FALSE(ParseScheduler("{}", &status).ok());
  EXPECT_FALSE(ParseScheduler("<html>", &status).ok());
}

TEST(StatusLinesTest, ShowWhatThereIsWithAndWithoutAnEarlierMoment) {
  NodeStatus status;
  ASSERT_TRUE(ParseScheduler(kScheduler, &status).ok());
  ParseMetrics(kMetrics, &status);
  for (const NodeStatus* before :
       {static_cast<const NodeStatus*>(nullptr), static_cast<const NodeStatus*>(&status)}) {
    const Lines lines = StatusLines("http://x", status, before, 1, Terminal());
    EXPECT_GT(lines.size(), 10u);
    EXPECT_NE(lines[0].find("48 agents"), std::string::npos);
    for (const std::string& line : lines) {
      EXPECT_EQ(line.find('\x1b'), std::string::npos);
      EXPECT_EQ(line.find('\n'), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace muster::app
