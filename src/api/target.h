// A request target (RFC 9112 section 3.2) cut into its path and query, and percent-decoding.
//
// Paths are matched exactly as they are sent: case counts, nothing is normalised (`//`, `.`, `..`,
// a trailing slash and `%2e` are what they are), and only an agent's id is percent-decoded, after
// the path was cut at its slashes; so `%2F` in an id is a part of the id.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace muster::api {

struct Target {
  std::string_view path;   // raw
  std::string_view query;  // raw, without `?`; empty if there is none
};

// Origin form and absolute form. False: neither.
bool SplitTarget(std::string_view target, Target* split);

// False: `%` without two hex digits. `plus_is_space`: as in form-encoded queries.
bool PercentDecode(std::string_view text, bool plus_is_space, std::string* decoded);
// Appends `text` with all but RFC 3986's unreserved characters encoded.
void PercentEncode(std::string_view text, std::string* encoded);

}  // namespace muster::api
