// Query in, plan out: looks every name up, types every value, and notes which states decide.
#pragma once

#include "absl/status/statusor.h"
#include "directory/plan.h"
#include "model/limits.h"
#include "model/query.h"
#include "model/state.h"

namespace muster::directory {

// Errors as Directory::Compile.
absl::StatusOr<Plan> CompilePlan(const model::Query& query, const model::StateCatalog& catalog,
                                 const model::Limits& limits);

}  // namespace muster::directory
