#include "model/report.h"

#include <cmath>
#include <string>

#include "base/strings.h"
#include "base/text.h"
#include "gtest/gtest.h"

namespace muster::model {
namespace {

class ReportParserTest : public ::testing::Test {
 protected:
  ReportParserTest() : catalog_(StateCatalog::BuiltIn()), parser_(Limits()) {
    Declare("requests", StateType::kNumber, StateKind::kCounter);
    Declare("incidents", StateType::kString, StateKind::kEvent);
    Declare("gpu", StateType::kBool);
    Declare("model", StateType::kString);
  }

  void Declare(const char* name, StateType type, StateKind kind = StateKind::kReplaceable) {
    StateSpec spec;
    spec.name = name;
    spec.type = type;
    spec.kind = kind;
    ASSERT_TRUE(catalog_.Declare(spec, 256).ok());
  }

  // The report of agent "a"; also checks that it is taken.
  const Report& Parsed(std::string_view json, std::string_view id = "a") {
    const auto status = parser_.Parse(id, json, catalog_, &report_);
    EXPECT_TRUE(status.ok()) << status;
    return report_;
  }

  std::string Refusal(std::string_view json, std::string_view id = "a") {
    const auto status = parser_.Parse(id, json, catalog_, &report_);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << json << " " << status;
    return std::string(base::Message(status));
  }

  double NumberOf(const char* state) {
    const auto index = catalog_.Find(state);
    for (const ReportedState& reported : report_.states) {
      if (reported.state == index) return std::get<double>(reported.value);
    }
    ADD_FAILURE() << state << " was not reported";
    return 0;
  }

  StateCatalog catalog_;
  ReportParser parser_;
  Report report_;
};

TEST_F(ReportParserTest, ReadsAllOfIt) {
  const Report& report = Parsed(R"({"incarnation": 42, "sequence": 7,
      "generated_at": "2026-12-01T02:53:24.5Z",
      "states": {"load": 0.4, "availability": "busy", "gpu": true,
                 "location": {"longitude": 13.4, "latitude": 52.5}},
      "counters": {"requests": 3},
      "events": [{"name": "incidents", "data": {"a" : [1, 2.0]} }, {"name": "incidents"}]})");
  EXPECT_EQ(report.agent_id, "a");
  EXPECT_EQ(report.incarnation, 42);
  EXPECT_EQ(report.sequence, 7);
  EXPECT_EQ(report.generated_at, *base::ParseRfc3339("2026-12-01T02:53:24.5Z"));
  ASSERT_EQ(report.states.size(), 4);
  EXPECT_EQ(NumberOf("load"), 0.4);
  EXPECT_EQ(std::get<std::string>(report.states[1].value), "busy");
  EXPECT_TRUE(std::get<bool>(report.states[2].value));
  EXPECT_EQ(std::get<Location>(report.states[3].value), (Location{52.5, 13.4}));
  ASSERT_EQ(report.counters.size(), 1);
  EXPECT_EQ(report.counters[0].amount, 3);
  ASSERT_EQ(report.events.size(), 2);
  EXPECT_EQ(report.events[0].state, *catalog_.Find("incidents"));
  EXPECT_EQ(report.events[0].json, R"({"a" : [1, 2.0]})");
  EXPECT_EQ(report.events[1].json, "null");
}

TEST_F(ReportParserTest, KeepsNothingOfTheReportBefore) {
  Parsed(R"({"incarnation": 1, "sequence": 2, "generated_at": "2026-12-01T00:00:00Z",
      "states": {"load": 1}, "counters": {"requests": 1}, "events": [{"name": "incidents"}]})");
  const Report& report = Parsed("{}", "b");
  EXPECT_EQ(report.agent_id, "b");
  EXPECT_FALSE(report.incarnation || report.sequence || report.generated_at);
  EXPECT_TRUE(report.states.empty() && report.counters.empty() && report.events.empty());
  Refusal(R"({"states": {"load": 1}, "x": 1})");
  EXPECT_TRUE(Parsed("{}").states.empty());
}

