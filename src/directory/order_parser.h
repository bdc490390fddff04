// `order_by`: keys and directions, "load, latency desc".
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "directory/plan_body.h"
#include "model/state.h"

namespace muster::directory {

// A key is a state, `id`, `name` or, when `has_near`, `distance`. InvalidArgument with the position
// in the text, and "[/order_by]".
absl::StatusOr<std::vector<OrderKey>> ParseOrder(std::string_view order_by, std::size_t keys_max,
                                                 bool has_near, const model::StateCatalog& catalog);

}  // namespace muster::directory
