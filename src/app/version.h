// The version of the program, as `muster --version` says it.
#pragma once

#include <string_view>

namespace muster::app {

inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace muster::app
