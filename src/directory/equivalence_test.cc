// The directory against the oracle: random lives of agents, random queries, equal answers.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "directory/oracle.h"
#include "directory/sample.h"

namespace muster::directory {
namespace {

using Kind = OracleFilter::Kind;
using Words = std::vector<std::string>;

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}

  int Below(int end) { return static_cast<int>(engine_() % static_cast<unsigned>(end)); }
  bool OneIn(int n) { return Below(n) == 0; }
  template <typename T>
  const T& Pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(Below(static_cast<int>(from.size())))];
  }
  // Some of the words, in their order.
  Words Some(const Words& words) {
    Words some;
    for (const std::string& word : words) {
      if (OneIn(3)) some.push_back(word);
    }
    return some;
  }

 private:
  std::mt19937_64 engine_;
};

const Words kSkills = {"paint", "sing", "skate", "translate"};
const Words kTags = {"art", "nlp"};
const Words kDomains = {"law", "medicine"};
const Words kProtocols = {"GRPC", "JSONRPC"};
const Words kProviders = {"", "Acme", "Bolt", "acme labs"};
const Words kNames = {"Painter", "Singer", "painter two", "x"};
const Words kRegions = {"eu", "eu-west", "us"};
const Words kModels = {"alpha", "alpha-2", "Beta", "beta"};
const Words kAvailabilities = {"ready", "busy", "draining"};
const Words kNumbers = {"load", "latency", "cost"};
const Words kOrders = {"=", "!=", "<", "<=", ">", ">=", ":"};
const Words kEqualities = {"=", "!=", ":"};

// Both directories, living the same lives.
class Twins {
 public:
  Twins(std::uint64_t seed, int ids) : chance_(seed), ids_(ids), oracle_(MakeCatalog()) {}

  void Live() {
    const int choice = chance_.Below(10);
    const std::string id = AnyId();
    const bool is_there = oracle_.agents().contains(id);
    if (!is_there || choice == 0) {
      Register(id);
    } else if (choice == 1) {
      sample_.Remove(id);
      oracle_.agents().erase(id);
    } else if (choice == 2) {
      const double second = chance_.Below(100);
      sample_.directory.MarkHeard(*sample_.directory.Find(id), WallSecond(second),
                                  ServedSecond(second));
      double& heard = oracle_.agents()[id].heard_second;
      heard = std::max(heard, second);
    } else {
      Report(id);
    }
  }

  void Ask() {
    const OracleQuery query = AnyQuery();
    const double second = chance_.Below(120);
    const OracleAnswer expected = oracle_.Answer(query, second);
    const absl::StatusOr<Plan> plan = sample_.directory.Compile(query.query);
    RC_LOG() << query.query.filter << " / " << query.query.order_by << "\n";
    if (!plan.ok()) RC_FAIL(std::string(base::Message(plan.status())));
    QueryResult result;
    sample_.directory.Execute(*plan, AtSecond(second), &result);
    Compare(query, expected, 0, result);
    RC_ASSERT(std::abs(result.freshness_risk - expected.freshness_risk) <=
              1e-9 * (1 + expected.freshness_risk));
    RC_ASSERT(result.stale.size() == expected.stale);
    RC_ASSERT(result.total.has_value() == query.query.count_total);
    if (result.total) RC_ASSERT(*result.total == expected.rows.size());
    TurnPages(query, *plan, second, expected);
  }

 private:
  model::StateCatalog MakeCatalog() {
    sample_.Declare("gpu", model::StateType::kBool);
    sample_.Declare("model", model::StateType::kString);
    return sample_.directory.catalog();
  }

  std::string AnyId() { return base::StrCat("agent-", chance_.Below(ids_)); }

  void Register(const std::string& id) {
    AgentSketch sketch{.id = id, .name = chance_.Pick(kNames)};
    sketch.provider = chance_.Pick(kProviders);
    sketch.skills = chance_.Some(kSkills);
    sketch.tags = chance_.Some(kTags);
    sketch.domains = chance_.Some(kDomains);
    sketch.protocols = chance_.Some(kProtocols);
    if (!chance_.OneIn(3)) sketch.labels.emplace_back("region", chance_.Pick(kRegions));
    if (chance_.OneIn(2)) sketch.labels.emplace_back("tier", id);
    if (chance_.OneIn(3)) sketch.max_age.emplace_back("load", std::chrono::seconds(3));
    sketch.lease = std::chrono::seconds(chance_.Below(4) * 25);
    sample_.Put(sketch);
    OracleAgent& agent = oracle_.agents()[id];
    agent.sketch = sketch;
    agent.heard_second = 0;
  }

