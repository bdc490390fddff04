#include "directory/set_evaluation.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace muster::directory {
namespace {

SlotSet ToSet(const Posting& posting) {
  return posting.bitmap() != nullptr ? SlotSet::Borrow(posting.bitmap())
                                     : SlotSet(posting.ToBitmap());
}

}  // namespace

SlotSet SetEvaluation::EvaluateFacet(const Predicate& predicate) const {
  const FacetField* field = facets_.Field(predicate.facet, predicate.label);
  if (field == nullptr) return SlotSet::Empty();
  if (predicate.kind == Predicate::Kind::kFacetPresent) return ToSet(field->present);
  const TextPattern& text = predicate.text;
  if (text.IsExact() && text.comparator == Comparator::kEqual) {
    const auto found = field->values.find(text.text);
    return found == field->values.end() ? SlotSet::Empty() : ToSet(found->second);
  }
  Roaring united;
  for (const auto& [value, posting] : field->values) {
    if (text.Matches(value)) posting.AddTo(&united);
  }
  return SlotSet(std::move(united));
}

SlotSet SetEvaluation::Evaluate(std::uint32_t index) const {
  const Predicate& predicate = predicates_[index];
  switch (predicate.kind) {
    case Predicate::Kind::kAnd:
      return EvaluateAll(predicate.children);
    case Predicate::Kind::kOr: {
      SlotSet set = SlotSet::Empty();
      for (const std::uint32_t child : predicate.children) {
        set = SlotSet::Unite(std::move(set), Evaluate(child));
      }
      return set;
    }
    case Predicate::Kind::kNot:
      return Evaluate(predicate.children.front()).Complement();
    case Predicate::Kind::kFacet:
    case Predicate::Kind::kFacetPresent:
      return EvaluateFacet(predicate);
    default:
      break;
  }
  MUSTER_CHECK(false, "only facets are sets");
}

SlotSet SetEvaluation::EvaluateAll(std::span<const std::uint32_t> indices) const {
  if (indices.empty()) return SlotSet::All();
  if (indices.size() == 1) return Evaluate(indices.front());
  std::vector<std::pair<std::uint64_t, SlotSet>> sets;
  sets.reserve(indices.size());
  for (const std::uint32_t index : indices) {
    SlotSet set = Evaluate(index);
    // Complements last: they only take away.
    const std::uint64_t size = set.is_complement() ? ~std::uint64_t{0} : set.bitmap().cardinality();
    sets.emplace_back(size, std::move(set));
  }
  std::sort(sets.begin(), sets.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  SlotSet result = std::move(sets.front().second);
  for (std::size_t i = 1; i < sets.size(); ++i) {
    result = SlotSet::Intersect(result, sets[i].second);
  }
  return result;
}

}  // namespace muster::directory
