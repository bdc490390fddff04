#include "directory/agent_table.h"

#include <memory>
#include <utility>

#include "base/check.h"
#include "base/strings.h"
#include "directory/memory.h"

namespace muster::directory {
namespace {

// More slots than any node holds agents: a slot beyond it was never given out.
constexpr model::AgentSlot kSlotsLimit = model::AgentSlot{1} << 28U;

}  // namespace

AgentTable::AgentTable(std::size_t agents_max)
    : agents_max_(agents_max), by_id_(0, IdHash{&agents_}, IdEqual{&agents_}), order_(&agents_) {}

absl::StatusOr<model::AgentSlot> AgentTable::Reserve() {
  const std::size_t used = agents_.size() - free_.size();
  if (used >= agents_max_) {
    return absl::ResourceExhaustedError(base::StrCat(
        used,
        " agents are registered, and limits.agents_max allows no more; remove some or raise it"));
  }
  if (free_.empty()) MakeRoom(static_cast<model::AgentSlot>(agents_.size()));
  const model::AgentSlot slot = *free_.begin();
  free_.erase(free_.begin());
  return slot;
}

void AgentTable::Release(model::AgentSlot slot) {
  MUSTER_CHECK(slot < agents_.size() && !agents_[slot], "only a reserved slot is released");
  free_.insert(slot);
}

void AgentTable::MakeRoom(model::AgentSlot slot) {
  MUSTER_CHECK(slot < kSlotsLimit, "a slot that was given out");
  while (agents_.size() <= slot) {
    free_.insert(free_.end(), static_cast<model::AgentSlot>(agents_.size()));
    agents_.emplace_back();
  }
}

void AgentTable::Insert(model::Agent agent) {
  const model::AgentSlot slot = agent.slot;
  MakeRoom(slot);
  free_.erase(slot);
  MUSTER_CHECK(!agents_[slot], "a new agent's slot is free");
  agents_[slot] = std::make_unique<model::Agent>(std::move(agent));
  const bool is_new = by_id_.insert(slot).second;
  MUSTER_CHECK(is_new, "an id is registered once");
  order_.Insert(slot);
  taken_.add(slot);
}

void AgentTable::Replace(model::Agent agent) {
  model::Agent* old = agents_[agent.slot].get();
  MUSTER_CHECK(old->registration.id == agent.registration.id, "a slot keeps its agent's id");
  *old = std::move(agent);
}

void AgentTable::Remove(model::AgentSlot slot) {
  MUSTER_CHECK(agent(slot) != nullptr, "only a registered agent is removed");
  order_.Remove(slot);
  by_id_.erase(slot);
  taken_.remove(slot);
  agents_[slot].reset();
  free_.insert(slot);
}

std::optional<model::AgentSlot> AgentTable::Find(std::string_view id) const {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return std::nullopt;
  return *found;
}

std::size_t AgentBytes(const model::Agent& agent) {
  const model::Registration& registration = agent.registration;
  const model::AgentCard& card = registration.card;
  std::size_t bytes = sizeof(model::Agent) + HeapBytes(registration.id) + HeapBytes(card.name) +
                      HeapBytes(card.description) + HeapBytes(card.version) +
                      HeapBytes(card.provider) + HeapBytes(card.skills) + HeapBytes(card.tags) +
                      HeapBytes(card.domains) + HeapBytes(card.protocols);
  bytes += registration.labels.capacity() * sizeof(registration.labels[0]);
  for (const auto& [key, value] : registration.labels) bytes += HeapBytes(key) + HeapBytes(value);
  bytes += registration.max_age.capacity() * sizeof(registration.max_age[0]);
  for (const auto& [state, age] : registration.max_age) bytes += HeapBytes(state);
  bytes += registration.states.capacity() * sizeof(model::StateSpec);
  for (const model::StateSpec& spec : registration.states) {
    bytes += HeapBytes(spec.name) + HeapBytes(spec.allowed);
  }
  return bytes;
}

std::size_t AgentTable::MemoryUsed() const {
  std::size_t bytes = agents_.capacity() * sizeof(agents_[0]) + HashTableBytes(by_id_) +
                      order_.MemoryUsed() + taken_.getSizeInBytes(false) +
                      free_.size() * sizeof(model::AgentSlot);
  for (const auto& agent : agents_) bytes += agent ? AgentBytes(*agent) : 0;
  return bytes;
}

}  // namespace muster::directory
