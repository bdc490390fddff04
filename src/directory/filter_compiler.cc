#include "directory/filter_compiler.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_join.h"
#include "base/strings.h"
#include "directory/excerpt.h"
#include "directory/filter_lexer.h"
#include "directory/filter_parser.h"

namespace muster::directory {
namespace {

using Kind = Predicate::Kind;

struct FacetName {
  std::string_view name;
  Facet facet;
};
constexpr std::array<FacetName, 5> kFacetNames = {{{"provider", Facet::kProvider},
                                                   {"skill", Facet::kSkill},
                                                   {"tag", Facet::kTag},
                                                   {"domain", Facet::kDomain},
                                                   {"protocol", Facet::kProtocol}}};
constexpr std::string_view kLabelsField = "labels";

bool IsEquality(Comparator comparator) {
  return comparator == Comparator::kEqual || comparator == Comparator::kNotEqual ||
         comparator == Comparator::kHas;
}

std::string Quoted(const FilterLiteral& literal) {
  return base::StrCat("\"", Excerpt(literal.text), "\"");
}

class FilterCompiler {
 public:
  FilterCompiler(const model::StateCatalog& catalog, CompiledFilter* out)
      : catalog_(catalog), out_(out) {}

  // Predicates stand at the indices of their nodes.
  absl::Status Compile(FilterAst ast) {
    out_->predicates.resize(ast.nodes.size());
    for (std::size_t i = 0; i < ast.nodes.size(); ++i) {
      FilterNode& node = ast.nodes[i];
      Predicate& predicate = out_->predicates[i];
      if (node.kind == FilterNode::Kind::kRestriction) {
        const Restriction& restriction = ast.restrictions[node.restriction];
        if (absl::Status status = CompileRestriction(restriction, &predicate); !status.ok()) {
          return status;
        }
      } else {
        predicate.kind = ToKind(node.kind);
        predicate.children = std::move(node.children);
        predicate.is_set =
            std::all_of(predicate.children.begin(), predicate.children.end(),
                        [&](std::uint32_t child) { return out_->predicates[child].is_set; });
      }
    }
    if (!ast.empty()) AddConjuncts(ast.root());
    return absl::OkStatus();
  }

 private:
  static Kind ToKind(FilterNode::Kind kind) {
    if (kind == FilterNode::Kind::kAnd) return Kind::kAnd;
    return kind == FilterNode::Kind::kOr ? Kind::kOr : Kind::kNot;
  }

  void AddConjuncts(std::uint32_t index) {
    const Predicate& predicate = out_->predicates[index];
    if (predicate.kind != Kind::kAnd) {
      out_->conjuncts.push_back(index);
      return;
    }
    for (const std::uint32_t child : predicate.children) AddConjuncts(child);
  }

  absl::Status CompileRestriction(const Restriction& restriction, Predicate* out) {
    const FilterField& field = restriction.field;
    if (field.has_key) {
      if (field.name != kLabelsField) return UnknownField(field);
      return CompileLabel(restriction, out);
    }
    for (const FacetName& known : kFacetNames) {
      if (field.name == known.name) return CompileFacet(restriction, known.facet, out);
    }
    if (field.name == "id") return CompileOwnText(restriction, Kind::kId, out);
    if (field.name == "name") return CompileOwnText(restriction, Kind::kName, out);
    if (field.name == "lapsed") return CompileLapsed(restriction, out);
    const std::optional<model::StateIndex> state = catalog_.Find(field.name);
    if (!state) return UnknownField(field);
    return CompileState(restriction, *state, out);
  }

  absl::Status UnknownField(const FilterField& field) const {
    std::vector<std::string_view> names = {"id", "name", "lapsed", kLabelsField};
    for (const FacetName& known : kFacetNames) names.push_back(known.name);
    for (std::size_t i = 0; i < catalog_.size(); ++i) {
      names.push_back(catalog_.spec(static_cast<model::StateIndex>(i)).name);
    }
    if (field.name == kLabelsField) {
      return FilterError("\"labels\" needs a key", field.position, "write labels.region = \"eu\"");
    }
    const std::string name = field.has_key ? base::StrCat(field.name, ".", field.key) : field.name;
    return FilterError(base::StrCat("unknown field \"", Excerpt(name), "\""), field.position,
                       DidYouMean(field.name, names,
                                  "known are id, name, provider, skill, tag, domain, protocol, "
                                  "labels.KEY, lapsed and the declared states"));
  }

  static bool IsPresence(const Restriction& restriction) {
    return restriction.comparator == Comparator::kHas && restriction.literal.is_star();
  }

  absl::Status CompileLabel(const Restriction& restriction, Predicate* out) {
    out->label = restriction.field.key;
    return SetFacet(restriction, Facet::kLabel, restriction.comparator, out);
  }

  // ':' on a list asks for an element; the order of a list means nothing.
  absl::Status CompileFacet(const Restriction& restriction, Facet facet, Predicate* out) {
    if (facet == Facet::kProvider) return SetFacet(restriction, facet, restriction.comparator, out);
    if (!IsEquality(restriction.comparator)) {
      return FilterError(base::StrCat("\"", restriction.field.name, "\" is a list"),
                         restriction.field.position, "it takes : = and !=");
    }
    if (restriction.comparator != Comparator::kNotEqual) {
      return SetFacet(restriction, facet, Comparator::kEqual, out);
    }
    // No element is equal: the negation of "some element is".
    Predicate element;
    if (absl::Status status = SetFacet(restriction, facet, Comparator::kEqual, &element);
        !status.ok()) {
      return status;
    }
    const auto index = static_cast<std::uint32_t>(out_->predicates.size());
    out->kind = Kind::kNot;
    out->is_set = true;
    out->children = {index};
    out_->predicates.push_back(std::move(element));
    return absl::OkStatus();
  }

