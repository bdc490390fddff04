// Every operator on every kind of field, with answers worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "directory/testing/sample.h"

namespace muster::directory {
namespace {

using testing::AtSecond;
using testing::SampleDirectory;
using testing::ServedSecond;
using testing::WallSecond;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class FilterSemantics : public ::testing::Test {
 protected:
  FilterSemantics() {
    sample_.Declare("gpu", model::StateType::kBool);
    sample_.Declare("model", model::StateType::kString);
    sample_.Declare("alarms", model::StateType::kString, model::StateKind::kEvent);
    sample_.Put({.id = "a",
                 .name = "Translator Pro",
                 .provider = "Acme",
                 .skills = {"summarize", "translate"},
                 .tags = {"nlp"},
                 .domains = {"legal"},
                 .protocols = {"JSONRPC"},
                 .labels = {{"k with dots.x", "1"}, {"region", "eu"}}});
    sample_.Put({.id = "b",
                 .name = "Painter",
                 .provider = "Bolt",
                 .skills = {"paint", "translate"},
                 .tags = {"art", "nlp"},
                 .labels = {{"region", "us"}}});
    sample_.Put({.id = "c", .name = "translator lite"});
    sample_.Report("a", "load", 0.25);
    sample_.Report("b", "load", 0.75);
    sample_.Report("a", "availability", std::string("ready"));
    sample_.Report("b", "availability", std::string("busy"));
    sample_.Report("a", "gpu", true);
    sample_.Report("b", "gpu", false);
    sample_.Report("a", "model", std::string("Alpha-7B"));
    sample_.Report("b", "model", std::string("beta-13B"));
    sample_.Report("b", "location", model::Location{52.5, 13.4});
  }

  std::vector<std::string> Ids(std::string_view filter) const { return sample_.Ids(filter); }
  std::string Refusal(std::string_view filter) const { return sample_.Refusal(filter); }

  SampleDirectory sample_;
};

TEST_F(FilterSemantics, ComparesNumbers) {
  EXPECT_THAT(Ids("load = 0.25"), ElementsAre("a"));
  EXPECT_THAT(Ids("load != 0.25"), ElementsAre("b"));
  EXPECT_THAT(Ids("load < 0.75"), ElementsAre("a"));
  EXPECT_THAT(Ids("load <= 0.75"), ElementsAre("a", "b"));
  EXPECT_THAT(Ids("load > 0.25"), ElementsAre("b"));
  EXPECT_THAT(Ids("load >= 2.5e-1"), ElementsAre("a", "b"));
  EXPECT_THAT(Ids("load : 0.75"), ElementsAre("b"));
  EXPECT_THAT(Ids("load > -1"), ElementsAre("a", "b"));
}

TEST_F(FilterSemantics, AStateNeverReportedMakesEveryComparisonFalse) {
  for (const std::string_view filter :
       {"load < 9", "load != 9", "model != \"x\"", "model = \"*\"", "gpu != true", "load:*"}) {
    EXPECT_THAT(Ids(filter), ::testing::Not(::testing::Contains("c"))) << filter;
  }
  EXPECT_THAT(Ids("NOT load < 0.5"), ElementsAre("b", "c"));
  EXPECT_THAT(Ids("-load:*"), ElementsAre("c"));
  EXPECT_THAT(Ids("cost > 0"), IsEmpty());
}

TEST_F(FilterSemantics, ComparesTextsOfStates) {
  EXPECT_THAT(Ids("model = \"Alpha-7B\""), ElementsAre("a"));
  EXPECT_THAT(Ids("model = Alpha-7B"), ElementsAre("a"));
  EXPECT_THAT(Ids("model = \"alpha-7B\""), IsEmpty());
  EXPECT_THAT(Ids("model != \"Alpha-7B\""), ElementsAre("b"));
  EXPECT_THAT(Ids("model = \"*B\""), ElementsAre("a", "b"));
  EXPECT_THAT(Ids("model = \"Al*\""), ElementsAre("a"));
  EXPECT_THAT(Ids("model = \"*-1*\""), ElementsAre("b"));
  EXPECT_THAT(Ids("model != \"*-1*\""), ElementsAre("a"));
  EXPECT_THAT(Ids("model < \"b\""), ElementsAre("a"));
  EXPECT_THAT(Ids("model >= \"beta-13B\""), ElementsAre("b"));
  EXPECT_THAT(Ids("model : \"ALPHA\""), ElementsAre("a"));
  EXPECT_THAT(Ids("model = \"never seen\""), IsEmpty());
  EXPECT_THAT(Ids("model != \"never seen\""), ElementsAre("a", "b"));
  EXPECT_THAT(Ids("availability = ready"), ElementsAre("a"));
}

TEST_F(FilterSemantics, ComparesBooleans) {
  EXPECT_THAT(Ids("gpu = true"), ElementsAre("a"));
  EXPECT_THAT(Ids("gpu = false"), ElementsAre("b"));
  EXPECT_THAT(Ids("gpu != true"), ElementsAre("b"));
  EXPECT_THAT(Ids("gpu : true"), ElementsAre("a"));
}

TEST_F(FilterSemantics, AsksWhetherALocationIsThere) {
  EXPECT_THAT(Ids("location:*"), ElementsAre("b"));
  EXPECT_THAT(Ids("NOT location:*"), ElementsAre("a", "c"));
  EXPECT_THAT(Refusal("location = 1"), HasSubstr("is a location and can't be compared at 1"));
}

TEST_F(FilterSemantics, LooksForElementsOfLists) {
  EXPECT_THAT(Ids("skill = \"translate\""), ElementsAre("a", "b"));
  EXPECT_THAT(Ids("skill:paint"), ElementsAre("b"));
  EXPECT_THAT(Ids("skill:pain"), IsEmpty());
  EXPECT_THAT(Ids("skill != paint"), ElementsAre("a", "c"));
  EXPECT_THAT(Ids("NOT skill:translate"), ElementsAre("c"));
  EXPECT_THAT(Ids("skill = \"*ize\""), ElementsAre("a"));
  EXPECT_THAT(Ids("skill != \"p*\""), ElementsAre("a", "c"));
  EXPECT_THAT(Ids("skill:*"), ElementsAre("a", "b"));
  EXPECT_THAT(Ids("tag:nlp tag:art"), ElementsAre("b"));
  EXPECT_THAT(Ids("domain:legal"), ElementsAre("a"));
  EXPECT_THAT(Ids("protocol = JSONRPC"), ElementsAre("a"));
  EXPECT_THAT(Refusal("skill < x"), StartsWith("\"skill\" is a list at 1"));
}

TEST_F(FilterSemantics, ComparesLabelsAndProviders) {
  EXPECT_THAT(Ids("labels.region = \"eu\""), ElementsAre("a"));
  EXPECT_THAT(Ids("labels.region != \"eu\""), ElementsAre("b"));
  EXPECT_THAT(Ids("labels.region > \"eu\""), ElementsAre("b"));
  EXPECT_THAT(Ids("labels.region:U"), ElementsAre("a", "b"));
  EXPECT_THAT(Ids("labels.region:*"), ElementsAre("a", "b"));
  EXPECT_THAT(Ids("-labels.region:*"), ElementsAre("c"));
  EXPECT_THAT(Ids("labels.\"k with dots.x\" = 1"), ElementsAre("a"));
  EXPECT_THAT(Ids("labels.nobody = 1"), IsEmpty());
  EXPECT_THAT(Ids("provider = Acme OR provider:bol"), ElementsAre("a", "b"));
  EXPECT_THAT(Ids("provider < \"B\""), ElementsAre("a"));
  EXPECT_THAT(Ids("provider != Acme"), ElementsAre("b"));
}

TEST_F(FilterSemantics, ComparesIdsAndNames) {
  EXPECT_THAT(Ids("id = b"), ElementsAre("b"));
  EXPECT_THAT(Ids("id = nobody"), IsEmpty());
  EXPECT_THAT(Ids("id != b"), ElementsAre("a", "c"));
  EXPECT_THAT(Ids("id < b"), ElementsAre("a"));
  EXPECT_THAT(Ids("id <= b"), ElementsAre("a", "b"));
  EXPECT_THAT(Ids("id > b"), ElementsAre("c"));
  EXPECT_THAT(Ids("id >= b"), ElementsAre("b", "c"));
  EXPECT_THAT(Ids("id > bb"), ElementsAre("c"));
  EXPECT_THAT(Ids("id = \"b*\""), ElementsAre("b"));
  EXPECT_THAT(Ids("id != \"b*\""), ElementsAre("a", "c"));
  EXPECT_THAT(Ids("id = \"*\""), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Ids("id = \"*c\""), ElementsAre("c"));
  EXPECT_THAT(Ids("id:*"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Ids("name:TRANSLATOR"), ElementsAre("a", "c"));
  EXPECT_THAT(Ids("name = \"Translator Pro\""), ElementsAre("a"));
  EXPECT_THAT(Ids("name = \"*lite\""), ElementsAre("c"));
  EXPECT_THAT(Ids("name:*"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Ids("name < \"Q\""), ElementsAre("b"));
}

TEST_F(FilterSemantics, CombinesBitmapsAndColumns) {
  EXPECT_THAT(Ids("skill:translate AND load < 0.5"), ElementsAre("a"));
  EXPECT_THAT(Ids("skill:paint OR load < 0.5"), ElementsAre("a", "b"));
  EXPECT_THAT(Ids("NOT (skill:paint OR load < 0.5)"), ElementsAre("c"));
  EXPECT_THAT(Ids("(skill:paint AND load > 0.5) OR (tag:nlp AND NOT gpu = false)"),
              ElementsAre("a", "b"));
  EXPECT_THAT(Ids("NOT (skill:paint AND tag:nlp) NOT domain:legal"), ElementsAre("c"));
  EXPECT_THAT(Ids("NOT skill:paint OR NOT tag:nlp"), ElementsAre("a", "c"));
  EXPECT_THAT(Ids("id = a OR id = c"), ElementsAre("a", "c"));
}

TEST_F(FilterSemantics, LeavesTheLapsedOutUnlessAskedFor) {
  sample_.Put({.id = "d", .lease = std::chrono::seconds(5)});
  model::Query query;
  query.limit = 10;
  const auto ids = [&](double second) {
    QueryResult result;
    sample_.directory.Execute(*sample_.directory.Compile(query), AtSecond(second), &result);
    return sample_.ToIds(result);
  };
  EXPECT_THAT(ids(5), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(ids(5.001), ElementsAre("a", "b", "c"));
  query.filter = "lapsed = true";
  EXPECT_THAT(ids(6), ElementsAre("d"));
  query.filter = "lapsed != true";
  EXPECT_THAT(ids(6), ElementsAre("a", "b", "c"));
  query.filter = "lapsed:false OR id = d";
  EXPECT_THAT(ids(6), ElementsAre("a", "b", "c", "d"));
  query.filter = "";
  query.include_lapsed = true;
  EXPECT_THAT(ids(6), ElementsAre("a", "b", "c", "d"));
  query.include_lapsed = false;
  sample_.directory.MarkHeard(*sample_.directory.Find("d"), WallSecond(6), ServedSecond(6));
  EXPECT_THAT(ids(11), ElementsAre("a", "b", "c", "d"));
}

TEST_F(FilterSemantics, RefusesWhatDoesNotFit) {
  EXPECT_EQ(Refusal("skill:a AND laod < 1"),
            "unknown field \"laod\" at 13; did you mean \"load\"? [/filter]");
  EXPECT_EQ(
      Refusal("zzzzz = 1"),
      "unknown field \"zzzzz\" at 1; known are id, name, provider, skill, tag, domain, protocol, "
      "labels.KEY, lapsed and the declared states [/filter]");
  EXPECT_THAT(Refusal("labels = 1"), StartsWith("\"labels\" needs a key at 1"));
  EXPECT_THAT(Refusal("load.x = 1"), StartsWith("unknown field \"load.x\" at 1"));
  EXPECT_EQ(Refusal("load < high"),
            "\"load\" is a number and \"high\" is none at 8; write for example 0.5, -3 or 1e6 "
            "[/filter]");
  for (const std::string_view bad :
       {"1e999", "nan", "inf", "-inf", "0x10", "1x", "\"1\"", "1..2"}) {
    EXPECT_THAT(Refusal(std::string("load = ") + std::string(bad)), HasSubstr("is a number"))
        << bad;
  }
  EXPECT_EQ(Refusal("gpu = yes"), "\"gpu\" is true or false, not \"yes\" at 7 [/filter]");
  EXPECT_EQ(Refusal("gpu < true"), "\"gpu\" is true or false at 1; it takes = and != [/filter]");
  EXPECT_EQ(Refusal("availability = redy"),
            "\"availability\" is never \"redy\" at 16; did you mean \"ready\"? [/filter]");
  EXPECT_THAT(Refusal("availability = green"), HasSubstr("it is one of ready, busy"));
  EXPECT_THAT(Refusal("alarms:*"), StartsWith("\"alarms\" is a history of events at 1"));
  EXPECT_THAT(Refusal(std::string(9000, 'x')), StartsWith("longer than 8192 bytes"));
}

}  // namespace
}  // namespace muster::directory
