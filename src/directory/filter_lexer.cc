#include "directory/filter_lexer.h"

#include "base/strings.h"

namespace muster::directory {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool EndsWord(char c) {
  switch (c) {
    case '(':
    case ')':
    case '"':
    case '\'':
    case '=':
    case '!':
    case '<':
    case '>':
    case ':':
    case ',':
      return true;
    default:
      return IsSpace(c);
  }
}

// The character that backslash and `c` stand for; 0 if they stand for none.
char Unescape(char c) {
  switch (c) {
    case '"':
    case '\'':
    case '\\':
    case '*':
      return c;
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return 0;
  }
}

}  // namespace

absl::Status FilterError(std::string_view what, std::size_t position, std::string_view hint) {
  return base::InvalidArgument(
      base::StrCat(what, " at ", position + 1, hint.empty() ? "" : "; ", hint, " [/filter]"));
}

absl::Status FilterLexer::Next(FilterToken* token) {
  const std::size_t before = at_;
  while (at_ < filter_.size() && IsSpace(filter_[at_])) ++at_;
  token->touches_previous = at_ == before;
  token->position = at_;
  token->source = {};
  const bool is_value = after_comparator_;
  after_comparator_ = false;
  if (at_ == filter_.size()) {
    token->kind = FilterToken::Kind::kEnd;
    return absl::OkStatus();
  }
  switch (filter_[at_]) {
    case '(':
      ReadSingle(FilterToken::Kind::kOpen, token);
      return absl::OkStatus();
    case ')':
      ReadSingle(FilterToken::Kind::kClose, token);
      return absl::OkStatus();
    case '"':
    case '\'':
      return ReadString(token);
    case '=':
    case '!':
    case '<':
    case '>':
    case ':':
      return ReadComparator(token);
    case ',':
      return FilterError("unexpected ','", at_, "join terms by AND or OR");
    case '-':
      if (!is_value) {
        ReadSingle(FilterToken::Kind::kMinus, token);
        return absl::OkStatus();
      }
      break;
    default:
      break;
  }
  ReadWord(token);
  return absl::OkStatus();
}

void FilterLexer::ReadSingle(FilterToken::Kind kind, FilterToken* token) {
  token->kind = kind;
  token->source = filter_.substr(at_, 1);
  ++at_;
}

absl::Status FilterLexer::ReadComparator(FilterToken* token) {
  const char first = filter_[at_];
  const bool has_equal = at_ + 1 < filter_.size() && filter_[at_ + 1] == '=';
  std::size_t length = 1;
  switch (first) {
    case '=':
      token->comparator = Comparator::kEqual;
      break;
    case ':':
      token->comparator = Comparator::kHas;
      break;
    case '<':
      token->comparator = has_equal ? Comparator::kLessOrEqual : Comparator::kLess;
      length = has_equal ? 2 : 1;
      break;
    case '>':
      token->comparator = has_equal ? Comparator::kGreaterOrEqual : Comparator::kGreater;
      length = has_equal ? 2 : 1;
      break;
    default:
      if (!has_equal) return FilterError("unexpected '!'", at_, "write != or NOT");
      token->comparator = Comparator::kNotEqual;
      length = 2;
      break;
  }
  token->kind = FilterToken::Kind::kComparator;
  token->source = filter_.substr(at_, length);
  at_ += length;
  after_comparator_ = true;
  return absl::OkStatus();
}

void FilterLexer::ReadWord(FilterToken* token) {
  const std::size_t begin = at_;
  while (at_ < filter_.size() && !EndsWord(filter_[at_])) ++at_;
  token->kind = FilterToken::Kind::kWord;
  token->source = filter_.substr(begin, at_ - begin);
  FilterLiteral& literal = token->literal;
  literal.text.assign(token->source);
  literal.position = begin;
  literal.is_quoted = false;
  literal.wildcard_at_start = token->source.front() == '*';
  literal.wildcard_at_end = token->source.back() == '*';
}

absl::Status FilterLexer::ReadString(FilterToken* token) {
  const std::size_t begin = at_;
  const char quote = filter_[at_++];
  FilterLiteral& literal = token->literal;
  literal = {.text = {}, .position = begin, .is_quoted = true};
  for (; at_ < filter_.size(); ++at_) {
    char c = filter_[at_];
    if (c == quote) {
      ++at_;
      token->kind = FilterToken::Kind::kString;
      token->source = filter_.substr(begin, at_ - begin);
      return absl::OkStatus();
    }
    const bool is_wildcard = c == '*';
    if (c == '\\') {
      const char escaped = at_ + 1 < filter_.size() ? Unescape(filter_[at_ + 1]) : '\0';
      if (escaped == 0) {
        return FilterError("unknown escape in a string", at_,
                           "known are \\\" \\' \\\\ \\* \\n \\r \\t");
      }
      c = escaped;
      ++at_;
    }
    if (literal.text.empty()) literal.wildcard_at_start = is_wildcard;
    literal.wildcard_at_end = is_wildcard;
    literal.text.push_back(c);
  }
  return FilterError("a string that begins", begin, "its closing quote is missing");
}

}  // namespace muster::directory
