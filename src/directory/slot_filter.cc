#include "directory/slot_filter.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "directory/set_evaluation.h"

namespace muster::directory {
namespace {

using Kind = Predicate::Kind;
using model::AgentSlot;

// Neither a text's number nor kAbsentValue: equal to nothing that a column holds.
constexpr std::uint64_t kNoText = ~std::uint64_t{0};

// The least text that is greater than all that begin with `prefix`; nullopt: there is none.
std::optional<std::string> AfterPrefix(std::string_view prefix) {
  std::string after(prefix);
  while (!after.empty() && after.back() == '\xff') after.pop_back();
  if (after.empty()) return std::nullopt;
  after.back() = static_cast<char>(static_cast<unsigned char>(after.back()) + 1);
  return after;
}

int CostClass(const Predicate& predicate) {
  switch (predicate.kind) {
    case Kind::kLapsed:
    case Kind::kNumber:
    case Kind::kBool:
    case Kind::kStatePresent:
      return 0;
    case Kind::kText:
    case Kind::kId:
      return predicate.text.IsExact() ? 0 : 2;
    case Kind::kName:
      return 2;
    default:
      return 1;
  }
}

template <typename Holds>
std::size_t Compact(std::span<AgentSlot> slots, Holds&& holds) {
  std::size_t kept = 0;
  for (const AgentSlot slot : slots) {
    slots[kept] = slot;
    kept += holds(slot) ? 1 : 0;
  }
  return kept;
}

}  // namespace

bool ToIdRange(const IdOrder& order, const TextPattern& pattern, IdRange* out) {
  const std::string& text = pattern.text;
  *out = {0, kPastLastId, false};
  switch (pattern.comparator) {
    case Comparator::kHas:
      return text.empty();
    case Comparator::kLess:
      out->end = order.LowerBound(text);
      return true;
    case Comparator::kLessOrEqual:
      out->end = order.UpperBound(text);
      return true;
    case Comparator::kGreater:
      out->begin = order.UpperBound(text);
      return true;
    case Comparator::kGreaterOrEqual:
      out->begin = order.LowerBound(text);
      return true;
    case Comparator::kEqual:
    case Comparator::kNotEqual:
      break;
  }
  if (pattern.any_start && !text.empty()) return false;
  out->is_complement = pattern.comparator == Comparator::kNotEqual;
  if (pattern.any_start) return true;
  out->begin = order.LowerBound(text);
  if (!pattern.any_end) {
    out->end = order.UpperBound(text);
    return true;
  }
  const std::optional<std::string> after = AfterPrefix(text);
  if (after) out->end = order.LowerBound(*after);
  return true;
}

SlotFilter::SlotFilter(const Parts& parts, const Plan::Body& body, base::MonoTime served)
    : parts_(parts), body_(body), served_(served.time_since_epoch().count()) {
  tests_.reserve(body.predicates.size());
  for (const std::uint32_t index : body.conjuncts) {
    if (!body.predicates[index].is_set) conjuncts_.push_back(Resolve(index));
  }
  std::stable_sort(conjuncts_.begin(), conjuncts_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return CostClass(*tests_[a].predicate) < CostClass(*tests_[b].predicate);
  });
}

std::uint32_t SlotFilter::Resolve(std::uint32_t index) {
  const Predicate& predicate = body_.predicates[index];
  Test test;
  test.predicate = &predicate;
  if (predicate.is_set) {
    test.set = SetEvaluation(parts_.facets, body_.predicates).Evaluate(index);
  } else {
    for (const std::uint32_t child : predicate.children) test.children.push_back(Resolve(child));
    switch (predicate.kind) {
      case Kind::kText:
        ResolveText(&test);
        [[fallthrough]];
      case Kind::kNumber:
      case Kind::kBool:
      case Kind::kStatePresent:
        test.column = parts_.columns[predicate.state].get();
        break;
      case Kind::kId:
        test.is_id_range = ToIdRange(parts_.agents.order(), predicate.text, &test.ids);
        break;
      default:
        break;
    }
  }
  tests_.push_back(std::move(test));
  return static_cast<std::uint32_t>(tests_.size() - 1);
}

void SlotFilter::ResolveText(Test* test) const {
  const TextPattern& pattern = test->predicate->text;
  if (!pattern.IsExact()) return;
  const std::optional<TextNumber> number = parts_.texts.Find(pattern.text);
  test->text = number ? *number : kNoText;
}

template <typename Visit>
void SlotFilter::WithNumberTest(const Test& test, Visit&& visit) const {
  // A missing number is NaN, of which every comparison but != is false.
  const Column& column = *test.column;
  const double wanted = test.predicate->number;
  auto number = [low = column.LowReader()](AgentSlot slot) mutable {
    return UnpackNumber(low(slot));
  };
  switch (test.predicate->comparator) {
    case Comparator::kLess:
      return visit([=](AgentSlot slot) mutable { return number(slot) < wanted; });
    case Comparator::kLessOrEqual:
      return visit([=](AgentSlot slot) mutable { return number(slot) <= wanted; });
    case Comparator::kGreater:
      return visit([=](AgentSlot slot) mutable { return number(slot) > wanted; });
    case Comparator::kGreaterOrEqual:
      return visit([=](AgentSlot slot) mutable { return number(slot) >= wanted; });
    case Comparator::kNotEqual:
      return visit([=](AgentSlot slot) mutable {
        const double value = number(slot);
        return value < wanted || value > wanted;
      });
    case Comparator::kEqual:
    case Comparator::kHas:
      return visit([=](AgentSlot slot) mutable { return number(slot) == wanted; });
  }
}

