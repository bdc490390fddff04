// The living updates of each agent: pending and running ones.
//
// Chained through the tasks, over a table whose size is fixed at construction: no insertion
// rehashes or allocates.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "schedule/task.h"

namespace muster::schedule {

class AgentIndex {
 public:
  // For `tasks_expected` tasks at once; more only make the chains longer.
  explicit AgentIndex(std::uint64_t tasks_expected)
      : buckets_(std::bit_ceil(std::clamp<std::uint64_t>(tasks_expected, 1024, 1u << 20)),
                 kNoSlot) {}

  // The first living update of `agent`, or kNoSlot; then the next one after it.
  std::uint32_t First(const TaskTable& tasks, AgentKey agent) const {
    return Skip(tasks, buckets_[BucketOf(agent)], agent);
  }
  std::uint32_t Next(const TaskTable& tasks, std::uint32_t slot) const {
    const Task& task = tasks.at(slot);
    return Skip(tasks, task.next_of_agent, task.agent);
  }

  void Insert(TaskTable* tasks, std::uint32_t slot) {
    Task& task = tasks->at(slot);
    std::uint32_t& head = buckets_[BucketOf(task.agent)];
    task.next_of_agent = head;
    head = slot;
  }
  void Remove(TaskTable* tasks, std::uint32_t slot) {
    const Task& task = tasks->at(slot);
    std::uint32_t* link = &buckets_[BucketOf(task.agent)];
    while (*link != slot) link = &tasks->at(*link).next_of_agent;
    *link = task.next_of_agent;
  }

 private:
  static std::uint32_t Skip(const TaskTable& tasks, std::uint32_t slot, AgentKey agent) {
    while (slot != kNoSlot && tasks.at(slot).agent != agent) slot = tasks.at(slot).next_of_agent;
    return slot;
  }
  std::size_t BucketOf(AgentKey agent) const {
    return static_cast<std::size_t>((agent * 0x9E3779B97F4A7C15u) >> 32) & (buckets_.size() - 1);
  }

  std::vector<std::uint32_t> buckets_;
};

}  // namespace muster::schedule
