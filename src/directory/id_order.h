// The ids of all agents in order (by bytes), and for each slot a number that orders like its id.
//
// The numbers are labels of an order-maintenance list (Bender, Cole, Demaine, Farach-Colton and
// Zito, 2002): inserting takes O(log n) relabellings, amortised, wherever it happens. Comparing two
// agents by id is then comparing two integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/container/btree_set.h"
#include "model/agent.h"

namespace muster::directory {

using AgentPointers = std::vector<std::unique_ptr<model::Agent>>;

// Orders like ids. Those of agents are even; an odd one lies between two agents.
using IdPosition = std::uint64_t;
inline constexpr IdPosition kPastLastId = std::numeric_limits<IdPosition>::max();

class IdOrder {
  struct Place {
    IdPosition position;
  };
  struct Less {
    using is_transparent = void;
    const IdOrder* order;
    bool operator()(model::AgentSlot a, model::AgentSlot b) const {
      return order->labels_[a] < order->labels_[b];
    }
    bool operator()(model::AgentSlot a, std::string_view b) const { return order->IdOf(a) < b; }
    bool operator()(std::string_view a, model::AgentSlot b) const { return a < order->IdOf(b); }
    bool operator()(model::AgentSlot a, Place b) const { return order->Position(a) < b.position; }
    bool operator()(Place a, model::AgentSlot b) const { return a.position < order->Position(b); }
  };
  using Set = absl::btree_set<model::AgentSlot, Less>;

 public:
  using Iterator = Set::const_iterator;

  // `agents` holds the agent of every slot in this order, and outlives it.
  explicit IdOrder(const AgentPointers* agents) : agents_(agents), slots_(Less{this}) {}
  IdOrder(const IdOrder&) = delete;
  IdOrder& operator=(const IdOrder&) = delete;

  // The agent's id is not in the order yet.
  void Insert(model::AgentSlot slot);
  void Remove(model::AgentSlot slot);

  IdPosition Position(model::AgentSlot slot) const { return labels_[slot] << 1U; }
  // The first agent with an id >= / > `id`; kPastLastId when there is none.
  IdPosition LowerBound(std::string_view id) const { return PositionAt(slots_.lower_bound(id)); }
  IdPosition UpperBound(std::string_view id) const { return PositionAt(slots_.upper_bound(id)); }
  // Of `id` itself, in the order or not: above all that are less, below all that are greater.
  IdPosition PositionOf(std::string_view id) const;

  Iterator begin() const { return slots_.begin(); }
  Iterator end() const { return slots_.end(); }
  Iterator After(std::string_view id) const { return slots_.upper_bound(id); }
  // The first agent at or after `position`.
  Iterator From(IdPosition position) const { return slots_.lower_bound(Place{position}); }

  std::size_t MemoryUsed() const;

 private:
  using Label = std::uint64_t;
  static constexpr Label kTop = Label{1} << 60U;     // labels are above 0 and below this
  static constexpr Label kStride = Label{1} << 32U;  // between ids added at the ends

  std::string_view IdOf(model::AgentSlot slot) const { return (*agents_)[slot]->registration.id; }
  IdPosition PositionAt(Iterator at) const {
    return at == slots_.end() ? kPastLastId : Position(*at);
  }
  // A label before `next`; 0: there is no room.
  Label LabelBefore(Iterator next) const;
  // Makes room around the agent before `next` (or at it, when it is the first).
  void Spread(Iterator next);

  const AgentPointers* agents_;
  std::vector<Label> labels_;  // by slot
  Set slots_;
};

}  // namespace muster::directory
