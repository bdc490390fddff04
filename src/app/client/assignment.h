// NAME=VALUE arguments as JSON.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"

namespace muster::app {

// "load=0.4" is the number 0.4, "busy=true" the boolean, "location=52.5,13.4" a place of latitude
// and longitude, anything else a text; "name:=JSON" is the JSON itself. The result: name, JSON.
absl::StatusOr<std::pair<std::string, std::string>> ParseAssignment(std::string_view text);

// "region=eu": name and text, as they are.
absl::StatusOr<std::pair<std::string, std::string>> ParsePair(std::string_view text);

// True if the text is a number as JSON writes one.
bool IsJsonNumber(std::string_view text);

}  // namespace muster::app
