// How parsers here say what is wrong: a message for a person, ending in the JSON pointer in
// brackets.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "simdjson.h"

namespace muster::model {

// `parent` + "/" + `key` with RFC 6901's escapes; long keys are cut, since clients choose them.
std::string PointerTo(std::string_view parent, std::string_view key);

// InvalidArgument "<what> [<pointer>]".
absl::Status WrongField(std::string_view what, std::string_view pointer);
absl::Status UnknownField(std::string_view pointer, std::string_view expected);
absl::Status DuplicateField(std::string_view pointer);

// The text is no JSON at all, or not what it must be at `pointer`.
absl::Status JsonError(simdjson::error_code error, std::string_view expected,
                       std::string_view pointer);

// Control characters (NUL above all) are refused in what becomes a name.
bool HasControlCharacter(std::string_view text);

}  // namespace muster::model
