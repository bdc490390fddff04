// order_by, rank and near, with answers worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "directory/testing/sample.h"

namespace muster::directory {
namespace {

using testing::AtSecond;
using testing::SampleDirectory;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Order : public ::testing::Test {
 protected:
  Order() {
    sample_.Put({.id = "a", .name = "zeta"});
    sample_.Put({.id = "b", .name = "beta"});
    sample_.Put({.id = "c", .name = "beta"});
    sample_.Put({.id = "d", .name = "alpha"});
    sample_.Report("a", "load", 0.5);
    sample_.Report("b", "load", 0.5);
    sample_.Report("c", "load", -0.0);
    sample_.Report("a", "latency", 1.0);
    sample_.Report("b", "latency", 2.0);
    sample_.Report("d", "latency", 0.0);
    sample_.Report("a", "availability", std::string("ready"));
    sample_.Report("c", "availability", std::string("busy"));
    sample_.Report("a", "location", model::Location{0, 179.9});
    sample_.Report("b", "location", model::Location{0, -179.9});
    sample_.Report("c", "location", model::Location{0, 0});
  }

  std::vector<std::string> By(std::string_view order_by, std::uint32_t limit = 10) const {
    model::Query query;
    query.order_by = std::string(order_by);
    query.limit = limit;
    return sample_.Ids(query);
  }

  SampleDirectory sample_;
};

TEST_F(Order, TiesGoById) { EXPECT_THAT(By("load"), ElementsAre("c", "a", "b", "d")); }

TEST_F(Order, TheMissingComeLastEitherWay) {
  EXPECT_THAT(By("load desc"), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(By("latency"), ElementsAre("d", "a", "b", "c"));
  EXPECT_THAT(By("availability"), ElementsAre("c", "a", "b", "d"));
  EXPECT_THAT(By("availability desc"), ElementsAre("a", "c", "b", "d"));
}

TEST_F(Order, LaterKeysPartWhatEarlierOnesTie) {
  EXPECT_THAT(By("load, latency desc"), ElementsAre("c", "b", "a", "d"));
  EXPECT_THAT(By("name,id desc"), ElementsAre("d", "c", "b", "a"));
  EXPECT_THAT(By(" name desc , load asc "), ElementsAre("a", "c", "b", "d"));
  EXPECT_THAT(By("id desc"), ElementsAre("d", "c", "b", "a"));
}

TEST_F(Order, TheLimitKeepsTheBest) {
  EXPECT_THAT(By("load", 2), ElementsAre("c", "a"));
  EXPECT_THAT(By("", 3), ElementsAre("a", "b", "c"));
}

TEST_F(Order, RanksByWeightedSum) {
  model::Query query;
  query.rank = {{"load", -2}, {"latency", 0.5}};
  query.limit = 10;
  QueryResult result;
  sample_.directory.Execute(*sample_.directory.Compile(query), AtSecond(0), &result);
  // b: -1 + 1 = 0; c: 0; d: 0; a: -1 + 0.5.
  EXPECT_THAT(sample_.ToIds(result), ElementsAre("b", "c", "d", "a"));
  EXPECT_EQ(result.rows[0].score, 0);
  EXPECT_EQ(result.rows[3].score, -0.5);
  query.rank = {{"load", std::numeric_limits<double>::max()},
                {"latency", std::numeric_limits<double>::max()}};
  sample_.directory.Execute(*sample_.directory.Compile(query), AtSecond(0), &result);
  EXPECT_EQ(sample_.ToIds(result).size(), 4U);
}

TEST_F(Order, NearOrdersByDistanceUnlessToldOtherwise) {
  model::Query query;
  query.near = model::Near{{0, 180}, 20'000};
  query.limit = 10;
  EXPECT_THAT(sample_.Ids(query), ElementsAre("a", "b"));
  query.order_by = "distance desc, id desc";
  query.near->radius = 1e9;
  EXPECT_EQ(sample_.Ids(query).front(), "c");
  EXPECT_EQ(sample_.Ids(query).size(), 3U);
  query.order_by = "load";
  EXPECT_THAT(sample_.Ids(query), ElementsAre("c", "a", "b"));
  query.near = model::Near{{0, 0}, 0};
  EXPECT_THAT(sample_.Ids(query), ElementsAre("c"));
  QueryResult result;
  sample_.directory.Execute(*sample_.directory.Compile(query), AtSecond(0), &result);
  EXPECT_EQ(result.rows[0].distance, 0);
}

TEST_F(Order, RefusesKeysThatAreNone) {
  const auto refusal = [&](std::string_view order_by) { return By(order_by).front(); };
  EXPECT_EQ(refusal("id, laod"), "unknown key \"laod\" at 5; did you mean \"load\"? [/order_by]");
  EXPECT_EQ(refusal("distance"), "\"distance\" needs a near at 1 [/order_by]");
  EXPECT_EQ(refusal("load down"),
            "unknown direction \"down\" at 6; it is asc or desc, and keys are parted by ',' "
            "[/order_by]");
  EXPECT_EQ(refusal("load,"), "expected a key after ',' at 6 [/order_by]");
  EXPECT_EQ(refusal(",load"), "expected a key before ',' at 1 [/order_by]");
  EXPECT_EQ(refusal("load asc desc"), "expected ',' or the end at 10 [/order_by]");
  EXPECT_EQ(refusal("load, load desc"), "\"load\" stands twice, again at 7 [/order_by]");
  EXPECT_THAT(refusal("location"), HasSubstr("is a location without an order at 1"));
  EXPECT_THAT(refusal("load,cost,latency,capacity,queue_depth,success_rate,availability,id,name"),
              HasSubstr("more than 8 keys at 69"));
}

TEST_F(Order, CountsInAllOnlyWhenAsked) {
  model::Query query;
  query.filter = "load:*";
  query.limit = 1;
  QueryResult result;
  sample_.directory.Execute(*sample_.directory.Compile(query), AtSecond(0), &result);
  EXPECT_EQ(result.total, std::nullopt);
  query.count_total = true;
  sample_.directory.Execute(*sample_.directory.Compile(query), AtSecond(0), &result);
  EXPECT_EQ(result.total, 3U);
  EXPECT_EQ(result.rows.size(), 1U);
}

TEST_F(Order, TheFreshnessRiskIsTheLargestRatioOfTheRows) {
  sample_.Put({.id = "a", .max_age = {{"load", std::chrono::seconds(2)}}});
  model::Query query;
  query.filter = "load:* latency:*";
  query.limit = 10;
  QueryResult result;
  const auto at = [&](double second) {
    sample_.directory.Execute(*sample_.directory.Compile(query), AtSecond(second), &result);
  };
  at(1);
  EXPECT_DOUBLE_EQ(result.freshness_risk, 0.5);
  EXPECT_TRUE(result.stale.empty());
  at(2);
  EXPECT_DOUBLE_EQ(result.freshness_risk, 1);
  ASSERT_EQ(result.stale.size(), 1U);
  EXPECT_EQ(result.stale[0].state, sample_.State("load"));
  EXPECT_EQ(result.stale[0].slot, *sample_.directory.Find("a"));
  query.max_age = {{"load", std::chrono::seconds(4)}, {"latency", std::chrono::seconds(1)}};
  at(3);
  EXPECT_DOUBLE_EQ(result.freshness_risk, 3);
  EXPECT_EQ(result.stale.size(), 2U);
  at(-5);
  EXPECT_EQ(result.freshness_risk, 0);
  query.max_age = {{"load", base::Duration(0)}};
  at(1);
  EXPECT_DOUBLE_EQ(result.freshness_risk, 1e9);
  query = {};
  query.limit = 10;
  at(1000000);
  EXPECT_EQ(result.freshness_risk, 0);
}

}  // namespace
}  // namespace muster::directory