  model::StateValue AnyValue(const std::string& state) {
    if (state == "availability") return chance_.Pick(kAvailabilities);
    if (state == "model") return chance_.Pick(kModels);
    if (state == "gpu") return chance_.OneIn(2);
    if (state == "location") return AnyPlace();
    return (chance_.Below(12) - 1) / 8.0;
  }

  model::Location AnyPlace() {
    if (chance_.OneIn(4)) return {chance_.OneIn(2) ? 90.0 : 0.0, 0};
    return {chance_.Below(180'001) / 1000.0 - 90, chance_.Below(360'001) / 1000.0 - 180};
  }

  void Report(const std::string& id) {
    const std::string state =
        chance_.Pick(Words{"load", "latency", "availability", "model", "gpu", "location"});
    const model::StateValue value = AnyValue(state);
    const double second = chance_.Below(100);
    auto& states = oracle_.agents()[id].states;
    const auto found = states.find(state);
    const bool is_newer = found == states.end() || found->second.second < second;
    RC_ASSERT(sample_.Report(id, state, value, second) == is_newer);
    if (is_newer) states[state] = {value, second};
  }

  std::string WithWildcard(const std::string& text) {
    switch (chance_.Below(6)) {
      case 0:
        return text.substr(0, 2) + "*";
      case 1:
        return "*" + text.substr(text.size() / 2);
      case 2:
        return "*" + text.substr(text.size() / 2, 2) + "*";
      default:
        return text;
    }
  }

  OracleFilter Term(std::string field, const Words& comparators, const Words& values) {
    OracleFilter term{.kind = Kind::kTerm, .field = std::move(field)};
    term.comparator = chance_.Pick(comparators);
    term.value = chance_.Pick(values);
    if (term.comparator == "=" || term.comparator == "!=") term.value = WithWildcard(term.value);
    if (chance_.OneIn(8)) {
      term.is_presence = true;
      term.comparator = ":";
      term.value = "*";
    }
    return term;
  }

  OracleFilter Typed(std::string field, const Words& comparators, const std::string& value) {
    return {.kind = Kind::kTerm,
            .field = std::move(field),
            .comparator = chance_.Pick(comparators),
            .value = value};
  }

  OracleFilter AnyTerm() {
    switch (chance_.Below(14)) {
      case 0:
        return Term("skill", kEqualities, kSkills);
      case 1:
        return Term("tag", kEqualities, kTags);
      case 2:
        return Term("domain", kEqualities, kDomains);
      case 3:
        return Term("protocol", kEqualities, kProtocols);
      case 4:
        return Term("provider", kOrders, {"Acme", "Bolt", "acme labs"});
      case 5:
        return Term("labels.region", kOrders, kRegions);
      case 6:
        return Term("labels.tier", kOrders, {AnyId()});
      case 7:
        return Term("id", kOrders, {AnyId(), "agent-2", "b"});
      case 8:
        return Term("name", kOrders, kNames);
      case 9:
        return Term("model", kOrders, kModels);
      case 10:
        return Typed("availability", {"=", "!=", ":"}, chance_.Pick(kAvailabilities));
      case 11:
        return Typed(chance_.OneIn(2) ? "gpu" : "lapsed", kEqualities,
                     chance_.OneIn(2) ? "true" : "false");
      case 12:
        return {.kind = Kind::kTerm,
                .field = chance_.Pick(Words{"location", "load", "gpu", "cost"}),
                .comparator = ":",
                .value = "*",
                .is_presence = true};
      default:
        return Typed(chance_.Pick(kNumbers), kOrders, base::StrCat((chance_.Below(12) - 1) / 8.0));
    }
  }

  OracleFilter AnyFilter(int depth) {
    const int choice = depth == 0 ? 9 : chance_.Below(8);
    if (choice >= 4) return AnyTerm();
    if (choice == 3) return {.kind = Kind::kNot, .children = {AnyFilter(depth - 1)}};
    OracleFilter joined{.kind = choice == 2 ? Kind::kOr : Kind::kAnd};
    for (int i = chance_.Below(3); i >= -1; --i) joined.children.push_back(AnyFilter(depth - 1));
    return joined;
  }

  std::string Quote(const OracleFilter& term) {
    const bool is_word = term.value.find(' ') == std::string::npos;
    const bool is_text = term.field != "gpu" && term.field != "lapsed" && !term.is_presence &&
                         std::find(kNumbers.begin(), kNumbers.end(), term.field) == kNumbers.end();
    if (!is_text || (is_word && chance_.OneIn(2))) return term.value;
    return chance_.OneIn(2) ? "\"" + term.value + "\"" : "'" + term.value + "'";
  }

