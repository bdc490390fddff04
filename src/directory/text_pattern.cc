#include "directory/text_pattern.h"

#include <algorithm>

#include "absl/strings/ascii.h"

namespace muster::directory {
namespace {

bool ContainsLowered(std::string_view haystack, std::string_view lowered) {
  const auto same = [](char a, char b) {
    return absl::ascii_tolower(static_cast<unsigned char>(a)) == b;
  };
  return std::search(haystack.begin(), haystack.end(), lowered.begin(), lowered.end(), same) !=
         haystack.end();
}

}  // namespace

TextPattern TextPattern::Make(Comparator comparator, const FilterLiteral& literal) {
  TextPattern pattern{.comparator = comparator, .text = literal.text};
  if (comparator == Comparator::kHas) absl::AsciiStrToLower(&pattern.text);
  if (comparator != Comparator::kEqual && comparator != Comparator::kNotEqual) return pattern;
  pattern.any_end = literal.wildcard_at_end;
  if (pattern.any_end) pattern.text.pop_back();
  pattern.any_start = literal.wildcard_at_start;
  if (pattern.any_start && !pattern.text.empty()) pattern.text.erase(0, 1);
  return pattern;
}

bool TextPattern::MatchesWildcards(std::string_view candidate) const {
  if (any_start && any_end) return candidate.find(text) != std::string_view::npos;
  if (any_start) return candidate.ends_with(text);
  if (any_end) return candidate.starts_with(text);
  return candidate == text;
}

bool TextPattern::Matches(std::string_view candidate) const {
  switch (comparator) {
    case Comparator::kEqual:
      return MatchesWildcards(candidate);
    case Comparator::kNotEqual:
      return !MatchesWildcards(candidate);
    case Comparator::kLess:
      return candidate < text;
    case Comparator::kLessOrEqual:
      return candidate <= text;
    case Comparator::kGreater:
      return candidate > text;
    case Comparator::kGreaterOrEqual:
      return candidate >= text;
    case Comparator::kHas:
      return text.empty() || ContainsLowered(candidate, text);
  }
  return false;
}

}  // namespace muster::directory
