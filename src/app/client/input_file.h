// A file that a command line names, `-` for standard input.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace muster::app {

// NotFound with the path if it can't be read; ResourceExhausted if it is over `bytes_max`.
absl::StatusOr<std::string> ReadInput(const std::string& path, std::size_t bytes_max);

}  // namespace muster::app
