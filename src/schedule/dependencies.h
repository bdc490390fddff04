// Which parked queries wait for which updates, (17): one wait per query and state.
//
// Waits hang in two lists, of their query and of their update, through Task::waits.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/task.h"

namespace muster::schedule {

class Dependencies {
 public:
  explicit Dependencies(TaskTable* tasks) : tasks_(*tasks) {}

  void Add(std::uint32_t query, std::uint32_t update, StateKey state);

  // How many queries wait for that state of `update`.
  std::uint32_t QueriesOn(std::uint32_t update, StateKey state) const;

  // Ends every wait for `update`; appends the queries that now wait for nothing to `released`.
  void Installed(std::uint32_t update, std::vector<std::uint32_t>* released);
  // Ends every wait of `query`.
  void Withdraw(std::uint32_t query);

  // Calls visit(query) for every wait for `update`.
  template <typename Visit>
  void ForEachQuery(std::uint32_t update, const Visit& visit) const {
    for (std::uint32_t i = tasks_.at(update).waits; i != kNoNode; i = waits_[i].next_of_update) {
      visit(waits_[i].query);
    }
  }
  // Calls visit(update) for every wait of `query`.
  template <typename Visit>
  void ForEachUpdate(std::uint32_t query, const Visit& visit) const {
    for (std::uint32_t i = tasks_.at(query).waits; i != kNoNode; i = waits_[i].next_of_query) {
      visit(waits_[i].update);
    }
  }

 private:
  struct Wait {
    std::uint32_t query = kNoSlot;
    std::uint32_t update = kNoSlot;
    StateKey state = 0;
    std::uint32_t previous_of_update = kNoNode;
    std::uint32_t next_of_update = kNoNode;
    std::uint32_t previous_of_query = kNoNode;
    std::uint32_t next_of_query = kNoNode;  // or of the free list
  };

  void UnlinkFromQuery(std::uint32_t wait);
  void UnlinkFromUpdate(std::uint32_t wait);
  void Free(std::uint32_t wait);

  TaskTable& tasks_;
  std::vector<Wait> waits_;
  std::uint32_t free_ = kNoNode;
};

}  // namespace muster::schedule
