#include "directory/freshness.h"

#include <algorithm>
#include <optional>
#include <string>

namespace muster::directory {

base::Duration MaxAgeOf(const Parts& parts, model::AgentSlot slot, model::StateIndex state) {
  const model::StateSpec& spec = parts.catalog.spec(state);
  const model::Agent* agent = parts.agents.agent(slot);
  if (agent == nullptr || agent->registration.max_age.empty()) return spec.max_age;
  const auto& own = agent->registration.max_age;
  const auto at = std::lower_bound(own.begin(), own.end(), spec.name,
                                   [](const auto& a, const std::string& b) { return a.first < b; });
  return at != own.end() && at->first == spec.name ? at->second : spec.max_age;
}

namespace {

base::Duration BoundOf(const Parts& parts, const Plan::Body& body, model::AgentSlot slot,
                       model::StateIndex state) {
  for (const auto& [overridden, max_age] : body.max_age) {
    if (overridden == state) return max_age;
  }
  return MaxAgeOf(parts, slot, state);
}

// A bound of 0 counts as a nanosecond: the ratio stays a number.
double AgeRatio(base::Duration age, base::Duration bound) {
  const base::Duration least(1);
  return base::ToSeconds(std::max(age, base::Duration(0))) /
         base::ToSeconds(std::max(bound, least));
}

}  // namespace

void AssessFreshness(const Parts& parts, const Plan::Body& body, base::WallTime now,
                     QueryResult* result) {
  for (const ResultRow& row : result->rows) {
    for (const model::StateIndex state : body.deciding_states) {
      const std::optional<base::WallTime> generated_at =
          parts.columns[state]->GeneratedAt(row.slot);
      if (!generated_at) continue;
      const double ratio = AgeRatio(now - *generated_at, BoundOf(parts, body, row.slot, state));
      result->freshness_risk = std::max(result->freshness_risk, ratio);
      if (ratio >= 1) result->stale.push_back({row.slot, state, ratio});
    }
  }
}

}  // namespace muster::directory
