#include "directory/testing/oracle.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace muster::directory::testing {
namespace {

using Kind = OracleFilter::Kind;

bool Glob(const std::string& pattern, const std::string& text) {
  if (pattern.empty()) return text.empty();
  const bool starts_open = pattern.front() == '*';
  const bool ends_open = pattern.back() == '*';
  std::string core = pattern;
  if (ends_open) core.pop_back();
  if (starts_open && !core.empty()) core.erase(core.begin());
  if (core.size() > text.size()) return false;
  for (std::size_t at = 0; at + core.size() <= text.size(); ++at) {
    const bool begins = starts_open || at == 0;
    const bool ends = ends_open || at + core.size() == text.size();
    if (begins && ends && text.compare(at, core.size(), core) == 0) return true;
  }
  return false;
}

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool HoldsText(const OracleFilter& term, const std::string& text) {
  const std::string& op = term.comparator;
  if (op == "=") return Glob(term.value, text);
  if (op == "!=") return !Glob(term.value, text);
  if (op == "<") return text < term.value;
  if (op == "<=") return text <= term.value;
  if (op == ">") return text > term.value;
  if (op == ">=") return text >= term.value;
  return Lower(text).find(Lower(term.value)) != std::string::npos;
}

bool HoldsNumber(const OracleFilter& term, double number) {
  const double wanted = std::strtod(term.value.c_str(), nullptr);
  const std::string& op = term.comparator;
  if (op == "!=") return number != wanted;
  if (op == "<") return number < wanted;
  if (op == "<=") return number <= wanted;
  if (op == ">") return number > wanted;
  if (op == ">=") return number >= wanted;
  return number == wanted;
}

bool HoldsBool(const OracleFilter& term, bool boolean) {
  return (boolean == (term.value == "true")) == (term.comparator != "!=");
}

bool HoldsList(const OracleFilter& term, const std::vector<std::string>& list) {
  if (term.is_presence) return !list.empty();
  const bool has = std::any_of(list.begin(), list.end(), [&](const std::string& element) {
    return Glob(term.value, element);
  });
  return has == (term.comparator != "!=");
}

// Metres between points given in degrees, by the angle between their vectors.
double Meters(model::Location a, model::Location b) {
  const double degree = std::acos(-1.0) / 180;
  const auto vector = [&](model::Location at, double* v) {
    v[0] = std::cos(at.latitude * degree) * std::cos(at.longitude * degree);
    v[1] = std::cos(at.latitude * degree) * std::sin(at.longitude * degree);
    v[2] = std::sin(at.latitude * degree);
  };
  double u[3], v[3];
  vector(a, u);
  vector(b, v);
  const double x = u[1] * v[2] - u[2] * v[1];
  const double y = u[2] * v[0] - u[0] * v[2];
  const double z = u[0] * v[1] - u[1] * v[0];
  const double dot = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  return 6371010.0 * std::atan2(std::sqrt(x * x + y * y + z * z), dot);
}

const model::StateValue* ValueOf(const OracleAgent& agent, const std::string& state) {
  const auto found = agent.states.find(state);
  return found == agent.states.end() ? nullptr : &found->second.first;
}

double LeaseSeconds(const AgentSketch& sketch) {
  return sketch.lease.count() == 0 ? 60.0 : base::ToSeconds(sketch.lease);
}

// <0: a first; a missing value comes last.
int CompareValues(const model::StateValue* a, const model::StateValue* b, bool is_descending) {
  if (a == nullptr || b == nullptr) return (a == nullptr) - (b == nullptr);
  const auto compare = [&](const auto& x, const auto& y) {
    return x == y ? 0 : (x < y) == is_descending ? 1 : -1;
  };
  if (const auto* number = std::get_if<double>(a)) return compare(*number, std::get<double>(*b));
  if (const auto* boolean = std::get_if<bool>(a)) return compare(*boolean, std::get<bool>(*b));
  return compare(std::get<std::string>(*a), std::get<std::string>(*b));
}

int CompareTexts(const std::string& a, const std::string& b, bool is_descending) {
  return is_descending ? b.compare(a) : a.compare(b);
}

}  // namespace

bool OracleFilter::Mentions(std::string_view name) const {
  if (kind == Kind::kTerm) return field == name;
  return std::any_of(children.begin(), children.end(),
                     [&](const OracleFilter& child) { return child.Mentions(name); });
}

bool Oracle::HoldsState(const OracleFilter& term, const OracleAgent& agent) const {
  const model::StateValue* value = ValueOf(agent, term.field);
  if (value == nullptr || term.is_presence) return value != nullptr;
  if (const auto* number = std::get_if<double>(value)) return HoldsNumber(term, *number);
  if (const auto* boolean = std::get_if<bool>(value)) return HoldsBool(term, *boolean);
  return HoldsText(term, std::get<std::string>(*value));
}

bool Oracle::HoldsTerm(const OracleFilter& term, const OracleAgent& agent, double second) const {
  const AgentSketch& sketch = agent.sketch;
  const std::string& field = term.field;
  const auto holds_optional = [&](const std::string& text, bool is_there) {
    return is_there && (term.is_presence || HoldsText(term, text));
  };
  if (field == "id") return holds_optional(sketch.id, true);
  if (field == "name") return holds_optional(sketch.name, true);
  if (field == "provider") return holds_optional(sketch.provider, !sketch.provider.empty());
  if (field == "skill") return HoldsList(term, sketch.skills);
  if (field == "tag") return HoldsList(term, sketch.tags);
  if (field == "domain") return HoldsList(term, sketch.domains);
  if (field == "protocol") return HoldsList(term, sketch.protocols);
  if (field == "lapsed") {
    return HoldsBool(term, second - agent.heard_second > LeaseSeconds(sketch));
  }
  if (!field.starts_with("labels.")) return HoldsState(term, agent);
  for (const auto& [key, value] : sketch.labels) {
    if ("labels." + key == field) return holds_optional(value, true);
  }
  return false;
}

