// Random agents and random queries over few words, so that most terms hold for some agents.
#pragma once

#include <string>

#include "directory/testing/chance.h"
#include "directory/testing/oracle.h"
#include "directory/testing/sample.h"
#include "model/state.h"

namespace muster::directory::testing {

class RandomQuery {
 public:
  // Agents are called agent-0 to agent-(ids - 1). The states `gpu` (bool) and `model` (text) are
  // declared.
  RandomQuery(Chance* chance, int ids) : chance_(*chance), ids_(ids) {}

  std::string Id();
  AgentSketch Agent(const std::string& id);
  model::StateValue Value(const std::string& state);
  OracleQuery Query();

 private:
  model::Location Place();
  std::string WithWildcard(const std::string& text);
  OracleFilter TextTerm(std::string field, const Words& comparators, const Words& values);
  OracleFilter Term();
  OracleFilter StateTerm();
  OracleFilter Filter(int depth);
  std::string Quote(const OracleFilter& term);
  // OR binds tighter than AND: only what would bind wrongly needs parentheses.
  std::string Write(const OracleFilter& filter, bool within_or_or_not);
  void AddOrder(OracleQuery* query);

  Chance& chance_;
  const int ids_;
};

}  // namespace muster::directory::testing
