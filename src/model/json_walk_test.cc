#include "model/json_walk.h"

#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "model/agent.h"
#include "model/card.h"
#include "model/json_document.h"
#include "model/query.h"
#include "model/report.h"

namespace muster::model {
namespace {

namespace ondemand = simdjson::ondemand;

absl::Status Walked(const std::string& json) {
  return ReadDocument(json, "JSON", [](ondemand::value value) { return CheckJson(value, "", 64); });
}

// Texts near enough to JSON that a fault of any kind comes up.
std::string AnyText() {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\"", "\"\\u00e9\"", "\"\\ud800\"", "\"", "1", "-0",
      "1e999", "0.5", "01", "true", "false", "null", "nul", " ", "\n", "\xff", "\"\x01\"",
      "{\"a\":", "{\"a\":1}", "[1,", "[]", "{}", ",\"c\":", std::string(1, '\0')));
  std::string text = *rc::gen::element<std::string>("{", "[", "{\"a\":[", "");
  for (const std::string& piece : pieces) text += piece;
  return text;
}

std::string AnyValue(int depth) {
  const int kind = *rc::gen::inRange(0, depth > 0 ? 7 : 5);
  if (kind < 5) {
    return *rc::gen::element<std::string>("1", "-2.5e3", "true", "null", "\"x\\n\"", "\"\u00e9\"",
                                          "0");
  }
  const int count = *rc::gen::inRange(0, 4);
  std::string text = kind == 5 ? "[" : "{";
  for (int i = 0; i < count; ++i) {
    if (i > 0) text += " , ";
    if (kind == 6) text += "\"k" + std::to_string(i) + "\" : ";
    text += AnyValue(depth - 1);
  }
  return text + (kind == 5 ? "]" : "}");
}

std::string Mutated(std::string text) {
  const int times = *rc::gen::inRange(0, 3);
  for (int i = 0; i < times && !text.empty(); ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const char c = *rc::gen::element('{', '}', '[', ']', ',', ':', '"', '\\', '1', ' ', 'x', '\0');
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        text[at] = c;
        break;
      case 1:
        text.insert(at, 1, c);
        break;
      default:
        text.erase(at, 1);
    }
  }
  return text;
}

// simdjson's other parser, which checks the whole text. It knows neither duplicates (which aren't
// made here) nor integers beyond 64 bits (nor these).
void AgreesWithTheWholeParser(const std::string& json) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  const bool is_json = parser.parse(json).get(root) == simdjson::SUCCESS;
  const bool is_container = is_json && (root.is_object() || root.is_array());
  const absl::Status walked = Walked(json);
  if (is_container && walked.message().find("twice") != absl::string_view::npos) return;
  RC_LOG() << json << " " << walked << std::endl;
  RC_ASSERT(walked.ok() == is_container);
}

TEST(CheckJson, TakesExactlyWhatIsJson) {
  EXPECT_TRUE(rc::check([] { AgreesWithTheWholeParser(AnyText()); }));
  EXPECT_TRUE(rc::check([] { AgreesWithTheWholeParser(Mutated("[" + AnyValue(4) + "]")); }));
  EXPECT_TRUE(rc::check([] { AgreesWithTheWholeParser(Mutated("{\"a\":" + AnyValue(4) + "}")); }));
}

// Whatever the bytes, an answer or a refusal that a person can read.
void IsRefusedWell(const absl::Status& status) {
  if (status.ok() || absl::IsResourceExhausted(status)) return;
  RC_ASSERT(absl::IsInvalidArgument(status));
  const auto message = status.message();
  RC_ASSERT(simdjson::validate_utf8(message.data(), message.size()));
  RC_ASSERT(message.back() == ']');
  RC_ASSERT(message.size() < 6'000);
}

void AllParsersRefuseWell(const std::string& json) {
  static const StateCatalog catalog = StateCatalog::BuiltIn();
  static ReportParser parser{Limits()};
  static Report report;
  const Limits limits;
  IsRefusedWell(ParseCard(json, limits).status());
  IsRefusedWell(ParseRegistration("a", json, limits).status());
  IsRefusedWell(ParseQuery(json, limits).status());
  IsRefusedWell(parser.Parse("a", json, catalog, &report));
  IsRefusedWell(parser.Parse("", json, catalog, &report));
}

TEST(EveryParser, RefusesAnyBytesWell) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) { AllParsersRefuseWell(bytes); }));
  EXPECT_TRUE(rc::check([] { AllParsersRefuseWell(AnyText()); }));
}

TEST(EveryParser, RefusesMutationsOfTheRightWell) {
  const std::vector<std::string> rights = {
      R"({"name":"x","skills":[{"id":"a","tags":["t"]}],"provider":{"organization":"o"}})",
      R"({"card":{"name":"x"},"labels":{"k":"v"},"lease":"1m30s","max_age":{"load":"1s"},)"
      R"("states":{"battery":{"type":"number","minimum":0,"maximum":1,"critical":true}}})",
      R"({"filter":"load < 0.5","near":{"latitude":1,"longitude":2,"radius":3},"limit":3,)"
      R"("rank":{"load":-1},"deadline":"1s","freshness":"any","fields":["name"]})",
      R"({"id":"a","sequence":7,"generated_at":"2026-12-01T00:00:00Z","states":{"load":0.4,)"
      R"("availability":"ready","location":{"latitude":1,"longitude":2}},"events":[]})"};
  EXPECT_TRUE(rc::check([&] {
    for (const std::string& right : rights) AllParsersRefuseWell(Mutated(right));
  }));
}

}  // namespace
}  // namespace muster::model
