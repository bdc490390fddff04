// "did you mean": the known name nearest to one that was mistyped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace muster::app {

// The nearest of `known` in edits (a swap of neighbours is one), or empty if none is near enough to
// be meant.
std::string NearestName(std::string_view name, const std::vector<std::string>& known);

// ", did you mean `x`?", or nothing.
std::string DidYouMean(std::string_view name, const std::vector<std::string>& known);

}  // namespace muster::app
