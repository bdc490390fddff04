#include "model/agent.h"

#include <string>

#include "base/strings.h"
#include "gtest/gtest.h"

namespace muster::model {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

Registration Parsed(std::string_view json, const Limits& limits = {}) {
  auto registration = ParseRegistration("a", json, limits);
  EXPECT_TRUE(registration.ok()) << registration.status();
  return registration.ok() ? *std::move(registration) : Registration();
}

std::string Refusal(std::string_view json, const Limits& limits = {}) {
  const auto registration = ParseRegistration("a", json, limits);
  EXPECT_TRUE(absl::IsInvalidArgument(registration.status())) << registration.status();
  return std::string(base::Message(registration.status()));
}

// A registration whose other fields are right.
std::string With(std::string_view field) {
  return base::StrCat(R"({"card": {"name": "x"}, )", field, "}");
}

TEST(ParseRegistration, ReadsAllOfIt) {
  const Registration registration = Parsed(R"({
      "labels": {"zone": "b", "region": "eu"},
      "lease": "90s", "max_age": {"load": "1s", "cost": "500ms"},
      "states": {"battery": {"type": "number", "kind": "replaceable", "max_age": "30s",
                             "minimum": -0.0, "maximum": 1, "critical": true},
                 "mood": {"type": "string", "allowed": ["good", "bad"]},
                 "served": {"kind": "counter"}},
      "card" :  {"name": "x" , "y": [ ] }  })");
  EXPECT_EQ(registration.id, "a");
  EXPECT_EQ(registration.card.json, R"({"name": "x" , "y": [ ] })");
  EXPECT_EQ(registration.card.name, "x");
  ASSERT_EQ(registration.labels.size(), 2);
  EXPECT_EQ(registration.labels[0], std::pair(std::string("region"), std::string("eu")));
  EXPECT_EQ(registration.labels[1], std::pair(std::string("zone"), std::string("b")));
  EXPECT_EQ(registration.lease, seconds(90));
  ASSERT_EQ(registration.max_age.size(), 2);
  EXPECT_EQ(registration.max_age[0].first, "cost");
  EXPECT_EQ(registration.max_age[0].second, milliseconds(500));
  ASSERT_EQ(registration.states.size(), 3);
  StateSpec battery;
  battery.name = "battery";
  battery.max_age = seconds(30);
  battery.minimum = 0;
  battery.maximum = 1;
  battery.critical = true;
  EXPECT_EQ(registration.states[0], battery);
  EXPECT_EQ(registration.states[1].type, StateType::kString);
  EXPECT_EQ(registration.states[1].allowed, (std::vector<std::string>{"good", "bad"}));
  EXPECT_EQ(registration.states[2].kind, StateKind::kCounter);
}

TEST(ParseRegistration, NeedsTheCardAlone) {
  const Registration registration = Parsed(R"({"card":{"name":"x"}})");
  EXPECT_EQ(registration.lease, base::Duration(0));
  EXPECT_TRUE(registration.labels.empty());
  EXPECT_EQ(Refusal("{}"), "the registration needs a `card` [/card]");
}

TEST(ParseRegistration, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(Refusal(With(R"("colour": 1)")),
            "unknown field; expected one of card, labels, lease, max_age, states [/colour]");
  EXPECT_EQ(Refusal(With(R"("states": {"x": {"colour": 1}})")),
            "unknown field; expected one of type, kind, max_age, minimum, maximum, allowed, "
            "critical [/states/x/colour]");
}

TEST(ParseRegistration, RefusesKeysThatStandTwice) {
  for (const auto& [field, pointer] :
       {std::pair(R"("card": {"name": "y"})", "[/card]"),
        std::pair(R"("labels": {"k": "1", "\u006b": "2"})", "[/labels/k]"),
        std::pair(R"("lease": "1s", "lease": "1s")", "[/lease]"),
        std::pair(R"("max_age": {"load": "1s", "load": "1s"})", "[/max_age/load]"),
        std::pair(R"("states": {"x": {}, "x": {}})", "[/states/x]"),
        std::pair(R"("states": {"x": {"type": "bool", "type": "bool"}})", "[/states/x/type]")}) {
    EXPECT_EQ(Refusal(With(field)),
              base::StrCat("this key stands here twice; send each once ", pointer));
  }
}

TEST(ParseRegistration, SaysWhatWasFoundInsteadAndWhere) {
  EXPECT_EQ(Refusal(With(R"("labels": [1])")),
            "expected an object of strings, got an array [/labels]");
  EXPECT_EQ(Refusal(With(R"("labels": {"a/b~": 1.5 })")),
            "expected a string, got 1.5 [/labels/a~1b~0]");
  EXPECT_EQ(Refusal(With(R"("lease": 5)")),
            "expected a duration in a string, such as \"150ms\", got 5 [/lease]");
  EXPECT_EQ(Refusal(With(R"("lease": "soon")")),
            "expected a duration such as 150ms, 2s or 1m30s, got \"soon\" [/lease]");
  EXPECT_EQ(Refusal(With(R"("lease": "0s")")),
            "a lease must be above 0 and at most 2592000s (limits.lease_max), got 0s [/lease]");
  EXPECT_EQ(Refusal(With(R"("max_age": {"load": "0s"})")),
            "a maximum age must be above 0, got 0s [/max_age/load]");
  EXPECT_EQ(Refusal(With(R"("states": {"x": {"type": "colour"}})")),
            "expected number, string, bool or location, got \"colour\" [/states/x/type]");
  EXPECT_EQ(Refusal(With(R"("states": {"x": {"minimum": 2, "maximum": 1}})")),
            "state \"x\": minimum is above maximum [/states/x]");
  EXPECT_EQ(Refusal(With(R"("states": {"x": {"critical": null}})")),
            "expected true or false, got null [/states/x/critical]");
  EXPECT_EQ(Refusal(R"({"card": "x"})"), "expected an object, the agent's card, got \"x\" [/card]");
}

