#include "directory/filter_parser.h"

#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"

namespace muster::directory {
namespace {

std::string_view Sign(Comparator comparator) {
  switch (comparator) {
    case Comparator::kEqual:
      return "=";
    case Comparator::kNotEqual:
      return "!=";
    case Comparator::kLess:
      return "<";
    case Comparator::kLessOrEqual:
      return "<=";
    case Comparator::kGreater:
      return ">";
    case Comparator::kGreaterOrEqual:
      return ">=";
    case Comparator::kHas:
      return ":";
  }
  return "?";
}

// The tree as nested lists: (and a=1 (or b=2 c=3)).
std::string Show(const FilterAst& ast, std::uint32_t index) {
  const FilterNode& node = ast.nodes[index];
  if (node.kind == FilterNode::Kind::kRestriction) {
    const Restriction& r = ast.restrictions[node.restriction];
    const std::string key = r.field.has_key ? base::StrCat(".", r.field.key) : std::string();
    const std::string_view quote = r.literal.is_quoted ? "'" : "";
    return base::StrCat(r.field.name, key, Sign(r.comparator), quote, r.literal.text, quote);
  }
  std::string shown = node.kind == FilterNode::Kind::kAnd  ? "(and"
                      : node.kind == FilterNode::Kind::kOr ? "(or"
                                                           : "(not";
  for (const std::uint32_t child : node.children) shown += " " + Show(ast, child);
  return shown + ")";
}

std::string Parse(std::string_view filter, std::size_t terms_max = 256) {
  const absl::StatusOr<FilterAst> ast = ParseFilter(filter, terms_max);
  if (!ast.ok()) return std::string(base::Message(ast.status()));
  return ast->empty() ? "" : Show(*ast, ast->root());
}

TEST(FilterParser, ReadsNothing) {
  EXPECT_EQ(Parse(""), "");
  EXPECT_EQ(Parse(" \t\r\n"), "");
}

TEST(FilterParser, ReadsEachComparator) {
  EXPECT_EQ(Parse("a=1"), "a=1");
  EXPECT_EQ(Parse("a != 1"), "a!=1");
  EXPECT_EQ(Parse("a<1"), "a<1");
  EXPECT_EQ(Parse("a <=1"), "a<=1");
  EXPECT_EQ(Parse("a> 1"), "a>1");
  EXPECT_EQ(Parse("a>=1"), "a>=1");
  EXPECT_EQ(Parse("a:1"), "a:1");
}

TEST(FilterParser, BindsOrTighterThanAnd) {
  EXPECT_EQ(Parse("a=1 AND b=2 OR c=3"), "(and a=1 (or b=2 c=3))");
  EXPECT_EQ(Parse("a=1 OR b=2 AND c=3 OR d=4"), "(and (or a=1 b=2) (or c=3 d=4))");
  EXPECT_EQ(Parse("(a=1 AND b=2) OR c=3"), "(or (and a=1 b=2) c=3)");
}

TEST(FilterParser, JoinsTermsSideBySideByAnd) {
  EXPECT_EQ(Parse("a=1 b=2 AND c=3"), "(and a=1 b=2 c=3)");
  EXPECT_EQ(Parse("a=1 b=2 OR c=3 d=4"), "(and a=1 (or b=2 c=3) d=4)");
  EXPECT_EQ(Parse("a=1(b=2)"), "(and a=1 b=2)");
}

TEST(FilterParser, NegatesByNotAndMinus) {
  EXPECT_EQ(Parse("NOT a=1"), "(not a=1)");
  EXPECT_EQ(Parse("-a=1"), "(not a=1)");
  EXPECT_EQ(Parse("-(a=1 OR b=2) c=3"), "(and (not (or a=1 b=2)) c=3)");
  EXPECT_EQ(Parse("NOT (NOT a=1)"), "(not (not a=1))");
  EXPECT_EQ(Parse("a = -1"), "a=-1");
  EXPECT_EQ(Parse("a=-1 -b=-2"), "(and a=-1 (not b=-2))");
  EXPECT_EQ(Parse("a=agent-7"), "a=agent-7");
}

TEST(FilterParser, ReadsStringsWithEscapes) {
  EXPECT_EQ(Parse("a = \"x y\""), "a='x y'");
  EXPECT_EQ(Parse("a = 'x \"y\"'"), "a='x \"y\"'");
  EXPECT_EQ(Parse(R"(a = "\"\\\'\n\t\*")"), "a='\"\\'\n\t*'");
  EXPECT_EQ(Parse("a = \"\""), "a=''");
  EXPECT_EQ(Parse("a = \"AND\" b=1"), "(and a='AND' b=1)");
  EXPECT_EQ(Parse("a = \"\xC3\xA9\""), "a='\xC3\xA9'");
}

TEST(FilterParser, TellsWildcardsFromAsterisks) {
  const auto literal = [](std::string_view filter) {
    return ParseFilter(filter, 9)->restrictions.front().literal;
  };
  EXPECT_TRUE(literal("a=\"x*\"").wildcard_at_end);
  EXPECT_FALSE(literal("a=\"x*\"").wildcard_at_start);
  EXPECT_FALSE(literal("a=\"x\\*\"").wildcard_at_end);
  EXPECT_TRUE(literal("a=*x").wildcard_at_start);
  EXPECT_FALSE(literal("a=\"\\*x\"").wildcard_at_start);
  EXPECT_TRUE(literal("a:*").is_star());
  EXPECT_FALSE(literal("a:\"*\"").is_star());
}

TEST(FilterParser, ReadsKeys) {
  EXPECT_EQ(Parse("labels.region=eu"), "labels.region=eu");
  EXPECT_EQ(Parse("labels.a.b.c=1"), "labels.a.b.c=1");
  EXPECT_EQ(Parse("labels.\"k with = and .\"=1"), "labels.k with = and .=1");
}

TEST(FilterParser, SaysWhereTheMistakeIs) {
  EXPECT_EQ(Parse("a=1 AND"),
            "expected a field name but found the end of the filter at 8 [/filter]");
  EXPECT_EQ(Parse("a="), "expected a value but found the end of the filter at 3 [/filter]");
  EXPECT_EQ(Parse("a=1)"), "unexpected ')' at 4; no '(' is open there [/filter]");
  EXPECT_EQ(Parse("(a=1"), "a '(' that is never closed at 1 [/filter]");
  EXPECT_EQ(Parse("a=\"x"), "a string that begins at 3; its closing quote is missing [/filter]");
  EXPECT_EQ(Parse("a=1 OR OR b=2"), "expected a field name but found \"OR\" at 8 [/filter]");
  EXPECT_EQ(Parse("a ! b"), "unexpected '!' at 3; write != or NOT [/filter]");
  EXPECT_EQ(Parse("a=1, b=2"), "unexpected ',' at 4; join terms by AND or OR [/filter]");
  EXPECT_EQ(Parse("- a=1"),
            "a space after '-' at 3; '-' stands right before what it negates [/filter]");
  EXPECT_EQ(
      Parse("hello"),
      "expected a comparison after \"hello\" at 6; a term is a field, one of = != < <= > >= : "
      "and a value [/filter]");
  EXPECT_EQ(Parse("a=\"\\x\""),
            "unknown escape in a string at 4; known are \\\" \\' \\\\ \\* \\n \\r \\t [/filter]");
  EXPECT_EQ(Parse("labels. =1"), "expected a key after the dot but found \"=\" at 9 [/filter]");
  EXPECT_EQ(Parse("()"), "expected a field name but found \")\" at 2 [/filter]");
  EXPECT_EQ(Parse("NOT"), "expected a field name but found the end of the filter at 4 [/filter]");
  EXPECT_EQ(Parse("\"a\"=1"), "expected a field name but found \"\"a\"\" at 1 [/filter]");
  EXPECT_EQ(Parse("a=(b)"), "expected a value but found \"(\" at 3 [/filter]");
}

TEST(FilterParser, RefusesDeepAndLongFiltersCleanly) {
  EXPECT_EQ(Parse(std::string(100'000, '(')),
            "more than 64 parentheses within each other at 65 [/filter]");
  const std::string deepest = std::string(64, '(') + "a=1" + std::string(64, ')');
  EXPECT_EQ(Parse(deepest), "a=1");
  std::string negations;
  for (int i = 0; i < 50'000; ++i) negations += "-(";
  EXPECT_EQ(Parse(negations), "more than 64 parentheses within each other at 130 [/filter]");
  EXPECT_EQ(Parse("a=1 b=2 c=3", 2),
            "more than 2 terms at 9; the limit is limits.filter_terms_max [/filter]");
  // Parentheses side by side are not within each other.
  std::string wide;
  for (int i = 0; i < 200; ++i) wide += "(a=1)";
  EXPECT_EQ(Parse(wide).substr(0, 8), "(and a=1");
}

}  // namespace
}  // namespace muster::directory