template <typename Visit>
void SlotFilter::WithTextTest(const Test& test, Visit&& visit) const {
  const Column& column = *test.column;
  const TextPattern& pattern = test.predicate->text;
  const std::uint64_t text = test.text;
  if (!pattern.IsExact()) {
    return visit([this, &column, &pattern](AgentSlot slot) {
      const std::uint64_t value = column.Low(slot);
      return value != kAbsentValue &&
             pattern.Matches(parts_.texts.text(static_cast<TextNumber>(value)));
    });
  }
  if (pattern.comparator == Comparator::kEqual) {
    return visit(
        [low = column.LowReader(), text](AgentSlot slot) mutable { return low(slot) == text; });
  }
  visit([low = column.LowReader(), text](AgentSlot slot) mutable {
    const std::uint64_t value = low(slot);
    return value != kAbsentValue && value != text;
  });
}

template <typename Visit>
void SlotFilter::WithIdTest(const Test& test, Visit&& visit) const {
  if (test.is_id_range) {
    const IdOrder& order = parts_.agents.order();
    const IdRange ids = test.ids;
    return visit([&order, ids](AgentSlot slot) {
      const IdPosition position = order.Position(slot);
      return (position >= ids.begin && position < ids.end) != ids.is_complement;
    });
  }
  const TextPattern& pattern = test.predicate->text;
  visit([this, &pattern](AgentSlot slot) {
    return pattern.Matches(parts_.agents.agent(slot)->registration.id);
  });
}

template <typename Visit>
void SlotFilter::WithTest(std::uint32_t index, Visit&& visit) const {
  const Test& test = tests_[index];
  const Predicate& predicate = *test.predicate;
  if (predicate.is_set) {
    return visit([&test](AgentSlot slot) { return test.set.Contains(slot); });
  }
  switch (predicate.kind) {
    case Kind::kNumber:
      return WithNumberTest(test, visit);
    case Kind::kText:
      return WithTextTest(test, visit);
    case Kind::kId:
      return WithIdTest(test, visit);
    case Kind::kBool:
      return visit([&column = *test.column, low = Pack(predicate.boolean).low](AgentSlot slot) {
        return column.Low(slot) == low;
      });
    case Kind::kStatePresent:
      return visit(
          [&column = *test.column](AgentSlot slot) { return column.Low(slot) != kAbsentValue; });
    case Kind::kName:
      return visit([this, &pattern = predicate.text](AgentSlot slot) {
        return pattern.Matches(parts_.agents.agent(slot)->registration.card.name);
      });
    case Kind::kLapsed:
      return visit(
          [this, wanted = predicate.boolean](AgentSlot slot) { return IsLapsed(slot) == wanted; });
    case Kind::kAnd:
    case Kind::kOr:
    case Kind::kNot:
    case Kind::kFacet:
    case Kind::kFacetPresent:
      break;
  }
}

void SlotFilter::Join(const Test& test, std::span<const AgentSlot> slots, Mask* mask) const {
  Fill(test.children.front(), slots, mask);
  if (test.predicate->kind == Kind::kNot) {
    for (std::size_t i = 0; i < slots.size(); ++i) (*mask)[i] ^= 1U;
    return;
  }
  const bool is_and = test.predicate->kind == Kind::kAnd;
  Mask other;
  for (const std::uint32_t child : std::span(test.children).subspan(1)) {
    Fill(child, slots, &other);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      (*mask)[i] = is_and ? (*mask)[i] & other[i] : (*mask)[i] | other[i];
    }
  }
}

void SlotFilter::Fill(std::uint32_t index, std::span<const AgentSlot> slots, Mask* mask) const {
  if (IsTree(tests_[index])) return Join(tests_[index], slots, mask);
  WithTest(index, [&](auto&& holds) {
    for (std::size_t i = 0; i < slots.size(); ++i) (*mask)[i] = holds(slots[i]) ? 1 : 0;
  });
}

std::size_t SlotFilter::Keep(std::span<AgentSlot> slots) const {
  MUSTER_CHECK(slots.size() <= kBlock, "slots are tested in blocks");
  std::size_t kept = slots.size();
  for (const std::uint32_t conjunct : conjuncts_) {
    if (IsTree(tests_[conjunct])) {
      Mask mask;
      Join(tests_[conjunct], slots.first(kept), &mask);
      const std::uint8_t* holds = mask.data();
      kept = Compact(slots.first(kept), [&holds](AgentSlot) { return *holds++ != 0; });
    } else {
      WithTest(conjunct, [&](auto&& holds) { kept = Compact(slots.first(kept), holds); });
    }
  }
  // After the conjuncts: nearly every agent passes, so it is asked of the fewest.
  if (!body_.include_lapsed) {
    kept = Compact(slots.first(kept),
                   [this, expires_at = decltype(Parts::expires_at)::Reader(parts_.expires_at)](
                       AgentSlot slot) mutable { return expires_at(slot) >= served_; });
  }
  if (body_.near) {
    kept = Compact(slots.first(kept), [this](AgentSlot slot) {
      const S2Point* point = parts_.locations.Point(slot);
      return point != nullptr && body_.near->disc.Contains(*point);
    });
  }
  return kept;
}

}  // namespace muster::directory
