#include "directory/sort_key.h"

#include <algorithm>

#include "base/check.h"

namespace muster::directory {
namespace {

using Source = OrderKey::Source;

// A sum of finite terms may still overflow; the ends of the range order well enough.
double ToFinite(double number) {
  constexpr double kMax = std::numeric_limits<double>::max();
  return std::clamp(number, -kMax, kMax);
}

int CompareTexts(std::uint64_t a, std::uint64_t b, bool is_descending) {
  if (a == kMissingKey || b == kMissingKey) return (a == kMissingKey) - (b == kMissingKey);
  const int compared = TextOfKey(a).compare(TextOfKey(b));
  return is_descending ? -compared : compared;
}

}  // namespace

SortKeys::SortKeys(const Parts& parts, const Plan::Body& body) : parts_(parts), body_(body) {
  if (body.order.empty() || body.order.front().source != Source::kNumber) return;
  first_column_ = parts.columns[body.order.front().state].get();
  if (body.order.front().is_descending) first_flip_ = ~std::uint64_t{0};
}

double SortKeys::Score(model::AgentSlot slot) const {
  double score = 0;
  for (const RankTerm& term : body_.rank) {
    const std::uint64_t low = parts_.columns[term.state]->Low(slot);
    if (low != kAbsentValue) score += term.weight * UnpackNumber(low);
  }
  return score == score ? ToFinite(score) : 0;
}

std::uint64_t SortKeys::ReadNumber(const OrderKey& key, model::AgentSlot slot) const {
  double number = 0;
  if (key.source == Source::kDistance) {
    const S2Point* point = parts_.locations.Point(slot);
    if (point == nullptr) return kMissingKey;
    number = DistanceMeters(body_.near->disc.center(), *point);
  } else if (key.source == Source::kScore) {
    number = Score(slot);
  } else {
    const std::uint64_t low = parts_.columns[key.state]->Low(slot);
    if (low == kAbsentValue) return kMissingKey;
    number = key.source == Source::kBool ? static_cast<double>(low) : UnpackNumber(low);
  }
  const std::uint64_t encoded = EncodeNumber(number);
  return key.is_descending ? ~encoded : encoded;
}

std::uint64_t SortKeys::Read(std::size_t i, model::AgentSlot slot) const {
  if (i == body_.order.size()) return parts_.agents.order().Position(slot);
  const OrderKey& key = body_.order[i];
  switch (key.source) {
    case Source::kId: {
      const IdPosition position = parts_.agents.order().Position(slot);
      return key.is_descending ? ~position : position;
    }
    case Source::kName:
      return KeyOfText(&parts_.agents.agent(slot)->registration.card.name);
    case Source::kText: {
      const std::uint64_t low = parts_.columns[key.state]->Low(slot);
      if (low == kAbsentValue) return kMissingKey;
      return KeyOfText(&parts_.texts.text(static_cast<TextNumber>(low)));
    }
    case Source::kNumber:
    case Source::kBool:
    case Source::kDistance:
    case Source::kScore:
      break;
  }
  return ReadNumber(key, slot);
}

int SortKeys::Compare(const std::uint64_t* a, const std::uint64_t* b) const {
  for (std::size_t i = 0; i < body_.order.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (!body_.order[i].is_text()) return a[i] < b[i] ? -1 : 1;
    const int compared = CompareTexts(a[i], b[i], body_.order[i].is_descending);
    if (compared != 0) return compared;
  }
  const std::size_t last = body_.order.size();
  return (a[last] > b[last]) - (a[last] < b[last]);
}

}  // namespace muster::directory