bool Oracle::Holds(const OracleFilter& filter, const OracleAgent& agent, double second) const {
  const auto holds = [&](const OracleFilter& child) { return Holds(child, agent, second); };
  switch (filter.kind) {
    case Kind::kAnd:
      return std::all_of(filter.children.begin(), filter.children.end(), holds);
    case Kind::kOr:
      return std::any_of(filter.children.begin(), filter.children.end(), holds);
    case Kind::kNot:
      return !holds(filter.children.front());
    case Kind::kTerm:
      break;
  }
  return HoldsTerm(filter, agent, second);
}

OracleRow Oracle::ToRow(const OracleQuery& query, const OracleAgent& agent) const {
  OracleRow row{.id = agent.sketch.id, .score = std::nullopt, .distance = std::nullopt};
  if (!query.query.rank.empty()) row.score = 0;
  for (const auto& [state, weight] : query.query.rank) {
    const model::StateValue* value = ValueOf(agent, state);
    if (value != nullptr) *row.score += weight * std::get<double>(*value);
  }
  const model::StateValue* location = ValueOf(agent, "location");
  if (query.query.near && location != nullptr) {
    row.distance = Meters(query.query.near->center, std::get<model::Location>(*location));
  }
  return row;
}

bool Oracle::Before(const OracleQuery& query, const OracleRow& a, const OracleRow& b) const {
  if (!query.query.rank.empty() && *a.score != *b.score) return *a.score > *b.score;
  std::vector<OracleKey> order = query.order;
  if (order.empty() && query.query.rank.empty() && query.query.near) order = {{"distance"}};
  for (const OracleKey& key : order) {
    int compared = 0;
    if (key.name == "id") {
      compared = CompareTexts(a.id, b.id, key.is_descending);
    } else if (key.name == "name") {
      compared = CompareTexts(agents_.at(a.id).sketch.name, agents_.at(b.id).sketch.name,
                              key.is_descending);
    } else if (key.name == "distance") {
      if (*a.distance != *b.distance) {
        compared = (*a.distance < *b.distance) == key.is_descending ? 1 : -1;
      }
    } else {
      compared = CompareValues(ValueOf(agents_.at(a.id), key.name),
                               ValueOf(agents_.at(b.id), key.name), key.is_descending);
    }
    if (compared != 0) return compared < 0;
  }
  return a.id < b.id;
}

void Oracle::AddDeciding(const OracleFilter& filter, std::vector<std::string>* states) const {
  if (filter.kind == Kind::kTerm && catalog_.Find(filter.field)) states->push_back(filter.field);
  for (const OracleFilter& child : filter.children) AddDeciding(child, states);
}

void Oracle::Assess(const OracleQuery& query, double second, OracleAnswer* answer) const {
  std::vector<std::string> deciding;
  if (query.filter) AddDeciding(*query.filter, &deciding);
  for (const OracleKey& key : query.order) {
    if (catalog_.Find(key.name)) deciding.push_back(key.name);
  }
  for (const auto& [state, weight] : query.query.rank) deciding.push_back(state);
  if (query.query.near) deciding.push_back("location");
  std::sort(deciding.begin(), deciding.end());
  deciding.erase(std::unique(deciding.begin(), deciding.end()), deciding.end());
  const std::size_t count = std::min<std::size_t>(query.query.limit, answer->rows.size());
  for (std::size_t i = 0; i < count; ++i) {
    const OracleAgent& agent = agents_.at(answer->rows[i].id);
    for (const std::string& state : deciding) {
      const auto reported = agent.states.find(state);
      if (reported == agent.states.end()) continue;
      double bound = base::ToSeconds(catalog_.spec(*catalog_.Find(state)).max_age);
      for (const auto& [name, age] : agent.sketch.max_age) {
        if (name == state) bound = base::ToSeconds(age);
      }
      for (const auto& [name, age] : query.query.max_age) {
        if (name == state) bound = base::ToSeconds(age);
      }
      const double ratio = std::max(0.0, second - reported->second.second) / bound;
      answer->freshness_risk = std::max(answer->freshness_risk, ratio);
      answer->stale += ratio >= 1 ? 1 : 0;
    }
  }
}

OracleAnswer Oracle::Answer(const OracleQuery& query, double second) const {
  const bool with_lapsed =
      query.query.include_lapsed || (query.filter && query.filter->Mentions("lapsed"));
  OracleAnswer answer;
  for (const auto& [id, agent] : agents_) {
    const bool lapsed = second - agent.heard_second > LeaseSeconds(agent.sketch);
    if (lapsed && !with_lapsed) continue;
    if (query.filter && !Holds(*query.filter, agent, second)) continue;
    OracleRow row = ToRow(query, agent);
    const auto& near = query.query.near;
    if (near && !(row.distance && *row.distance <= near->radius)) continue;
    answer.rows.push_back(std::move(row));
  }
  std::sort(answer.rows.begin(), answer.rows.end(),
            [&](const OracleRow& a, const OracleRow& b) { return Before(query, a, b); });
  Assess(query, second, &answer);
  return answer;
}

}  // namespace muster::directory::testing