TEST_F(ReportParserTest, TakesTheIdFromOnePlace) {
  EXPECT_EQ(Parsed(R"({"id": "b\u00e9"})", "").agent_id, "b\u00e9");
  EXPECT_EQ(Parsed(R"({"id": "a"})").agent_id, "a");
  EXPECT_EQ(Refusal("{}", ""), "the report needs an `id` [/id]");
  EXPECT_EQ(Refusal(R"({"id": "b"})"), "this id is not the one in the request's path [/id]");
  for (const char* id : {"\"\"", "\"a\\u0000\"", "\"\\ud800\"", "3", "null"}) {
    Refusal(base::StrCat(R"({"id": )", id, "}"), "");
  }
}

TEST_F(ReportParserTest, ReadsNumbersAsTheNearestDoubles) {
  Parsed(R"({"states": {"load": -0.0, "queue_depth": 9007199254740993, "capacity": 1e308,
      "cost": 5e-324, "latency": 123456789012345678901234567890}})");
  EXPECT_EQ(NumberOf("load"), 0);
  EXPECT_FALSE(std::signbit(NumberOf("load")));
  EXPECT_EQ(NumberOf("queue_depth"), 9007199254740992.0);
  EXPECT_EQ(NumberOf("capacity"), 1e308);
  EXPECT_EQ(NumberOf("cost"), 5e-324);
  EXPECT_EQ(NumberOf("latency"), 123456789012345678901234567890.0);
}

TEST_F(ReportParserTest, RefusesWhatIsNoNumber) {
  for (const char* bad : {"NaN", "nan", "Infinity", "-Infinity", "+1", "01", ".5", "1.", "0x1",
                          "1e", "--1", "1_000", "1e999", "-1e999", "1e309", "0.5x", "truex", "-"}) {
    Refusal(base::StrCat(R"({"states": {"latency": )", bad, "}}"));
    Refusal(base::StrCat(R"({"counters": {"requests": )", bad, "}}"));
    Refusal(base::StrCat(R"({"sequence": )", bad, "}"));
  }
  Refusal(base::StrCat(R"({"states": {"latency": )", std::string(400, '9'), "}}"));
}

TEST_F(ReportParserTest, ReadsSequencesExactly) {
  EXPECT_EQ(Parsed(R"({"sequence": 18446744073709551615})").sequence, 18446744073709551615U);
  EXPECT_EQ(Parsed(R"({"sequence": 9007199254740993})").sequence, 9007199254740993U);
  EXPECT_EQ(Parsed(R"({"incarnation": 0})").incarnation, 0);
  for (const char* bad :
       {"18446744073709551616", "-1", "1.5", "1.0", "1e3", "-0", "\"7\"", "null", "[7]"}) {
    for (const char* field : {"sequence", "incarnation"}) {
      const std::string refusal = Refusal(base::StrCat("{\"", field, "\": ", bad, "}"));
      EXPECT_EQ(refusal,
                base::StrCat("expected a whole number from 0 to 18446744073709551615, got ",
                             bad[0] == '[' ? "an array" : bad, " [/", field, "]"));
    }
  }
}

