#include "directory/execution.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "directory/freshness.h"
#include "directory/nearest.h"
#include "directory/set_evaluation.h"

namespace muster::directory {
namespace {

using model::AgentSlot;

// Below so many candidates, looking for a better index costs more than it saves.
constexpr std::uint64_t kFewCandidates = 64;
// Walking in order of id pays when at least one agent in so many is a candidate.
constexpr std::uint64_t kInOrderShare = 16;
// Agents in the rough cover of a disc beyond which a close cover is worth its cost.
constexpr std::size_t kRoughlyFew = 256;
constexpr std::size_t kFirstBlock = 32;

SlotSet EvaluateSets(const Parts& parts, const Plan::Body& body) {
  std::vector<std::uint32_t> sets;
  for (const std::uint32_t conjunct : body.conjuncts) {
    if (body.predicates[conjunct].is_set) sets.push_back(conjunct);
  }
  return SetEvaluation(parts.facets, body.predicates).EvaluateAll(sets);
}

std::vector<std::uint64_t> AfterKeys(const Parts& parts, const Plan::Body& body,
                                     const PagePosition* after) {
  if (after == nullptr) return {};
  return ToKeys(body, parts.agents.order(), *after);
}

// Hands over the members of a bitmap in blocks.
class BitmapReader {
 public:
  explicit BitmapReader(const Roaring& bitmap) { roaring_init_iterator(&bitmap.roaring, &at_); }

  template <std::size_t kSize>
  std::span<AgentSlot> Next(std::array<AgentSlot, kSize>* block) {
    const std::uint32_t count = roaring_read_uint32_iterator(&at_, block->data(), kSize);
    return std::span(*block).first(count);
  }

