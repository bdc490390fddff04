// The living updates of each agent: pending and running ones.
//
// Chains over a table whose size is fixed at construction: no insertion rehashes. The links lie
// apart from the tasks, so that a look that finds nothing touches no task.
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

  // The newest living update of `agent`, or kNoSlot; then the next older one.
  std::uint32_t First(AgentKey agent) const { return Skip(buckets_[BucketOf(agent)], agent); }
  std::uint32_t Next(std::uint32_t slot) const {
    return Skip(links_[slot].next, links_[slot].agent);
  }

  void Insert(AgentKey agent, std::uint32_t slot) {
    if (links_.size() <= slot) links_.resize(slot + 1);
    std::uint32_t& head = buckets_[BucketOf(agent)];
    links_[slot] = {agent, head};
    head = slot;
  }
  void Remove(std::uint32_t slot) {
    std::uint32_t* link = &buckets_[BucketOf(links_[slot].agent)];
    while (*link != slot) link = &links_[*link].next;
    *link = links_[slot].next;
  }

 private:
  struct Link {
    AgentKey agent = 0;
    std::uint32_t next = kNoSlot;  // in its bucket
  };

  std::uint32_t Skip(std::uint32_t slot, AgentKey agent) const {
    while (slot != kNoSlot && links_[slot].agent != agent) slot = links_[slot].next;
    return slot;
  }
  std::size_t BucketOf(AgentKey agent) const {
    return static_cast<std::size_t>((agent * 0x9E3779B97F4A7C15u) >> 32) & (buckets_.size() - 1);
  }

  std::vector<std::uint32_t> buckets_;
  std::vector<Link> links_;  // by slot
};

}  // namespace muster::schedule
