// A filter as it was written: the syntax tree, before any field name is looked up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace muster::directory {

enum class Comparator : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kHas,  // ':'
};

// `text` holds the value with its asterisks; the flags say which of them are wildcards, that is,
// stand unescaped at an end.
struct FilterLiteral {
  std::string text;
  std::size_t position = 0;  // byte offset in the filter
  bool is_quoted = false;
  bool wildcard_at_start = false;
  bool wildcard_at_end = false;

  // A bare '*'.
  bool is_star() const { return !is_quoted && text == "*"; }
};

// `name` or `name.key`.
struct FilterField {
  std::string name;
  std::string key;
  bool has_key = false;
  std::size_t position = 0;
};

struct Restriction {
  FilterField field;
  Comparator comparator = Comparator::kEqual;
  FilterLiteral literal;
};

struct FilterNode {
  enum class Kind : std::uint8_t { kAnd, kOr, kNot, kRestriction };
  Kind kind = Kind::kRestriction;
  std::uint32_t restriction = 0;        // index, of kRestriction
  std::vector<std::uint32_t> children;  // indices; one for kNot, two or more for kAnd and kOr
};

struct FilterAst {
  std::vector<FilterNode> nodes;  // children stand before their parents; the root is last
  std::vector<Restriction> restrictions;

  bool empty() const { return nodes.empty(); }
  std::uint32_t root() const { return static_cast<std::uint32_t>(nodes.size() - 1); }
};

}  // namespace muster::directory
