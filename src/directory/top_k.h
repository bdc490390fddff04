// The best k of many rows, in a bounded heap whose top is the worst kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "directory/sort_key.h"
#include "model/agent.h"

namespace muster::directory {

class TopK {
 public:
  struct Row {
    model::AgentSlot slot = 0;
    std::uint32_t keys = 0;  // where its keys begin
  };

  // `after`: the keys that rows must come after; null: all rows count. Both outlive this.
  TopK(const SortKeys& keys, std::size_t k, const std::uint64_t* after);

  void Offer(model::AgentSlot slot) {
    const std::uint64_t first = keys_.ReadFirst(slot);
    // Most of many rows are out by their first key: the others need not be read.
    if (first <= worst_first_) OfferWith(first, slot);
  }
  // Best first; ends the offering.
  const std::vector<Row>& Sort();
  const std::uint64_t* KeysOf(const Row& row) const { return &words_[row.keys]; }

 private:
  void OfferWith(std::uint64_t first, model::AgentSlot slot);
  void NoteWorst();
  bool Before(const Row& a, const Row& b) const { return keys_.Compare(KeysOf(a), KeysOf(b)) < 0; }

  const SortKeys& keys_;
  const std::size_t k_;
  const std::uint64_t* after_;
  std::vector<std::uint64_t> words_;  // of the kept rows, and of the one on offer at the end
  std::vector<Row> rows_;             // a heap
  // The first key of the worst row, once all are kept and where first keys compare as words.
  std::uint64_t worst_first_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace muster::directory
