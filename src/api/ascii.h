// ASCII comparisons and cuts on std::string_view, as HTTP's syntax needs them.
#pragma once

#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "base/strings.h"

namespace muster::api {

inline bool EqualsIgnoreCase(std::string_view a, std::string_view b) {
  return absl::EqualsIgnoreCase(base::ToAbsl(a), base::ToAbsl(b));
}
inline bool StartsWithIgnoreCase(std::string_view text, std::string_view prefix) {
  return absl::StartsWithIgnoreCase(base::ToAbsl(text), base::ToAbsl(prefix));
}
inline bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
inline std::string_view Strip(std::string_view text) {
  return base::ToStd(absl::StripAsciiWhitespace(base::ToAbsl(text)));
}
// The non-empty parts between any of `separators`.
inline std::vector<std::string_view> Split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(separators);
    if (end != 0) parts.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return parts;
}

}  // namespace muster::api
