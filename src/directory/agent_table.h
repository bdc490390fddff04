// The registered agents by slot and by id, and which slots are free.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "base/strings.h"
#include "directory/id_order.h"
#include "model/agent.h"
#include "roaring/roaring.hh"

namespace muster::directory {

class AgentTable {
 public:
  explicit AgentTable(std::size_t agents_max);
  AgentTable(const AgentTable&) = delete;
  AgentTable& operator=(const AgentTable&) = delete;

  // The lowest free slot. ResourceExhausted: agents_max are registered or reserved.
  absl::StatusOr<model::AgentSlot> Reserve();
  void Release(model::AgentSlot slot);
  // A new agent, in a reserved slot or in one that was never used.
  void Insert(model::Agent agent);
  // Same id, same slot.
  void Replace(model::Agent agent);
  void Remove(model::AgentSlot slot);

  std::optional<model::AgentSlot> Find(std::string_view id) const;
  const model::Agent* agent(model::AgentSlot slot) const {
    return slot < agents_.size() ? agents_[slot].get() : nullptr;
  }
  std::size_t size() const { return by_id_.size(); }
  std::size_t slots_end() const { return agents_.size(); }
  const Roaring& slots() const { return taken_; }  // of the registered
  const IdOrder& order() const { return order_; }
  std::size_t MemoryUsed() const;

 private:
  // The sets hold slots; ids are read where they stand, in the agents.
  struct IdHash {
    using is_transparent = void;
    const AgentPointers* agents;
    std::size_t operator()(std::string_view id) const { return base::StringHash()(id); }
    std::size_t operator()(model::AgentSlot slot) const {
      return base::StringHash()((*agents)[slot]->registration.id);
    }
  };
  struct IdEqual {
    using is_transparent = void;
    const AgentPointers* agents;
    bool operator()(model::AgentSlot a, model::AgentSlot b) const { return a == b; }
    bool operator()(model::AgentSlot a, std::string_view id) const {
      return (*agents)[a]->registration.id == id;
    }
    bool operator()(std::string_view id, model::AgentSlot a) const { return (*this)(a, id); }
  };

  void MakeRoom(model::AgentSlot slot);

  const std::size_t agents_max_;
  AgentPointers agents_;
  absl::flat_hash_set<model::AgentSlot, IdHash, IdEqual> by_id_;
  IdOrder order_;
  Roaring taken_;
  absl::btree_set<model::AgentSlot> free_;  // below slots_end, neither taken nor reserved
};

// Bytes that one agent holds beyond its card's own.
std::size_t AgentBytes(const model::Agent& agent);

}  // namespace muster::directory
