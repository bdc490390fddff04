// A directory for tests as anyone would write it first: agents in a map, filters walked as trees, a
// scan and a sort for every query. It shares no code with the real one.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "directory/testing/sample.h"
#include "model/query.h"
#include "model/state.h"

namespace muster::directory::testing {

// A filter as a tree that knows its own text.
struct OracleFilter {
  enum class Kind { kTerm, kAnd, kOr, kNot };
  Kind kind = Kind::kTerm;
  std::vector<OracleFilter> children = {};
  std::string field = {};  // of kTerm: as written, labels.region
  std::string comparator = {};
  std::string value = {};    // with its asterisks
  bool is_presence = false;  // field:*

  bool Mentions(std::string_view name) const;
};

struct OracleAgent {
  AgentSketch sketch;
  std::map<std::string, std::pair<model::StateValue, double>> states;  // value, generated second
  double heard_second = 0;
};

struct OracleRow {
  std::string id;
  std::optional<double> score;
  std::optional<double> distance;
};

struct OracleAnswer {
  std::vector<OracleRow> rows;  // all matches, best first
  double freshness_risk = 0;    // of the first `limit`
  std::size_t stale = 0;
};

struct OracleKey {
  std::string name;
  bool is_descending = false;
};

struct OracleQuery {
  std::optional<OracleFilter> filter;
  std::vector<OracleKey> order;
  model::Query query;  // everything else, and the texts of both
};

class Oracle {
 public:
  explicit Oracle(model::StateCatalog catalog) : catalog_(std::move(catalog)) {}

  std::map<std::string, OracleAgent>& agents() { return agents_; }
  OracleAnswer Answer(const OracleQuery& query, double second) const;

 private:
  bool Holds(const OracleFilter& filter, const OracleAgent& agent, double second) const;
  bool HoldsTerm(const OracleFilter& term, const OracleAgent& agent, double second) const;
  bool HoldsState(const OracleFilter& term, const OracleAgent& agent) const;
  OracleRow ToRow(const OracleQuery& query, const OracleAgent& agent) const;
  bool Before(const OracleQuery& query, const OracleRow& a, const OracleRow& b) const;
  void Assess(const OracleQuery& query, double second, OracleAnswer* answer) const;
  void AddDeciding(const OracleFilter& filter, std::vector<std::string>* states) const;

  model::StateCatalog catalog_;
  std::map<std::string, OracleAgent> agents_;
};

}  // namespace muster::directory::testing