TEST_F(ReportParserTest, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(Refusal(R"({"states": {"load": 1.7}})"),
            "load must be between 0 and 1, got 1.7 [/states/load]");
  EXPECT_EQ(Refusal(R"({"states": {"load": "0.4" }})"),
            "expected a number for load, got \"0.4\" [/states/load]");
  EXPECT_EQ(Refusal(R"({"states": {"load": null}})"),
            "expected a number for load, got null [/states/load]");
  EXPECT_EQ(Refusal(R"({"states": {"gpu": 1}})"),
            "expected true or false for gpu, got 1 [/states/gpu]");
  EXPECT_EQ(Refusal(R"({"states": {"model": {}}})"),
            "expected a string for model, got an object [/states/model]");
  EXPECT_EQ(Refusal(R"({"states": {"a/b~c": 1}})"),
            "no state of this name is declared; declare it in the registration's `states` or in "
            "the node's configuration [/states/a~1b~0c]");
  EXPECT_EQ(Refusal(R"({"states": {"requests": 1}})"),
            "requests is declared as counter and can't be reported as replaceable "
            "[/states/requests]");
  EXPECT_EQ(Refusal(R"({"counters": {"load": 1}})"),
            "load is declared as replaceable and can't be reported as counter [/counters/load]");
  EXPECT_EQ(Refusal(R"({"state": {}})"),
            "unknown field; expected one of id, incarnation, sequence, generated_at, states, "
            "counters, events [/state]");
  EXPECT_EQ(Refusal(R"({"generated_at": 5})"),
            "expected an RFC 3339 instant in a string, got 5 [/generated_at]");
  EXPECT_EQ(Refusal(R"({"generated_at": "now"})"),
            "expected an RFC 3339 instant such as 2026-12-01T12:00:00.5Z, got \"now\" "
            "[/generated_at]");
  EXPECT_EQ(Refusal(R"({"states": {"model": "a\u0000b"}})"),
            "a text must not hold NUL [/states/model]");
  EXPECT_EQ(Refusal(R"({"events": [{"name": "incidents"}, {"name": "load"}]})"),
            "no event of the name \"load\" is declared; declare it in the registration's `states` "
            "or in the node's configuration [/events/1/name]");
}

TEST_F(ReportParserTest, RefusesWrongShapes) {
  for (const auto& [json, pointer] : {
           std::pair(R"({"states": []})", "[/states]"),
           std::pair(R"({"counters": 1})", "[/counters]"),
           std::pair(R"({"events": {}})", "[/events]"),
           std::pair(R"({"events": [1]})", "[/events/0]"),
           std::pair(R"({"events": [{}]})", "[/events/0]"),
           std::pair(R"({"events": [{"name": "incidents", "when": 1}]})", "[/events/0/when]"),
           std::pair(R"({"events": [{"name": "incidents", "name": "incidents"}]})",
                     "[/events/0/name]"),
           std::pair(R"({"events": [{"name": "incidents", "data": {"a": 1, "a": 2}}]})",
                     "[/events/0/data/a]"),
           std::pair(R"({"states": {"location": {"latitude": 1}}})", "[/states/location]"),
           std::pair(R"({"states": {"location": {"latitude": 91, "longitude": 0}}})",
                     "[/states/location]"),
           std::pair(R"({"states": {"location": {"latitude": "1", "longitude": 0}}})",
                     "[/states/location/latitude]"),
           std::pair(R"({"states": {"location": {"latitude": 1, "height": 0}}})",
                     "[/states/location/height]"),
           std::pair(R"({"states": {"location": [1, 2]}})", "[/states/location]"),
           std::pair(R"({"states": {"load": 0.1, "lo\u0061d": 0.9}})", "[/states/load]"),
           std::pair(R"({"states": {}, "states": {}})", "[/states]"),
           std::pair(R"({"counters": {"requests": 1, "requests": 1}})", "[/counters/requests]"),
           std::pair(R"({"sequence": 1, "sequence": 1})", "[/sequence]"),
           std::pair(R"([])", "[]"),
           std::pair(R"(3)", "[]"),
           std::pair(R"()", "[]"),
       }) {
    const std::string refusal = Refusal(json);
    EXPECT_TRUE(refusal.ends_with(pointer)) << json << ": " << refusal;
  }
}

TEST_F(ReportParserTest, RefusesMalformedTextWithItsOffset) {
  EXPECT_EQ(Refusal(R"({"sequence": 1 "states": {}})"),
            "malformed JSON near byte 15: a comma, colon, bracket or value is missing or too many "
            "[]");
  EXPECT_EQ(Refusal(R"({"sequence": 1}})"),
            "malformed JSON near byte 15: something follows the end of the JSON value []");
  EXPECT_EQ(Refusal("{\"states\": {\"model\": \"\xc3\x28\"}}"),
            "malformed JSON near byte 22: not valid UTF-8 []");
  const std::string whole =
      R"({"sequence":9,"states":{"load":0.5,"model":"x\u00e9"},"counters":{"requests":1},)"
      R"("events":[{"name":"incidents","data":[1,{"a":null}]}]})";
  Parsed(whole);
  for (std::size_t cut = 0; cut < whole.size(); ++cut) Refusal(whole.substr(0, cut));
}