  // OR binds tighter than AND: only what would bind wrongly needs parentheses.
  std::string Write(const OracleFilter& filter, bool within_or_or_not) {
    if (filter.kind == Kind::kTerm) {
      const std::string space = chance_.OneIn(2) ? " " : "";
      return filter.field + space + filter.comparator + space + Quote(filter);
    }
    if (filter.kind == Kind::kNot) {
      const std::string inner = Write(filter.children.front(), true);
      const std::string written = (chance_.OneIn(2) ? "NOT " : "-") + inner;
      return within_or_or_not ? "(" + written + ")" : written;
    }
    const bool is_or = filter.kind == Kind::kOr;
    std::string written;
    for (const OracleFilter& child : filter.children) {
      if (!written.empty()) written += is_or ? " OR " : chance_.OneIn(3) ? " " : " AND ";
      written += Write(child, is_or);
    }
    return within_or_or_not || chance_.OneIn(4) ? "(" + written + ")" : written;
  }

  OracleQuery AnyQuery() {
    OracleQuery query;
    if (!chance_.OneIn(6)) {
      query.filter = AnyFilter(3);
      query.query.filter = Write(*query.filter, false);
    }
    if (chance_.OneIn(3)) {
      const double radius = chance_.OneIn(3) ? 0 : std::pow(10.0, chance_.Below(80) / 10.0);
      query.query.near = model::Near{AnyPlace(), radius};
    }
    if (chance_.OneIn(4)) {
      query.query.rank = {{"load", chance_.Below(5) - 2}, {"latency", 0.5}};
    } else if (!chance_.OneIn(3)) {
      AddOrder(&query);
    }
    if (chance_.OneIn(4)) query.query.max_age = {{"load", std::chrono::seconds(7)}};
    query.query.limit = static_cast<std::uint32_t>(1 + chance_.Below(chance_.OneIn(2) ? 5 : 60));
    query.query.include_lapsed = chance_.OneIn(2);
    query.query.count_total = chance_.OneIn(4);
    return query;
  }

  void AddOrder(OracleQuery* query) {
    Words keys = {"load", "latency", "gpu", "availability", "model", "id", "name", "cost"};
    if (query->query.near) keys.push_back("distance");
    for (int i = chance_.Below(3); i >= 0; --i) {
      const std::string name = chance_.Pick(keys);
      keys.erase(std::find(keys.begin(), keys.end(), name));
      const bool is_descending = chance_.OneIn(2);
      query->order.push_back({name, is_descending});
      if (!query->query.order_by.empty()) query->query.order_by += ", ";
      query->query.order_by += name + (is_descending ? " desc" : chance_.OneIn(3) ? " asc" : "");
    }
  }

  // `result` holds the rows that follow the first `skipped` of all.
  void Compare(const OracleQuery& query, const OracleAnswer& expected, std::size_t skipped,
               const QueryResult& result) {
    const std::size_t count =
        std::min<std::size_t>(query.query.limit, expected.rows.size() - skipped);
    RC_ASSERT(result.rows.size() == count);
    for (std::size_t i = 0; i < count; ++i) {
      const OracleRow& wanted = expected.rows[skipped + i];
      const ResultRow& row = result.rows[i];
      RC_ASSERT(sample_.directory.agent(row.slot)->registration.id == wanted.id);
      RC_ASSERT(row.score.has_value() == wanted.score.has_value());
      if (row.score) RC_ASSERT(std::abs(*row.score - *wanted.score) < 1e-12);
      RC_ASSERT(row.distance.has_value() == wanted.distance.has_value());
      if (row.distance) RC_ASSERT(std::abs(*row.distance - *wanted.distance) < 1e-3);
    }
  }

  void TurnPages(const OracleQuery& query, const Plan& plan, double second,
                 const OracleAnswer& expected) {
    std::string cursor;
    std::size_t skipped = 0;
    do {
      QueryResult page;
      std::string next;
      const absl::Status status =
          sample_.directory.ExecutePage(plan, AtSecond(second), cursor, &page, &next);
      if (!status.ok()) RC_FAIL(std::string(base::Message(status)));
      Compare(query, expected, skipped, page);
      skipped += page.rows.size();
      RC_ASSERT(next.empty() == (skipped == expected.rows.size()));
      cursor = next;
    } while (!cursor.empty());
  }

  Chance chance_;
  const int ids_;
  SampleDirectory sample_;
  Oracle oracle_;
};

void LiveAndAsk(int ids, int lives, int queries) {
  EXPECT_TRUE(rc::check([=](std::uint64_t seed) {
    Twins twins(seed, ids);
    for (int i = 0; i < lives; ++i) twins.Live();
    for (int i = 0; i < queries; ++i) {
      twins.Ask();
      twins.Live();
    }
  }));
}

TEST(Equivalence, OfSmallDirectories) { LiveAndAsk(12, 60, 40); }
TEST(Equivalence, OfLargerDirectories) { LiveAndAsk(300, 900, 15); }

}  // namespace
}  // namespace muster::directory
