// How parsers here say what is wrong: a message for a person, ending in the JSON pointer in
// brackets.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "simdjson.h"

namespace muster::model {

// The longest prefix of at most `bytes_max` bytes that ends between two UTF-8 characters: what
// clients send is shown to people in part only.
std::string_view Shown(std::string_view text, std::size_t bytes_max);

// `parent` + "/" + `key` with RFC 6901's escapes; long keys are cut.
std::string PointerTo(std::string_view parent, std::string_view key);

// InvalidArgument "<what> [<pointer>]".
absl::Status WrongField(std::string_view what, std::string_view pointer);
absl::Status UnknownField(std::string_view pointer, std::string_view expected);
absl::Status DuplicateField(std::string_view pointer);

// The text is no JSON: DataLoss until AtOffset says where, since only the document's reader knows.
absl::Status SyntaxError(std::string_view what, std::string_view pointer);
// `status`, unless it is a SyntaxError: then InvalidArgument with the offset.
absl::Status AtOffset(absl::Status status, std::size_t offset);
// Where a text ends being readable that the parser refused before its first token.
std::size_t UnreadableOffset(std::string_view text, simdjson::error_code error);

// What the parser says about what should have been `expected`: a SyntaxError or a WrongField.
absl::Status JsonError(simdjson::error_code error, std::string_view expected,
                       std::string_view pointer);
// The same, with what was found at `value` instead.
absl::Status JsonError(simdjson::error_code error, simdjson::ondemand::value value,
                       std::string_view expected, std::string_view pointer);

// Control characters (NUL above all; C0, DEL and C1) are refused in what becomes a name.
bool HasControlCharacter(std::string_view text);

}  // namespace muster::model