TEST_F(ReportParserTest, RefusesLoneSurrogatesAnywhere) {
  for (const char* bad : {R"(\ud800)", R"(\udc00)", R"(\ud800\u0041)", R"(\udc00\ud800)"}) {
    Refusal(base::StrCat(R"({"states": {"model": ")", bad, "\"}}"));
    Refusal(base::StrCat(R"({"states": {")", bad, "\": 1}}"));
    Refusal(base::StrCat(R"({"events": [{"name": "incidents", "data": ")", bad, "\"}]}"));
    Refusal(base::StrCat(R"({"events": [{"name": "incidents", "data": {")", bad, "\": 1}}]}"));
  }
}

TEST_F(ReportParserTest, SurvivesBrackets) {
  const auto repeat = [](std::string_view piece, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += piece;
    return all;
  };
  for (const std::string& deep : {repeat("[", 60'000), repeat("[", 30'000) + repeat("]", 30'000),
                                  repeat("{\"a\":", 6'000) + "1" + repeat("}", 6'000)}) {
    Refusal(deep);
    Refusal(base::StrCat(R"({"states": )", deep, "}"));
    Refusal(base::StrCat(R"({"states": {"load": )", deep, "}}"));
    Refusal(base::StrCat(R"({"events": [{"name": "incidents", "data": )", deep, "}]}"));
  }
}

TEST(ReportParser, BoundsEverything) {
  StateCatalog catalog = StateCatalog::BuiltIn();
  StateSpec event;
  event.name = "e";
  event.kind = StateKind::kEvent;
  ASSERT_TRUE(catalog.Declare(event, 256).ok());
  StateSpec text;
  text.name = "t";
  text.type = StateType::kString;
  ASSERT_TRUE(catalog.Declare(text, 256).ok());
  Limits limits;
  limits.report_bytes_max = 100;
  limits.report_states_max = 2;
  limits.report_events_max = 1;
  limits.event_bytes_max = 4;
  limits.state_text_bytes_max = 4;
  ReportParser parser(limits);
  Report report;
  const auto parse = [&](std::string_view json) {
    return parser.Parse("a", json, catalog, &report);
  };
  EXPECT_TRUE(
      parse(R"({"states": {"load": 1, "t": "1234"}, "events": [{"name": "e", "data": 1234}]})")
          .ok());
  EXPECT_TRUE(absl::IsInvalidArgument(parse(R"({"states": {"load": 1, "cost": 1, "t": "1"}})")));
  EXPECT_TRUE(absl::IsInvalidArgument(parse(R"({"states": {"t": "12345"}})")));
  EXPECT_TRUE(absl::IsInvalidArgument(parse(R"({"events": [{"name": "e"}, {"name": "e"}]})")));
  EXPECT_TRUE(absl::IsInvalidArgument(parse(R"({"events": [{"name": "e", "data": 12345}]})")));
  EXPECT_TRUE(parse("{}" + std::string(98, ' ')).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(parse("{}" + std::string(99, ' '))));
}

TEST(CheckGeneratedAt, TakesWhatTheClocksMayDifferBy) {
  const base::WallTime now = base::WallFromUnixNanos(1'000'000'000'000'000'000);
  const Limits limits;
  EXPECT_TRUE(CheckGeneratedAt(now + limits.clock_skew_max, now, limits).ok());
  EXPECT_TRUE(CheckGeneratedAt(now - std::chrono::hours(24 * 365), now, limits).ok());
  const auto ahead = CheckGeneratedAt(now + std::chrono::hours(24), now, limits);
  EXPECT_TRUE(absl::IsInvalidArgument(ahead));
  EXPECT_EQ(base::Message(ahead),
            "generated_at is 86400s ahead of this node's clock; at most 5s is accepted "
            "(limits.clock_skew_max): check the agent's clock [/generated_at]");
}

}  // namespace
}  // namespace muster::model
