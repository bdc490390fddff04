// How old the states that decided an answer are, against their bounds: (6) and (14).
#pragma once

#include "base/time.h"
#include "directory/parts.h"
#include "directory/plan_body.h"

namespace muster::directory {

// The agent's own bound, else the state's.
base::Duration MaxAgeOf(const Parts& parts, model::AgentSlot slot, model::StateIndex state);

// Fills `freshness_risk` and `stale` from `rows`. A state that an agent never reported has no age
// and counts for nothing.
void AssessFreshness(const Parts& parts, const Plan::Body& body, base::WallTime now,
                     QueryResult* result);

}  // namespace muster::directory
