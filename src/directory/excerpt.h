// Names and texts of a client inside a message to it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace muster::directory {

// At most 64 bytes of `text`, cut between characters of UTF-8 and then ending in "...".
std::string Excerpt(std::string_view text);

// Escapes a name for a JSON pointer (RFC 6901).
std::string PointerToken(std::string_view name);

// The name that `name` is probably a misspelling of; empty: none is near enough.
std::string_view ClosestName(std::string_view name, const std::vector<std::string_view>& names);

// `did you mean "x"?`, or `fallback` when no name is near.
std::string DidYouMean(std::string_view name, const std::vector<std::string_view>& names,
                       std::string_view fallback);

}  // namespace muster::directory