  static absl::Status SetFacet(const Restriction& restriction, Facet facet, Comparator comparator,
                               Predicate* out) {
    out->facet = facet;
    out->is_set = true;
    out->kind = IsPresence(restriction) ? Kind::kFacetPresent : Kind::kFacet;
    if (out->kind == Kind::kFacet) out->text = TextPattern::Make(comparator, restriction.literal);
    return absl::OkStatus();
  }

  static absl::Status CompileOwnText(const Restriction& restriction, Kind kind, Predicate* out) {
    out->kind = kind;
    // Every agent has an id and a name: being there is containing nothing.
    const bool is_presence = IsPresence(restriction);
    out->text = TextPattern::Make(restriction.comparator,
                                  is_presence ? FilterLiteral() : restriction.literal);
    return absl::OkStatus();
  }

  absl::Status CompileLapsed(const Restriction& restriction, Predicate* out) {
    out->kind = Kind::kLapsed;
    out_->mentions_lapsed = true;
    return CompileBool(restriction, out);
  }

  absl::Status CompileState(const Restriction& restriction, model::StateIndex state,
                            Predicate* out) {
    const model::StateSpec& spec = catalog_.spec(state);
    out->state = state;
    if (spec.kind == model::StateKind::kEvent) {
      return FilterError(base::StrCat("\"", spec.name, "\" is a history of events"),
                         restriction.field.position, "it has no value to compare");
    }
    if (IsPresence(restriction)) {
      out->kind = Kind::kStatePresent;
      return absl::OkStatus();
    }
    switch (spec.type) {
      case model::StateType::kNumber:
        out->kind = Kind::kNumber;
        return CompileNumber(restriction, out);
      case model::StateType::kString:
        out->kind = Kind::kText;
        return CompileText(restriction, spec, out);
      case model::StateType::kBool:
        out->kind = Kind::kBool;
        return CompileBool(restriction, out);
      case model::StateType::kLocation:
        break;
    }
    return FilterError(base::StrCat("\"", spec.name, "\" is a location and can't be compared"),
                       restriction.field.position, "use near, or :* for being reported");
  }

  static absl::Status CompileNumber(const Restriction& restriction, Predicate* out) {
    const FilterLiteral& literal = restriction.literal;
    const char* end = literal.text.data() + literal.text.size();
    const auto parsed = std::from_chars(literal.text.data(), end, out->number);
    const bool is_whole = parsed.ec == std::errc() && parsed.ptr == end;
    if (literal.is_quoted || !is_whole || !std::isfinite(out->number)) {
      return FilterError(base::StrCat("\"", restriction.field.name, "\" is a number and ",
                                      Quoted(literal), " is none"),
                         literal.position, "write for example 0.5, -3 or 1e6");
    }
    out->comparator =
        restriction.comparator == Comparator::kHas ? Comparator::kEqual : restriction.comparator;
    return absl::OkStatus();
  }

  static absl::Status CompileBool(const Restriction& restriction, Predicate* out) {
    const FilterLiteral& literal = restriction.literal;
    if (!IsEquality(restriction.comparator)) {
      return FilterError(base::StrCat("\"", restriction.field.name, "\" is true or false"),
                         restriction.field.position, "it takes = and !=");
    }
    if (literal.is_quoted || (literal.text != "true" && literal.text != "false")) {
      return FilterError(
          base::StrCat("\"", restriction.field.name, "\" is true or false, not ", Quoted(literal)),
          literal.position);
    }
    const bool is_negated = restriction.comparator == Comparator::kNotEqual;
    out->boolean = (literal.text == "true") != is_negated;
    return absl::OkStatus();
  }

  static absl::Status CompileText(const Restriction& restriction, const model::StateSpec& spec,
                                  Predicate* out) {
    out->text = TextPattern::Make(restriction.comparator, restriction.literal);
    const auto& allowed = spec.allowed;
    if (allowed.empty() || !out->text.IsExact()) return absl::OkStatus();
    if (std::find(allowed.begin(), allowed.end(), out->text.text) != allowed.end()) {
      return absl::OkStatus();
    }
    return FilterError(base::StrCat("\"", spec.name, "\" is never ", Quoted(restriction.literal)),
                       restriction.literal.position,
                       DidYouMean(restriction.literal.text, {allowed.begin(), allowed.end()},
                                  base::StrCat("it is one of ", absl::StrJoin(allowed, ", "))));
  }

  const model::StateCatalog& catalog_;
  CompiledFilter* out_;
};

}  // namespace

absl::Status CompileFilter(std::string_view filter, std::size_t terms_max,
                           const model::StateCatalog& catalog, CompiledFilter* out) {
  if (filter.empty()) return absl::OkStatus();
  absl::StatusOr<FilterAst> ast = ParseFilter(filter, terms_max);
  if (!ast.ok()) return ast.status();
  return FilterCompiler(catalog, out).Compile(*std::move(ast));
}

}  // namespace muster::directory
