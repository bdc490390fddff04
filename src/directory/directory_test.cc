#include "directory/directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/strings.h"
#include "directory/testing/sample.h"

namespace muster::directory {
namespace {

using testing::AtSecond;
using testing::SampleDirectory;
using testing::ServedSecond;
using testing::ToRegistration;
using testing::WallSecond;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Directory, BeginsWithTheBuiltInStates) {
  const Directory directory((model::Limits()));
  EXPECT_TRUE(directory.catalog().Find("load"));
  EXPECT_TRUE(directory.catalog().Find("location"));
  EXPECT_EQ(directory.size(), 0U);
}

TEST(Directory, FindsRegisteredAgentsAndForgetsRemovedOnes) {
  SampleDirectory sample;
  const AgentSlot slot = sample.Put({.id = "a", .name = "one"});
  EXPECT_EQ(sample.directory.Find("a"), slot);
  EXPECT_EQ(sample.directory.agent(slot)->registration.card.name, "one");
  EXPECT_EQ(sample.directory.HeardAt(slot), WallSecond(0));
  sample.Remove("a");
  EXPECT_EQ(sample.directory.Find("a"), std::nullopt);
  EXPECT_EQ(sample.directory.agent(slot), nullptr);
  EXPECT_EQ(sample.directory.size(), 0U);
}

TEST(Directory, GivesTheLowestFreeSlot) {
  SampleDirectory sample;
  for (const char* id : {"a", "b", "c"}) sample.Put({.id = id});
  sample.Remove("b");
  sample.Remove("a");
  EXPECT_EQ(*sample.directory.ReserveSlot(), 0U);
  EXPECT_EQ(*sample.directory.ReserveSlot(), 1U);
  EXPECT_EQ(*sample.directory.ReserveSlot(), 3U);
  sample.directory.ReleaseSlot(1);
  EXPECT_EQ(*sample.directory.ReserveSlot(), 1U);
}

TEST(Directory, TakesSlotsThatRecoveryNames) {
  SampleDirectory sample;
  model::Agent agent;
  agent.registration = ToRegistration({.id = "x"});
  agent.slot = 9000;
  sample.directory.Put(std::move(agent), WallSecond(0), ServedSecond(0));
  EXPECT_EQ(sample.directory.Find("x"), 9000U);
  EXPECT_EQ(sample.directory.slots_end(), 9001U);
  EXPECT_EQ(*sample.directory.ReserveSlot(), 0U);
  EXPECT_THAT(sample.Ids(""), ElementsAre("x"));
}

TEST(Directory, RefusesAgentsBeyondItsLimit) {
  model::Limits limits;
  limits.agents_max = 2;
  SampleDirectory sample(limits);
  sample.Put({.id = "a"});
  EXPECT_TRUE(sample.directory.ReserveSlot().ok());
  EXPECT_TRUE(absl::IsResourceExhausted(sample.directory.ReserveSlot().status()));
  sample.Remove("a");
  EXPECT_TRUE(sample.directory.ReserveSlot().ok());
}

TEST(Directory, ReplacingKeepsStatesAndChangesWhatSelects) {
  SampleDirectory sample;
  sample.Put({.id = "a", .skills = {"x"}, .labels = {{"k", "1"}}});
  sample.Report("a", "load", 0.5);
  sample.Put({.id = "a", .skills = {"y"}});
  EXPECT_THAT(sample.Ids("skill:x"), IsEmpty());
  EXPECT_THAT(sample.Ids("labels.k:*"), IsEmpty());
  EXPECT_THAT(sample.Ids("skill:y load = 0.5"), ElementsAre("a"));
}

TEST(Directory, AReusedSlotHasNoPast) {
  SampleDirectory sample;
  sample.Put({.id = "a", .skills = {"x"}});
  sample.Report("a", "load", 0.5);
  sample.Report("a", "location", model::Location{1, 2});
  sample.directory.sequences(0)->Mark(7);
  sample.Remove("a");
  EXPECT_EQ(sample.Put({.id = "b"}), 0U);
  EXPECT_THAT(sample.Ids("load:* OR location:* OR skill:x"), IsEmpty());
  EXPECT_FALSE(sample.directory.sequences(0)->Seen(7));
  std::vector<StateReading> states;
  sample.directory.ReadStates(0, &states);
  EXPECT_TRUE(states.empty());
  model::Query query;
  query.near = model::Near{{1, 2}, 1000};
  EXPECT_THAT(sample.Ids(query), IsEmpty());
}

TEST(Directory, InstallsOnlyWhatIsNewer) {
  SampleDirectory sample;
  sample.Put({.id = "a"});
  EXPECT_TRUE(sample.Report("a", "load", 0.1, 10));
  EXPECT_FALSE(sample.Report("a", "load", 0.2, 10));
  EXPECT_FALSE(sample.Report("a", "load", 0.2, 9));
  EXPECT_THAT(sample.Ids("load = 0.1"), ElementsAre("a"));
  EXPECT_TRUE(sample.Report("a", "load", 0.3, 11));
  EXPECT_EQ(sample.directory.GeneratedAt(0, sample.State("load")), WallSecond(11));
  EXPECT_EQ(sample.directory.GeneratedAt(0, sample.State("cost")), std::nullopt);
}

TEST(Directory, AddsCountersUp) {
  SampleDirectory sample;
  sample.Declare("served", model::StateType::kNumber, model::StateKind::kCounter);
  sample.Put({.id = "a"});
  const StateIndex served = sample.State("served");
  sample.directory.AddCounter(0, served, 2, WallSecond(5));
  sample.directory.AddCounter(0, served, 3, WallSecond(4));
  EXPECT_THAT(sample.Ids("served = 5"), ElementsAre("a"));
  EXPECT_EQ(sample.directory.GeneratedAt(0, served), WallSecond(5));
  const double max = std::numeric_limits<double>::max();
  sample.directory.AddCounter(0, served, max, WallSecond(6));
  sample.directory.AddCounter(0, served, max, WallSecond(7));
  EXPECT_THAT(sample.Ids("served > 1e308"), ElementsAre("a"));
}

TEST(Directory, ReadsBackEveryType) {
  SampleDirectory sample;
  sample.Declare("gpu", model::StateType::kBool);
  sample.Put({.id = "a", .max_age = {{"load", std::chrono::seconds(1)}}});
  sample.Report("a", "load", -0.0, 1);
  sample.Report("a", "availability", std::string("busy"), 2);
  sample.Report("a", "gpu", true, 3);
  sample.Report("a", "location", model::Location{-90, 180}, 4);
  std::vector<StateReading> states;
  sample.directory.ReadStates(0, &states);
  ASSERT_EQ(states.size(), 4U);
  for (const StateReading& reading : states) {
    const model::StateSpec& spec = sample.directory.catalog().spec(reading.state);
    if (spec.name == "load") {
      EXPECT_EQ(reading.value.number, 0);
      EXPECT_EQ(reading.generated_at, WallSecond(1));
      EXPECT_EQ(reading.max_age, std::chrono::seconds(1));
    } else if (spec.name == "availability") {
      EXPECT_EQ(reading.value.text, "busy");
      EXPECT_EQ(reading.max_age, spec.max_age);
    } else if (spec.name == "gpu") {
      EXPECT_TRUE(reading.value.boolean);
    } else {
      EXPECT_EQ(reading.value.location, (model::Location{-90, 180}));
    }
  }
  model::AgentDynamics dynamics;
  sample.directory.ReadDynamics(0, &dynamics);
  EXPECT_EQ(dynamics.states.size(), 4U);
  EXPECT_EQ(dynamics.incarnation, 1U);
}

TEST(Directory, HoldsABoundedNumberOfTexts) {
  model::Limits limits;
  limits.state_texts_max = 2;
  SampleDirectory sample(limits);
  const PackedValue one = *sample.directory.Intern("one");
  EXPECT_TRUE(sample.directory.Intern("two").ok());
  EXPECT_TRUE(absl::IsResourceExhausted(sample.directory.Intern("three").status()));
  EXPECT_EQ(sample.directory.FindText("one"), one);
  EXPECT_EQ(sample.directory.FindText("three"), std::nullopt);
  EXPECT_EQ(*sample.directory.Intern("one"), one);
}

TEST(Directory, LeasesRunOnServedTimeAndMarksOnlyRaiseThem) {
  SampleDirectory sample;
  const AgentSlot slot = sample.Put({.id = "a", .lease = std::chrono::seconds(10)});
  EXPECT_FALSE(sample.directory.Lapsed(slot, ServedSecond(10)));
  EXPECT_TRUE(sample.directory.Lapsed(slot, ServedSecond(10.1)));
  sample.directory.MarkHeard(slot, WallSecond(8), ServedSecond(8));
  sample.directory.MarkHeard(slot, WallSecond(3), ServedSecond(3));
  EXPECT_FALSE(sample.directory.Lapsed(slot, ServedSecond(18)));
  EXPECT_TRUE(sample.directory.Lapsed(slot, ServedSecond(18.1)));
  EXPECT_EQ(sample.directory.HeardAt(slot), WallSecond(8));
}

TEST(Directory, PlansOutliveChanges) {
  SampleDirectory sample;
  model::Query query;
  query.filter = "skill:late labels.new = 1 OR availability = ready";
  query.limit = 5;
  const Plan plan = *sample.directory.Compile(query);
  QueryResult result;
  sample.directory.Execute(plan, AtSecond(0), &result);
  EXPECT_TRUE(result.rows.empty());
  sample.Put({.id = "a", .skills = {"late"}, .labels = {{"new", "1"}}});
  sample.directory.Execute(plan, AtSecond(0), &result);
  EXPECT_EQ(result.rows.size(), 1U);
  sample.Remove("a");
  sample.directory.Execute(plan, AtSecond(0), &result);
  EXPECT_TRUE(result.rows.empty());
}

TEST(Directory, CompilesLimitsAndDecidingStates) {
  model::Limits limits;
  limits.query_limit_default = 3;
  limits.query_limit_max = 7;
  SampleDirectory sample(limits);
  model::Query query;
  EXPECT_EQ(sample.directory.Compile(query)->limit(), 3U);
  query.limit = 5;
  EXPECT_EQ(sample.directory.Compile(query)->limit(), 5U);
  query.limit = 100;
  EXPECT_EQ(sample.directory.Compile(query)->limit(), 7U);
  query.filter = "load < 1 skill:x NOT (cost > 1 OR load > 0)";
  query.order_by = "latency";
  query.near = model::Near{{0, 0}, 1};
  std::vector<StateIndex> wanted = {sample.State("load"), sample.State("cost"),
                                    sample.State("latency"), sample.State("location")};
  std::sort(wanted.begin(), wanted.end());
  const Plan plan = *sample.directory.Compile(query);
  EXPECT_EQ(plan.deciding_states(), wanted);
  EXPECT_LT(plan.cost_shape(), kCostShapesMax);
}

TEST(Directory, RefusesWhatItCannotCompile) {
  SampleDirectory sample;
  model::Query query;
  query.text = "contracts";
  EXPECT_TRUE(absl::IsUnimplemented(sample.directory.Compile(query).status()));
  query = {};
  query.rank = {{"lod", 1}};
  EXPECT_EQ(sample.Refusal(query), "unknown state \"lod\"; did you mean \"load\"? [/rank/lod]");
  query.rank = {{"availability", 1}};
  EXPECT_THAT(sample.Refusal(query),
              HasSubstr("only numbers can be ranked by [/rank/availability]"));
  query.rank = {{"load", 1}};
  query.order_by = "load";
  EXPECT_THAT(sample.Refusal(query), HasSubstr("exclude each other [/rank]"));
  query = {};
  query.max_age = {{"no/such~state", std::chrono::seconds(1)}};
  EXPECT_THAT(sample.Refusal(query), HasSubstr("[/max_age/no~1such~0state]"));
  query = {};
  query.near = model::Near{{91, 0}, 1};
  EXPECT_THAT(sample.Refusal(query), HasSubstr("[/near]"));
  query.near = model::Near{{0, 0}, -1};
  EXPECT_THAT(sample.Refusal(query), HasSubstr("[/near/radius]"));
}

TEST(Directory, AccountsForItsMemory) {
  SampleDirectory sample;
  const std::size_t empty = sample.directory.MemoryUsed();
  for (int i = 0; i < 1000; ++i) sample.Put({.id = base::StrCat("agent-", i)});
  const std::size_t full = sample.directory.MemoryUsed();
  EXPECT_GT(full, empty + 1000 * sizeof(model::Agent));
  EXPECT_LT(full, empty + 1000 * 1024);
}

}  // namespace
}  // namespace muster::directory
