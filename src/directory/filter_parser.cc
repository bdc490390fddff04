#include "directory/filter_parser.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "directory/excerpt.h"
#include "directory/filter_lexer.h"

namespace muster::directory {
namespace {

using Kind = FilterToken::Kind;
using NodeIndex = std::uint32_t;

class FilterParser {
 public:
  FilterParser(std::string_view filter, std::size_t terms_max)
      : lexer_(filter), terms_max_(terms_max) {}

  absl::StatusOr<FilterAst> Parse() {
    if (absl::Status status = Advance(); !status.ok()) return status;
    if (token_.kind == Kind::kEnd) return std::move(ast_);
    NodeIndex root = 0;
    if (absl::Status status = ParseExpression(&root); !status.ok()) return status;
    if (token_.kind == Kind::kClose) {
      return FilterError("unexpected ')'", token_.position, "no '(' is open there");
    }
    if (token_.kind != Kind::kEnd) return Unexpected("AND, OR or the end");
    return std::move(ast_);
  }

 private:
  absl::Status Advance() { return lexer_.Next(&token_); }

  absl::Status Unexpected(std::string_view wanted) const {
    const std::string found = token_.kind == Kind::kEnd
                                  ? std::string("the end of the filter")
                                  : base::StrCat("\"", Excerpt(token_.source), "\"");
    return FilterError(base::StrCat("expected ", wanted, " but found ", found), token_.position);
  }

  NodeIndex Add(FilterNode node) {
    ast_.nodes.push_back(std::move(node));
    return static_cast<NodeIndex>(ast_.nodes.size() - 1);
  }

  NodeIndex Join(FilterNode::Kind kind, std::vector<NodeIndex> parts) {
    if (parts.size() == 1) return parts.front();
    return Add({.kind = kind, .restriction = 0, .children = std::move(parts)});
  }

  // Terms joined by AND and terms side by side are one conjunction.
  absl::Status ParseExpression(NodeIndex* out) {
    std::vector<NodeIndex> parts;
    for (;;) {
      NodeIndex factor = 0;
      if (absl::Status status = ParseFactor(&factor); !status.ok()) return status;
      parts.push_back(factor);
      if (token_.IsKeyword("AND")) {
        if (absl::Status status = Advance(); !status.ok()) return status;
      } else if (token_.kind == Kind::kEnd || token_.kind == Kind::kClose) {
        *out = Join(FilterNode::Kind::kAnd, std::move(parts));
        return absl::OkStatus();
      }
    }
  }

  absl::Status ParseFactor(NodeIndex* out) {
    std::vector<NodeIndex> parts(1);
    if (absl::Status status = ParseTerm(&parts.back()); !status.ok()) return status;
    while (token_.IsKeyword("OR")) {
      if (absl::Status status = Advance(); !status.ok()) return status;
      parts.emplace_back();
      if (absl::Status status = ParseTerm(&parts.back()); !status.ok()) return status;
    }
    *out = Join(FilterNode::Kind::kOr, std::move(parts));
    return absl::OkStatus();
  }

  absl::Status ParseTerm(NodeIndex* out) {
    const bool is_negated = token_.kind == Kind::kMinus || token_.IsKeyword("NOT");
    if (is_negated) {
      const bool is_minus = token_.kind == Kind::kMinus;
      if (absl::Status status = Advance(); !status.ok()) return status;
      if (is_minus && !token_.touches_previous) {
        return FilterError("a space after '-'", token_.position,
                           "'-' stands right before what it negates");
      }
    }
    NodeIndex inner = 0;
    if (absl::Status status = ParseSimple(&inner); !status.ok()) return status;
    *out = is_negated ? Add({.kind = FilterNode::Kind::kNot, .restriction = 0, .children = {inner}})
                      : inner;
    return absl::OkStatus();
  }

  absl::Status ParseSimple(NodeIndex* out) {
    if (token_.kind != Kind::kOpen) return ParseRestriction(out);
    if (++depth_ > kFilterDepthMax) {
      return FilterError(
          base::StrCat("more than ", kFilterDepthMax, " parentheses within each other"),
          token_.position);
    }
    const std::size_t opened_at = token_.position;
    if (absl::Status status = Advance(); !status.ok()) return status;
    if (absl::Status status = ParseExpression(out); !status.ok()) return status;
    if (token_.kind != Kind::kClose) {
      return FilterError("a '(' that is never closed", opened_at);
    }
    --depth_;
    return Advance();
  }

  absl::Status ParseRestriction(NodeIndex* out) {
    if (token_.kind != Kind::kWord || token_.IsKeyword("AND") || token_.IsKeyword("OR") ||
        token_.IsKeyword("NOT")) {
      return Unexpected("a field name");
    }
    if (ast_.restrictions.size() == terms_max_) {
      return FilterError(base::StrCat("more than ", terms_max_, " terms"), token_.position,
                         "the limit is limits.filter_terms_max");
    }
    Restriction restriction;
    if (absl::Status status = ParseField(&restriction.field); !status.ok()) return status;
    if (token_.kind != Kind::kComparator) return MissingComparator(restriction.field);
    restriction.comparator = token_.comparator;
    if (absl::Status status = Advance(); !status.ok()) return status;
    if (token_.kind != Kind::kWord && token_.kind != Kind::kString) return Unexpected("a value");
    restriction.literal = std::move(token_.literal);
    if (absl::Status status = Advance(); !status.ok()) return status;
    ast_.restrictions.push_back(std::move(restriction));
    const auto index = static_cast<std::uint32_t>(ast_.restrictions.size() - 1);
    *out = Add({.kind = FilterNode::Kind::kRestriction, .restriction = index, .children = {}});
    return absl::OkStatus();
  }

  absl::Status MissingComparator(const FilterField& field) const {
    return FilterError(base::StrCat("expected a comparison after \"", Excerpt(field.name), "\""),
                       token_.position, "a term is a field, one of = != < <= > >= : and a value");
  }

  absl::Status ParseField(FilterField* field) {
    field->position = token_.position;
    const std::string_view word = token_.source;
    const std::size_t dot = word.find('.');
    field->name.assign(word.substr(0, dot));
    if (dot == std::string_view::npos) return Advance();
    field->has_key = true;
    field->key.assign(word.substr(dot + 1));
    if (absl::Status status = Advance(); !status.ok()) return status;
    if (!field->key.empty()) return absl::OkStatus();
    if (token_.kind != Kind::kString || !token_.touches_previous) {
      return Unexpected("a key after the dot");
    }
    field->key = std::move(token_.literal.text);
    return Advance();
  }

  FilterLexer lexer_;
  const std::size_t terms_max_;
  FilterToken token_;
  FilterAst ast_;
  int depth_ = 0;
};

}  // namespace

absl::StatusOr<FilterAst> ParseFilter(std::string_view filter, std::size_t terms_max) {
  return FilterParser(filter, terms_max).Parse();
}

}  // namespace muster::directory
