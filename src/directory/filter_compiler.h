// Gives a filter's fields and values their types: syntax tree in, predicates out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "directory/plan_body.h"
#include "model/state.h"

namespace muster::directory {

struct CompiledFilter {
  std::vector<Predicate> predicates;
  std::vector<std::uint32_t> conjuncts;
  bool mentions_lapsed = false;
};

// InvalidArgument with the position: a mistake of syntax, an unknown field, a value or a comparator
// that does not fit its field.
absl::Status CompileFilter(std::string_view filter, std::size_t terms_max,
                           const model::StateCatalog& catalog, CompiledFilter* out);

}  // namespace muster::directory
