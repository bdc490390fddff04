#include "app/config/suggestion.h"

#include <algorithm>

#include "base/strings.h"

namespace muster::app {

namespace {

constexpr std::size_t kLengthMax = 80;  // of names that are compared: the cost is quadratic

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  before = last;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string_view LastPart(std::string_view name) { return name.substr(name.rfind('.') + 1); }

}  // namespace

std::string NearestName(std::string_view name, const std::vector<std::string>& known) {
  if (name.empty() || name.size() > kLengthMax) return "";
  const std::size_t edits_max = std::max<std::size_t>(1, name.size() / 3);
  std::string nearest;
  std::size_t least = edits_max + 1;
  for (const std::string& candidate : known) {
    std::size_t edits = EditDistance(name, candidate);
    // The right name in the wrong section is what is meant more often than any typing error.
    if (LastPart(candidate) == LastPart(name)) edits = std::min<std::size_t>(edits, 1);
    if (edits < least) {
      least = edits;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string DidYouMean(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = NearestName(name, known);
  return nearest.empty() ? "" : base::StrCat(", did you mean `", nearest, "`?");
}

}  // namespace muster::app
