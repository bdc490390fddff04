// The registration lane: a group of registrations and removals in one durable write, then the
// directory. Within a group later requests see what earlier ones will have done.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "node/node_state.h"

namespace muster::node {

class RegistrationCommitter {
 public:
  explicit RegistrationCommitter(NodeState* node) : node_(*node) {}

  // Commits `tasks` (cleared), or leaves them to the Worker that leads the lane.
  void Commit(WorkerState& worker, std::vector<Task*>* tasks);

  // Goes on leading: some groups, then the lead is given up or kept for the next turn.
  void Lead(WorkerState& worker);

 private:
  struct Item {
    Task* task = nullptr;
    ReplyBody reply;
    // At most one is set; none: nothing changes.
    std::unique_ptr<model::Agent> agent;
    std::optional<model::Tombstone> removed;
    bool reserved_slot = false;
    model::AgentSlot slot = 0;
  };

  void CommitGroup(WorkerState& worker);
  void PlanGroup(base::Now now);
  void Plan(Item* item, base::Now now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(node_.directory_mutex);
  void PlanRegister(RegisterRequest& request, Item* item, base::Now now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(node_.directory_mutex);
  void PlanDeregister(const DeregisterRequest& request, Item* item, base::Now now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(node_.directory_mutex);
  absl::Status PlanStates(const model::Registration& registration);
  const model::Agent* Current(std::string_view id) const;
  absl::Status Write(WorkerState& worker, base::Now now);
  void Apply(base::Now now);
  void ApplyItem(Item& item, base::Now now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(node_.directory_mutex);
  void Abandon();
  void Count(WorkerState& worker, const Item& item);

  NodeState& node_;
  // All below belongs to the lane's leader.
  std::vector<Task*> group_;
  std::vector<Item> items_;
  absl::flat_hash_map<std::string_view, std::size_t> planned_;  // id -> its last changing item
  std::optional<model::StateCatalog> catalog_;                  // with what this group declares
  std::vector<model::StateSpec> declared_;
};

}  // namespace muster::node