TEST(ParseRegistration, RefusesBadText) {
  for (const char* field : {R"("labels": {"k": "\ud800"})", R"("labels": {"\udc00": "v"})",
                            R"("labels": {"k": "a\u0000b"})", R"("labels": {"a\nb": "v"})",
                            R"("labels": {"": "v"})", R"("labels": {"k": "\u0085"})",
                            R"("states": {"x": {"type": "string", "allowed": ["\u0000"]}})",
                            R"("states": {"x": {"type": "string", "allowed": ["\ud800"]}})"}) {
    Refusal(With(field));
  }
  Refusal(With("\"labels\": {\"k\": \"\xC3\"}"));
}

TEST(ParseRegistration, RefusesMalformedTextWithItsOffset) {
  EXPECT_NE(Refusal(R"({"card": {"name": "x"}} x)").find("byte 24"), std::string::npos);
  EXPECT_NE(Refusal(R"({"card": {"name": "x"},})").find("byte"), std::string::npos);
  for (const char* json : {"", " ", "x", "[]", "3", "\"card\"", "{", "}", "{\"card\"", "{\"card\":",
                           "{\"card\":{\"name\":\"x\"}", "{\"card\":{\"name\":\"x\"]}"}) {
    Refusal(json);
  }
  const std::string whole = With(R"("labels": {"k": "v\u00e9"}, "lease": "5s")");
  for (std::size_t cut = 0; cut < whole.size(); ++cut) Refusal(whole.substr(0, cut));
}

TEST(ParseRegistration, BoundsEverything) {
  Limits limits;
  limits.labels_max = 2;
  limits.label_bytes_max = 4;
  limits.states_max = 1;
  limits.state_name_bytes_max = 3;
  limits.lease_max = hours(1);
  Parsed(With(R"("labels": {"abcd": "1234", "b": ""}, "states": {"abc": {}}, "lease": "1h")"),
         limits);
  Refusal(With(R"("labels": {"a": "", "b": "", "c": ""})"), limits);
  Refusal(With(R"("labels": {"abcde": ""})"), limits);
  Refusal(With(R"("labels": {"a": "12345"})"), limits);
  Refusal(With(R"("states": {"a": {}, "b": {}})"), limits);
  Refusal(With(R"("states": {"abcd": {}})"), limits);
  Refusal(With(R"("max_age": {"a": "1s", "b": "1s"})"), limits);
  Refusal(With(R"("lease": "3601s")"), limits);
  limits.card_bytes_max = 12;
  EXPECT_TRUE(ParseRegistration("a", R"({"card":{"name":"x"}})", limits).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(
      ParseRegistration("a", R"({"card":{"name":"xy"}})", limits).status()));
}

TEST(ParseRegistration, BoundsAllowedValues) {
  std::string many;
  for (int i = 0; i < 257; ++i) base::StrAppend(&many, i == 0 ? "" : ",", "\"", i, "\"");
  EXPECT_NE(
      Refusal(With(base::StrCat(R"("states":{"x":{"type":"string","allowed":[)", many, "]}}")))
          .find("more than 256"),
      std::string::npos);
  Refusal(With(base::StrCat(R"("states":{"x":{"type":"string","allowed":[")", std::string(257, 'x'),
                            "\"]}}")));
}

TEST(CheckAgentId, TakesAnyPrintableUtf8) {
  const Limits limits;
  for (const char* id : {"a", "a/b", "a b", "\u00e9", "\U0001F600", "%", "..", "\u00a0"}) {
    EXPECT_TRUE(CheckAgentId(id, limits).ok()) << id;
  }
  EXPECT_TRUE(CheckAgentId(std::string(256, 'x'), limits).ok());
}

TEST(CheckAgentId, RefusesTheRest) {
  const Limits limits;
  for (const std::string& id :
       {std::string(), std::string(257, 'x'), std::string("a\0b", 3), std::string("a\nb"),
        std::string("\x7f"), std::string("\xC2\x80"), std::string("\xff"), std::string("\xC3"),
        std::string("\xed\xa0\x80")}) {
    EXPECT_TRUE(absl::IsInvalidArgument(CheckAgentId(id, limits))) << id;
    EXPECT_FALSE(ParseRegistration(id, R"({"card":{"name":"x"}})", limits).ok()) << id;
  }
}

TEST(SameRegistration, ComparesAllButWhitespaceAround) {
  const Registration a = Parsed(With(R"("labels": {"a": "1", "b": "2"})"));
  EXPECT_TRUE(SameRegistration(a, Parsed(With(R"("labels": {"b": "2", "a": "1"})"))));
  EXPECT_FALSE(SameRegistration(a, Parsed(With(R"("labels": {"a": "1"})"))));
  EXPECT_FALSE(
      SameRegistration(a, Parsed(With(R"("labels": {"a": "1", "b": "2"}, "lease": "1s")"))));
  EXPECT_FALSE(
      SameRegistration(a, Parsed(R"({"card": {"name":"x"}, "labels": {"a": "1", "b": "2"}})")));
}

}  // namespace
}  // namespace muster::model
