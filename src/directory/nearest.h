// The nearest of many, by looking at discs from the centre outwards.
#pragma once

#include <cstddef>
#include <vector>

#include "absl/functional/function_ref.h"
#include "directory/location_index.h"
#include "directory/sphere.h"
#include "model/agent.h"

namespace muster::directory {

// Fills `out` with matches within `limits`, in no order, that include the nearest `wanted` of them.
// `keep` drops from a list what is no match. False, after a few tries: a scan is no slower.
bool FindNearest(const LocationIndex& locations, const Disc& limits, std::size_t wanted,
                 absl::FunctionRef<void(std::vector<model::AgentSlot>*)> keep,
                 std::vector<model::AgentSlot>* out);

}  // namespace muster::directory
