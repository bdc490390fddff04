// Tests agents one by one: what bitmaps can't answer of a plan's conjuncts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/time.h"
#include "directory/column.h"
#include "directory/id_order.h"
#include "directory/parts.h"
#include "directory/plan_body.h"
#include "directory/slot_set.h"
#include "model/agent.h"

namespace muster::directory {

// The ids between two positions, the first included, or all others.
struct IdRange {
  IdPosition begin = 0;
  IdPosition end = 0;
  bool is_complement = false;
};

// True if `pattern` on an id is a range of the order; false: it has to be matched.
bool ToIdRange(const IdOrder& order, const TextPattern& pattern, IdRange* out);

class SlotFilter {
 public:
  static constexpr std::size_t kBlock = 512;

  // Resolves names and texts of `body` in `parts`; both outlive this.
  SlotFilter(const Parts& parts, const Plan::Body& body, base::MonoTime served);

  // Keeps those of `slots` that satisfy every conjunct that is not a set, and that are not lapsed
  // if those are left out. Returns how many, moved to the front in their order.
  std::size_t Keep(std::span<model::AgentSlot> slots) const;

 private:
  // A predicate with its names looked up.
  struct Test {
    const Predicate* predicate = nullptr;
    const Column* column = nullptr;
    std::uint64_t text = 0;  // the number of an exact text; kNoText
    IdRange ids;
    bool is_id_range = false;
    SlotSet set = SlotSet::Empty();  // of a set inside a tree that is none
    std::vector<std::uint32_t> children;
  };

  std::uint32_t Resolve(std::uint32_t index);
  void ResolveText(Test* test) const;
  // Which of `slots` satisfy a test, a byte of 0 or 1 each.
  using Mask = std::array<std::uint8_t, kBlock>;
  void Fill(std::uint32_t test, std::span<const model::AgentSlot> slots, Mask* mask) const;
  void Join(const Test& test, std::span<const model::AgentSlot> slots, Mask* mask) const;
  static bool IsTree(const Test& test) { return !test.predicate->is_set && !test.children.empty(); }
  bool IsLapsed(model::AgentSlot slot) const { return parts_.expires_at.Load(slot) < served_; }

  // Calls visit(bool(AgentSlot)) with the test, no tree, as a function of the slot alone.
  template <typename Visit>
  void WithTest(std::uint32_t test, Visit&& visit) const;
  template <typename Visit>
  void WithNumberTest(const Test& test, Visit&& visit) const;
  template <typename Visit>
  void WithTextTest(const Test& test, Visit&& visit) const;
  template <typename Visit>
  void WithIdTest(const Test& test, Visit&& visit) const;

  const Parts& parts_;
  const Plan::Body& body_;
  const std::int64_t served_;
  std::vector<Test> tests_;
  std::vector<std::uint32_t> conjuncts_;  // of tests_; the cheapest first
};

}  // namespace muster::directory
