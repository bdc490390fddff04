#include "directory/testing/random_query.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/strings.h"

namespace muster::directory::testing {
namespace {

using Kind = OracleFilter::Kind;

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

OracleFilter Compared(std::string field, std::string comparator, std::string value) {
  OracleFilter term;
  term.field = std::move(field);
  term.comparator = std::move(comparator);
  term.value = std::move(value);
  return term;
}

OracleFilter Presence(std::string field) {
  OracleFilter term = Compared(std::move(field), ":", "*");
  term.is_presence = true;
  return term;
}

}  // namespace

std::string RandomQuery::Id() { return base::StrCat("agent-", chance_.Below(ids_)); }

AgentSketch RandomQuery::Agent(const std::string& id) {
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
  return sketch;
}

model::StateValue RandomQuery::Value(const std::string& state) {
  if (state == "availability") return chance_.Pick(kAvailabilities);
  if (state == "model") return chance_.Pick(kModels);
  if (state == "gpu") return chance_.OneIn(2);
  if (state == "location") return Place();
  return (chance_.Below(12) - 1) / 8.0;
}

model::Location RandomQuery::Place() {
  if (chance_.OneIn(4)) return {chance_.OneIn(2) ? 90.0 : 0.0, 0};
  return {chance_.Below(180'001) / 1000.0 - 90, chance_.Below(360'001) / 1000.0 - 180};
}

std::string RandomQuery::WithWildcard(const std::string& text) {
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

OracleFilter RandomQuery::TextTerm(std::string field, const Words& comparators,
                                   const Words& values) {
  if (chance_.OneIn(8)) return Presence(std::move(field));
  OracleFilter term = Compared(std::move(field), chance_.Pick(comparators), chance_.Pick(values));
  if (term.comparator == "=" || term.comparator == "!=") term.value = WithWildcard(term.value);
  return term;
}

OracleFilter RandomQuery::StateTerm() {
  switch (chance_.Below(5)) {
    case 0:
      return Compared("availability", chance_.Pick(kEqualities), chance_.Pick(kAvailabilities));
    case 1:
      return Compared(chance_.OneIn(2) ? "gpu" : "lapsed", chance_.Pick(kEqualities),
                      chance_.OneIn(2) ? "true" : "false");
    case 2:
      return Presence(chance_.Pick(Words{"location", "load", "gpu", "cost"}));
    default:
      return Compared(chance_.Pick(kNumbers), chance_.Pick(kOrders),
                      base::StrCat((chance_.Below(12) - 1) / 8.0));
  }
}

OracleFilter RandomQuery::Term() {
  switch (chance_.Below(15)) {
    case 0:
      return TextTerm("skill", kEqualities, kSkills);
    case 1:
      return TextTerm("tag", kEqualities, kTags);
    case 2:
      return TextTerm("domain", kEqualities, kDomains);
    case 3:
      return TextTerm("protocol", kEqualities, kProtocols);
    case 4:
      return TextTerm("provider", kOrders, {"Acme", "Bolt", "acme labs"});
    case 5:
      return TextTerm("labels.region", kOrders, kRegions);
    case 6:
      return TextTerm("labels.tier", kOrders, {Id()});
    case 7:
      return TextTerm("id", kOrders, {Id(), "agent-2", "b"});
    case 8:
      return TextTerm("name", kOrders, kNames);
    case 9:
      return TextTerm("model", kOrders, kModels);
    default:
      return StateTerm();
  }
}

OracleFilter RandomQuery::Filter(int depth) {
  const int choice = depth == 0 ? 9 : chance_.Below(8);
  if (choice >= 4) return Term();
  OracleFilter joined;
  if (choice == 3) {
    joined.kind = Kind::kNot;
    joined.children.push_back(Filter(depth - 1));
    return joined;
  }
  joined.kind = choice == 2 ? Kind::kOr : Kind::kAnd;
  for (int i = chance_.Below(3); i >= -1; --i) joined.children.push_back(Filter(depth - 1));
  return joined;
}

std::string RandomQuery::Quote(const OracleFilter& term) {
  const bool is_word = term.value.find(' ') == std::string::npos;
  const bool is_text = term.field != "gpu" && term.field != "lapsed" && !term.is_presence &&
                       std::find(kNumbers.begin(), kNumbers.end(), term.field) == kNumbers.end();
  if (!is_text || (is_word && chance_.OneIn(2))) return term.value;
  return chance_.OneIn(2) ? "\"" + term.value + "\"" : "'" + term.value + "'";
}

std::string RandomQuery::Write(const OracleFilter& filter, bool within_or_or_not) {
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

OracleQuery RandomQuery::Query() {
  OracleQuery query;
  if (!chance_.OneIn(6)) {
    query.filter = Filter(3);
    query.query.filter = Write(*query.filter, false);
  }
  if (chance_.OneIn(3)) {
    const double radius = chance_.OneIn(4) ? 0 : std::pow(10.0, chance_.Below(80) / 10.0);
    query.query.near = model::Near{Place(), radius};
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

void RandomQuery::AddOrder(OracleQuery* query) {
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

}  // namespace muster::directory::testing
