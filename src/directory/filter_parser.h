// The filter language of AIP-160 without functions: text in, syntax tree out.
//
//   filter     = [ expression ]
//   expression = sequence { "AND" sequence }
//   sequence   = factor { factor }                 terms side by side: AND
//   factor     = term { "OR" term }                OR binds tighter than AND
//   term       = [ "NOT" | "-" ] ( restriction | "(" expression ")" )
//   restriction = field comparator value
//   field      = word | word "." string            labels."a key with spaces"
//   comparator = "=" | "!=" | "<" | "<=" | ">" | ">=" | ":"
//   value      = word | string
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "directory/filter_ast.h"

namespace muster::directory {

// Parentheses and negations within each other.
inline constexpr int kFilterDepthMax = 64;

// A filter of white space alone gives an empty tree. InvalidArgument with the position of the
// mistake, also when there are more than `terms_max` restrictions or it nests too deep.
absl::StatusOr<FilterAst> ParseFilter(std::string_view filter, std::size_t terms_max);

}  // namespace muster::directory
