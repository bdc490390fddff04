#include "model/query.h"

#include <cmath>
#include <string>

#include "base/strings.h"
#include "gtest/gtest.h"

namespace muster::model {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Query Parsed(std::string_view json) {
  auto query = ParseQuery(json, Limits());
  EXPECT_TRUE(query.ok()) << query.status();
  return query.ok() ? *std::move(query) : Query();
}

std::string Refusal(std::string_view json, const Limits& limits = {}) {
  const auto query = ParseQuery(json, limits);
  EXPECT_TRUE(absl::IsInvalidArgument(query.status())) << json << " " << query.status();
  return std::string(base::Message(query.status()));
}

TEST(ParseQuery, ReadsAllOfIt) {
  const Query query = Parsed(R"({"filter": "skill = \"translate\" AND load < 0.7",
      "near": {"latitude": 52.52, "longitude": 13.40, "radius": 50000},
      "text": "contracts in german", "order_by": "load, latency desc",
      "limit": 25, "deadline": "150ms", "hard_deadline": true, "critical": true,
      "freshness": "require", "max_age": {"load": "1s"}, "fields": ["name", "url"],
      "include_lapsed": true, "count_total": true})");
  EXPECT_EQ(query.filter, "skill = \"translate\" AND load < 0.7");
  ASSERT_TRUE(query.near.has_value());
  EXPECT_EQ(query.near->center, (Location{52.52, 13.40}));
  EXPECT_EQ(query.near->radius, 50000);
  EXPECT_EQ(query.text, "contracts in german");
  EXPECT_EQ(query.order_by, "load, latency desc");
  EXPECT_EQ(query.limit, 25);
  EXPECT_EQ(query.deadline, milliseconds(150));
  EXPECT_TRUE(query.hard_deadline);
  EXPECT_TRUE(query.critical);
  EXPECT_EQ(query.freshness, Freshness::kRequire);
  ASSERT_EQ(query.max_age.size(), 1);
  EXPECT_EQ(query.max_age[0], std::pair(std::string("load"), base::Duration(seconds(1))));
  EXPECT_EQ(query.fields, (std::vector<std::string>{"name", "url"}));
  EXPECT_TRUE(query.include_lapsed);
  EXPECT_TRUE(query.count_total);
}

TEST(ParseQuery, AnEmptyOneAsksForEverything) {
  const Query query = Parsed(" {} ");
  EXPECT_EQ(query.filter, "");
  EXPECT_FALSE(query.near.has_value());
  EXPECT_FALSE(query.deadline.has_value());
  EXPECT_EQ(query.limit, 0);
  EXPECT_EQ(query.freshness, Freshness::kPrefer);
}

TEST(ParseQuery, KeepsTheOrderOfRanks) {
  const Query query = Parsed(R"({"rank": {"load": -1, "cost": -0.0, "success_rate": 2.5}})");
  ASSERT_EQ(query.rank.size(), 3);
  EXPECT_EQ(query.rank[0], std::pair(std::string("load"), -1.0));
  EXPECT_FALSE(std::signbit(query.rank[1].second));
  EXPECT_EQ(query.rank[2].second, 2.5);
  EXPECT_EQ(Refusal(R"({"rank": {"load": 1}, "order_by": "load"})"),
            "rank and order_by exclude each other [/rank]");
}

TEST(ParseQuery, BoundsTheLimit) {
  EXPECT_EQ(Parsed(R"({"limit": 1000})").limit, 1000);
  for (const char* limit :
       {"0", "1001", "-1", "1.5", "1e2", "18446744073709551616", "\"3\"", "null"}) {
    const std::string refusal = Refusal(base::StrCat(R"({"limit": )", limit, "}"));
    EXPECT_EQ(refusal, base::StrCat("expected a whole number from 1 to 1000 "
                                    "(limits.query_limit_max), got ",
                                    limit, " [/limit]"));
  }
}

