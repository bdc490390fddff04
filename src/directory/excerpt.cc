#include "directory/excerpt.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "base/strings.h"

namespace muster::directory {
namespace {

constexpr std::size_t kExcerptBytes = 64;

bool ContinuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Levenshtein, a swap of neighbours counting as one.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_back(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) current[j] = std::min(current[j], two_back[j - 2] + 1);
    }
    std::swap(two_back, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::string Excerpt(std::string_view text) {
  if (text.size() <= kExcerptBytes) return std::string(text);
  std::size_t end = kExcerptBytes;
  while (end > 0 && ContinuesCharacter(text[end])) --end;
  return base::StrCat(text.substr(0, end), "...");
}

std::string PointerToken(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view ClosestName(std::string_view name, const std::vector<std::string_view>& names) {
  if (name.size() > kExcerptBytes) return {};
  std::string_view best;
  std::size_t best_distance = std::min<std::size_t>(2, name.size() / 2) + 1;
  for (const std::string_view candidate : names) {
    const std::size_t distance = EditDistance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string DidYouMean(std::string_view name, const std::vector<std::string_view>& names,
                       std::string_view fallback) {
  const std::string_view closest = ClosestName(name, names);
  if (closest.empty()) return std::string(fallback);
  return base::StrCat("did you mean \"", closest, "\"?");
}

}  // namespace muster::directory