 private:
  roaring_uint32_iterator_t at_;
};

}  // namespace

Execution::Execution(const Parts& parts, const Plan::Body& body, ReadTime at,
                     const PagePosition* after)
    : parts_(parts),
      body_(body),
      at_(at),
      after_(after),
      after_keys_(AfterKeys(parts, body, after)),
      set_(EvaluateSets(parts, body)),
      filter_(parts, body, at.served),
      keys_(parts, body),
      // One more than asked for tells whether another page follows.
      top_(keys_, body.limit + std::size_t{1}, after == nullptr ? nullptr : after_keys_.data()) {}

std::uint64_t Execution::SetSize() const {
  const std::uint64_t size = set_.bitmap().cardinality();
  return set_.is_complement() ? parts_.agents.size() - size : size;
}

std::size_t Execution::Take(std::span<AgentSlot> slots) {
  candidates_ += slots.size();
  const std::size_t kept = filter_.Keep(slots);
  matches_ += kept;
  for (const AgentSlot slot : slots.first(kept)) top_.Offer(slot);
  return kept;
}

bool Execution::FindFewById(std::size_t slots_max, std::vector<AgentSlot>* out) const {
  const IdOrder& order = parts_.agents.order();
  for (const std::uint32_t conjunct : body_.conjuncts) {
    const Predicate& predicate = body_.predicates[conjunct];
    IdRange ids;
    if (predicate.kind != Predicate::Kind::kId || !ToIdRange(order, predicate.text, &ids)) continue;
    if (ids.is_complement) continue;
    out->clear();
    auto at = order.From(ids.begin);
    for (; at != order.end() && order.Position(*at) < ids.end && out->size() < slots_max; ++at) {
      out->push_back(*at);
    }
    if (at == order.end() || order.Position(*at) >= ids.end) return true;
  }
  return false;
}

bool Execution::FindFewByPlace(std::size_t slots_max, std::vector<AgentSlot>* out) const {
  const Disc& disc = body_.near->disc;
  const std::size_t roughly_max = std::min(slots_max, kRoughlyFew);
  if (parts_.locations.Collect(disc.CoverRoughly(), roughly_max, out)) return true;
  if (roughly_max == slots_max) return false;
  return parts_.locations.Collect(disc.Cover(), slots_max, out);
}

bool Execution::FindFew(std::vector<AgentSlot>* out) const {
  const std::uint64_t candidates = SetSize();
  if (candidates <= kFewCandidates) return false;
  if (FindFewById(candidates / 4, out)) return true;
  if (!body_.near) return false;
  return FindFewByPlace(candidates / 4, out);
}

void Execution::KeepMatches(std::vector<AgentSlot>* slots) {
  std::erase_if(*slots, [this](AgentSlot slot) { return !set_.Contains(slot); });
  candidates_ += slots->size();
  std::size_t kept = 0;
  for (std::size_t at = 0; at < slots->size(); at += kBlock) {
    const std::size_t size = std::min(kBlock, slots->size() - at);
    const std::size_t matches = filter_.Keep(std::span(*slots).subspan(at, size));
    std::copy_n(slots->begin() + static_cast<std::ptrdiff_t>(at), matches,
                slots->begin() + static_cast<std::ptrdiff_t>(kept));
    kept += matches;
  }
  slots->resize(kept);
}

void Execution::SearchFew(std::vector<AgentSlot> slots) {
  KeepMatches(&slots);
  matches_ += slots.size();
  for (const AgentSlot slot : slots) top_.Offer(slot);
}

bool Execution::SearchNearest() {
  const bool applies = body_.order.size() == 1 && !body_.order[0].is_descending &&
                       body_.order[0].source == OrderKey::Source::kDistance && !body_.count_total &&
                       after_ == nullptr && SetSize() > kFewCandidates;
  if (!applies) return false;
  std::vector<AgentSlot> slots;
  const auto keep = [this](std::vector<AgentSlot>* found) { KeepMatches(found); };
  if (!FindNearest(parts_.locations, body_.near->disc, body_.limit + std::size_t{1}, keep,
                   &slots)) {
    return false;
  }
  for (const AgentSlot slot : slots) top_.Offer(slot);
  return true;
}

void Execution::SearchBitmap(const Roaring& bitmap) {
  std::array<AgentSlot, kBlock> block;
  BitmapReader reader(bitmap);
  for (;;) {
    const std::span<AgentSlot> slots = reader.Next(&block);
    if (slots.empty()) return;
    Take(slots);
  }
}

bool Execution::PaysInOrder() const {
  if (!body_.order.empty() || body_.count_total) return false;
  const std::uint64_t candidates = SetSize();
  return candidates > kFewCandidates && candidates * kInOrderShare > parts_.agents.size();
}

void Execution::SearchInOrder() {
  const IdOrder& order = parts_.agents.order();
  const bool selects = !set_.is_complement() || !set_.bitmap().isEmpty();
  std::array<AgentSlot, kBlock> block;
  std::size_t wanted = kFirstBlock;
  std::size_t found = 0;
  auto at = after_ == nullptr ? order.begin() : order.After(after_->id);
  while (at != order.end() && found <= body_.limit) {
    std::size_t count = 0;
    for (; at != order.end() && count < wanted; ++at) {
      if (!selects || set_.Contains(*at)) block[count++] = *at;
    }
    found += Take(std::span(block).first(count));
    wanted = std::min(kBlock, wanted * 2);
  }
}

void Execution::Search() {
  if (SearchNearest()) return;
  std::vector<AgentSlot> few;
  if (FindFew(&few)) {
    SearchFew(std::move(few));
  } else if (PaysInOrder()) {
    SearchInOrder();
  } else if (!set_.is_complement()) {
    SearchBitmap(set_.bitmap());
  } else if (set_.bitmap().isEmpty()) {
    SearchBitmap(parts_.agents.slots());
  } else {
    SearchBitmap(parts_.agents.slots() - set_.bitmap());
  }
}

void Execution::Fill(QueryResult* result, std::string* next_cursor) {
  const std::vector<TopK::Row>& rows = top_.Sort();
  const std::size_t count = std::min<std::size_t>(rows.size(), body_.limit);
  for (std::size_t i = 0; i < count; ++i) {
    ResultRow row{.slot = rows[i].slot, .score = std::nullopt, .distance = std::nullopt};
    // The score that the row was ordered by, which may have changed since.
    if (!body_.rank.empty()) row.score = DecodeNumber(~top_.KeysOf(rows[i])[0]);
    if (body_.near) {
      row.distance = DistanceMeters(body_.near->disc.center(), *parts_.locations.Point(row.slot));
    }
    result->rows.push_back(row);
  }
  if (next_cursor == nullptr || rows.size() <= count) return;
  const TopK::Row& last = rows[count - 1];
  *next_cursor =
      EncodeCursor(body_, top_.KeysOf(last), parts_.agents.agent(last.slot)->registration.id);
}

void Execution::Run(QueryResult* result, std::string* next_cursor) {
  Search();
  result->rows.clear();
  result->stale.clear();
  result->freshness_risk = 0;
  result->candidates = candidates_;
  result->total.reset();
  if (body_.count_total) result->total = matches_;
  if (next_cursor != nullptr) next_cursor->clear();
  Fill(result, next_cursor);
  AssessFreshness(parts_, body_, at_.wall, result);
}

}  // namespace muster::directory