TEST(ParseQuery, RefusesWrongFieldsWithTheirPointers) {
  for (const auto& [json, pointer] : {
           std::pair(R"({"filter": 1})", "[/filter]"),
           std::pair(R"({"filter": null})", "[/filter]"),
           std::pair(R"({"deadline": "0s"})", "[/deadline]"),
           std::pair(R"({"deadline": "-1s"})", "[/deadline]"),
           std::pair(R"({"deadline": 150})", "[/deadline]"),
           std::pair(R"({"freshness": "fresh"})", "[/freshness]"),
           std::pair(R"({"freshness": true})", "[/freshness]"),
           std::pair(R"({"critical": 1})", "[/critical]"),
           std::pair(R"({"hard_deadline": "true"})", "[/hard_deadline]"),
           std::pair(R"({"max_age": {"load": "0s"}})", "[/max_age/load]"),
           std::pair(R"({"max_age": []})", "[/max_age]"),
           std::pair(R"({"max_age": {"load": "1s", "load": "2s"}})", "[/max_age/load]"),
           std::pair(R"({"rank": {"load": "1"}})", "[/rank/load]"),
           std::pair(R"({"rank": {"load": 1, "load": 1}})", "[/rank/load]"),
           std::pair(R"({"rank": {"load": 1e999}})", "[/rank/load]"),
           std::pair(R"({"fields": "name"})", "[/fields]"),
           std::pair(R"({"fields": ["name", 3]})", "[/fields/1]"),
           std::pair(R"({"near": {"latitude": 1, "longitude": 1}})", "[/near]"),
           std::pair(R"({"near": {"latitude": 91, "longitude": 1, "radius": 1}})",
                     "[/near/latitude]"),
           std::pair(R"({"near": {"latitude": 1, "longitude": -181, "radius": 1}})",
                     "[/near/longitude]"),
           std::pair(R"({"near": {"latitude": 1, "longitude": 1, "radius": -1}})",
                     "[/near/radius]"),
           std::pair(R"({"near": {"latitude": 1, "longitude": 1, "radius": 1e8}})",
                     "[/near/radius]"),
           std::pair(R"({"near": {"latitude": 1, "latitude": 1, "radius": 1}})",
                     "[/near/latitude]"),
           std::pair(R"({"near": {"lat": 1}})", "[/near/lat]"),
           std::pair(R"({"colour": 1})", "[/colour]"),
           std::pair(R"({"limit": 1, "limit": 1})", "[/limit]"),
           std::pair(R"([])", "[]"),
           std::pair(R"({"limit": 1)", "[/limit]"),
           std::pair(R"({"limit": 1 )", "[]"),
       }) {
    const std::string refusal = Refusal(json);
    EXPECT_TRUE(refusal.ends_with(pointer)) << json << ": " << refusal;
  }
}

TEST(ParseQuery, BoundsTextsAndCounts) {
  Limits limits;
  limits.filter_bytes_max = 3;
  limits.order_keys_max = 1;
  EXPECT_TRUE(ParseQuery(R"({"filter": "abc", "text": "abc", "order_by": "abc"})", limits).ok());
  for (const char* json : {R"({"filter": "abcd"})", R"({"text": "abcd"})",
                           R"({"order_by": "abcd"})", R"({"rank": {"a": 1, "b": 1}})"}) {
    Refusal(json, limits);
  }
  std::string names;
  for (int i = 0; i < 65; ++i) base::StrAppend(&names, i == 0 ? "" : ",", "\"f\"");
  Refusal(base::StrCat(R"({"fields": [)", names, "]}"));
}

TEST(ParseQuery, SurvivesBrackets) {
  for (const std::string& deep :
       {std::string(100'000, '['), std::string(50'000, '[') + std::string(50'000, ']')}) {
    Refusal(base::StrCat(R"({"rank": )", deep, "}"));
    Refusal(base::StrCat(R"({"fields": )", deep, "}"));
    Refusal(deep);
  }
}

}  // namespace
}  // namespace muster::model
