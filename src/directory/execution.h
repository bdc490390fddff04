// Runs one plan once: finds candidates by the cheapest index, tests them in blocks, keeps the best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "directory/cursor.h"
#include "directory/directory.h"
#include "directory/parts.h"
#include "directory/plan_body.h"
#include "directory/slot_filter.h"
#include "directory/slot_set.h"
#include "directory/sort_key.h"
#include "directory/top_k.h"

namespace muster::directory {

class Execution {
 public:
  // Everything given outlives this. `after` null: from the first row.
  Execution(const Parts& parts, const Plan::Body& body, ReadTime at, const PagePosition* after);

  // Fills `result`; `next_cursor`, if not null, when more rows follow.
  void Run(QueryResult* result, std::string* next_cursor);

 private:
  static constexpr std::size_t kBlock = SlotFilter::kBlock;

  void Search();
  // The agents of the index that selects least, if one selects few enough; else null.
  bool FindFew(std::vector<model::AgentSlot>* out) const;
  bool FindFewById(std::size_t slots_max, std::vector<model::AgentSlot>* out) const;
  bool FindFewByPlace(std::size_t slots_max, std::vector<model::AgentSlot>* out) const;
  void SearchFew(std::vector<model::AgentSlot> slots);
  // The first page in order of distance, from the centre outwards; false: it does not apply or pay.
  bool SearchNearest();
  // Drops the slots that are no match; counts those looked at.
  void KeepMatches(std::vector<model::AgentSlot>* slots);
  void SearchBitmap(const Roaring& bitmap);
  // Walks the agents in order of id and stops when there are enough.
  void SearchInOrder();
  bool PaysInOrder() const;
  std::uint64_t SetSize() const;

  // Tests the slots and offers those that pass; returns how many did.
  std::size_t Take(std::span<model::AgentSlot> slots);
  void Fill(QueryResult* result, std::string* next_cursor);

  const Parts& parts_;
  const Plan::Body& body_;
  const ReadTime at_;
  const PagePosition* const after_;
  const std::vector<std::uint64_t> after_keys_;
  const SlotSet set_;
  const SlotFilter filter_;
  const SortKeys keys_;
  TopK top_;
  std::uint64_t candidates_ = 0;
  std::uint64_t matches_ = 0;
};

}  // namespace muster::directory
