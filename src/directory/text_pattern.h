// What a filter asks of a text.
#pragma once

#include <string>
#include <string_view>

#include "directory/filter_ast.h"

namespace muster::directory {

struct TextPattern {
  Comparator comparator = Comparator::kEqual;
  std::string text;        // without its wildcards; in lower case for kHas
  bool any_start = false;  // of kEqual and kNotEqual: a '*' stood before, after `text`
  bool any_end = false;

  // From a comparison with `literal`. Order is by bytes; ':' is a substring, whatever the case of
  // ASCII letters.
  static TextPattern Make(Comparator comparator, const FilterLiteral& literal);

  // One text alone satisfies it, or all but one do.
  bool IsExact() const {
    const bool is_equality =
        comparator == Comparator::kEqual || comparator == Comparator::kNotEqual;
    return is_equality && !any_start && !any_end;
  }
  bool Matches(std::string_view candidate) const;

 private:
  bool MatchesWildcards(std::string_view candidate) const;
};

}  // namespace muster::directory
