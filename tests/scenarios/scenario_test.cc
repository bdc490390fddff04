// Every scenario in one process and in virtual time, straight through and with a restart before
// each step. tests/functional/scenario_test.py runs the same files over HTTP.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <filesystem>
#include <map>

#include "api/target.h"
#include "base/strings.h"
#include "base/text.h"
#include "in_process_node.h"
#include "scenario_file.h"

namespace muster::scenarios {
namespace {

using simdjson::dom::element;

std::vector<std::string> Files() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(MUSTER_SOURCE_DIR "/tests/scenarios")) {
    if (entry.path().extension() == ".scenario") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Scenario : public testing::TestWithParam<std::string> {
 protected:
  void RunAll(bool restarts);
  void Do(const Step& step);
  Answer Ask(const Step& step);
  void AwaitLapse(const Step& step);
  std::string Filled(std::string_view text, bool quoted) const;
  void ExpectIds(const std::vector<std::string>& ids, element answer);
  void ExpectHolds(element wanted, element found, const std::string& where);
  void ExpectMembers(element wanted, element found, const std::string& where);
  void ExpectElements(element wanted, element found, const std::string& where);

  InProcessNode node_;
  std::map<std::string, std::string> names_;  // to the JSON that they stand for
};

// The step's text with names and instants filled in; `quoted`: it is JSON, else a query.
std::string Scenario::Filled(std::string_view text, bool quoted) const {
  std::string filled;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = !quoted || text[at] == '"';
    const std::size_t mark = quoted ? at + 1 : at;
    if (!begins || mark >= text.size() || (text[mark] != '$' && text[mark] != '@')) {
      filled.push_back(text[at++]);
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(quoted ? "\"" : "&", mark), text.size());
    const std::string word(text.substr(mark, end - mark));
    at = quoted ? end + 1 : end;
    if (word.front() == '$') {
      const std::string& json = names_.at(word);
      filled += quoted ? json : json.substr(1, json.size() - 2);
      continue;
    }
    const base::Duration span = *base::ParseDuration(word.substr(2));
    filled += '"';
    base::AppendRfc3339(&filled, node_.now().wall + (word[1] == '-' ? -span : span));
    filled += '"';
  }
  return filled;
}

Answer Scenario::Ask(const Step& step) {
  using api::Method;
  std::string agent = "/v1/agents/";
  api::PercentEncode(step.id, &agent);
  if (step.verb == "list") {
    const std::string query = Filled(step.argument, false);
    return node_.Ask(Method::kGet, query.empty() ? "/v1/agents" : "/v1/agents?" + query, "");
  }
  const std::string body = Filled(step.argument, true);
  if (step.verb == "register") return node_.Ask(Method::kPut, agent, body);
  if (step.verb == "get") return node_.Ask(Method::kGet, agent, "");
  if (step.verb == "deregister") return node_.Ask(Method::kDelete, agent, "");
  if (step.verb == "events") return node_.Ask(Method::kGet, agent + "/events", "");
  if (step.verb == "report") return node_.Ask(Method::kPost, agent + "/reports?ack=durable", body);
  if (step.verb == "discover") return node_.Ask(Method::kPost, "/v1/agents:discover", body);
  EXPECT_EQ(step.verb, "upload");
  simdjson::dom::parser parser;
  std::string lines;
  for (const element report : parser.parse(body).get_array()) {
    lines += simdjson::minify(report) + "\n";
  }
  return node_.Upload(lines);
}

void Scenario::AwaitLapse(const Step& step) {
  Step look = step;
  look.verb = "get";
  for (int i = 0; i < 100; ++i) {
    if (Ask(look).body.find("\"lapsed\":true") != std::string::npos) return;
    node_.Pass(std::chrono::milliseconds(100));
  }
  ADD_FAILURE() << step.id << " has not lapsed after ten seconds";
}

void Scenario::ExpectIds(const std::vector<std::string>& ids, element answer) {
  std::vector<std::string> found;
  for (const element agent : answer["agents"].get_array()) {
    found.emplace_back(agent["id"].get_string().value());
  }
  EXPECT_EQ(found, ids);
}

void Scenario::ExpectMembers(element wanted, element found, const std::string& where) {
  simdjson::dom::object members;
  ASSERT_EQ(found.get(members), simdjson::SUCCESS) << where;
  const simdjson::dom::object named = wanted.get_object();
  if (named.size() == 0) {
    EXPECT_EQ(members.size(), 0u) << where;
  }
  for (const auto& [key, part] : named) {
    element member;
    ASSERT_EQ(members.at_key(key).get(member), simdjson::SUCCESS) << where << "/" << key;
    ExpectHolds(part, member, base::StrCat(where, "/", key));
  }
}

void Scenario::ExpectElements(element wanted, element found, const std::string& where) {
  simdjson::dom::array elements;
  ASSERT_EQ(found.get(elements), simdjson::SUCCESS) << where;
  const simdjson::dom::array named = wanted.get_array();
  ASSERT_EQ(elements.size(), named.size()) << where << ": " << simdjson::minify(found);
  for (std::size_t i = 0; i < named.size(); ++i) {
    ExpectHolds(named.at(i).value(), elements.at(i).value(), base::StrCat(where, "/", i));
  }
}

void Scenario::ExpectHolds(element wanted, element found, const std::string& where) {
  std::string_view text;
  if (wanted.get(text) == simdjson::SUCCESS && text.starts_with('$')) {
    const auto& value = names_.emplace(std::string(text), simdjson::minify(found)).first->second;
    EXPECT_EQ(simdjson::minify(found), value) << where;
  } else if (wanted.is_object()) {
    ExpectMembers(wanted, found, where);
  } else if (wanted.is_array()) {
    ExpectElements(wanted, found, where);
  } else if (wanted.is_number()) {
    ASSERT_TRUE(found.is_number()) << where;
    EXPECT_EQ(found.get_double().value(), wanted.get_double().value()) << where;
  } else {
    EXPECT_EQ(simdjson::minify(found), simdjson::minify(wanted)) << where;
  }
}

void Scenario::Do(const Step& step) {
  if (step.verb == "lapsed") return AwaitLapse(step);
  const Answer answer = Ask(step);
  ASSERT_EQ(answer.status, step.status) << answer.body;
  simdjson::dom::parser parser;
  const element found = parser.parse(answer.body).value();
  if (step.ids) ExpectIds(*step.ids, found);
  if (step.body.empty()) return;
  simdjson::dom::parser wanted_parser;
  ExpectHolds(wanted_parser.parse(step.body).value(), found, "");
}

void Scenario::RunAll(bool restarts) {
  bool lapsed = false;
  for (const Step& step : ReadScenario(GetParam())) {
    SCOPED_TRACE(base::StrCat(GetParam(), ":", step.line));
    // A restart begins the lease of who has lapsed anew, so what has is looked at without one.
    if (restarts && !lapsed) node_.Restart();
    lapsed = lapsed || step.verb == "lapsed";
    Do(step);
    if (HasFatalFailure()) return;
    node_.Pass(std::chrono::milliseconds(100));
  }
}

TEST_P(Scenario, StraightThrough) { RunAll(false); }
TEST_P(Scenario, WithARestartBeforeEachStep) { RunAll(true); }

INSTANTIATE_TEST_SUITE_P(Scenarios, Scenario, testing::ValuesIn(Files()),
                         [](const testing::TestParamInfo<std::string>& file) {
                           return std::filesystem::path(file.param).stem().string();
                         });

}  // namespace
}  // namespace muster::scenarios
