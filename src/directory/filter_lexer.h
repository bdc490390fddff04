// Cuts a filter into tokens, one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "directory/filter_ast.h"

namespace muster::directory {

// InvalidArgument "`what` at P; `hint` [/filter]", P counted in bytes from 1.
absl::Status FilterError(std::string_view what, std::size_t position, std::string_view hint = {});

struct FilterToken {
  enum class Kind : std::uint8_t { kWord, kString, kComparator, kOpen, kClose, kMinus, kEnd };
  Kind kind = Kind::kEnd;
  Comparator comparator = Comparator::kEqual;
  bool touches_previous = false;  // no white space before it
  std::size_t position = 0;
  std::string_view source;  // as written
  FilterLiteral literal;    // of kWord and kString

  bool IsKeyword(std::string_view keyword) const {
    return kind == Kind::kWord && source == keyword;
  }
};

class FilterLexer {
 public:
  explicit FilterLexer(std::string_view filter) : filter_(filter) {}

  // The next token; a '-' that begins a term is a token of its own, one that begins a value (after
  // a comparator) is part of it.
  absl::Status Next(FilterToken* token);

 private:
  absl::Status ReadString(FilterToken* token);
  absl::Status ReadComparator(FilterToken* token);
  void ReadWord(FilterToken* token);
  void ReadSingle(FilterToken::Kind kind, FilterToken* token);

  std::string_view filter_;
  std::size_t at_ = 0;
  bool after_comparator_ = false;
};

}  // namespace muster::directory
