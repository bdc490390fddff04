// What the scheduler keeps of a task, and the table of all of them.
//
// A slot is dense and reused; its generation grows with each reuse, so an old TaskId never names a
// later task. Addresses are stable. Allocates only when more tasks live than ever before.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "schedule/scheduler.h"
#include "schedule/state_pool.h"

namespace muster::schedule {

inline constexpr std::uint32_t kNoSlot = UINT32_MAX;
inline constexpr std::uint32_t kNoNode = UINT32_MAX;

enum class TaskPhase : std::uint8_t { kFree, kWaiting, kParked, kRunning };

struct Task {
  std::uint32_t generation = 0;
  std::uint32_t epoch = 0;  // of what its high values are made of; never goes back
  TaskPhase phase = TaskPhase::kFree;
  QueueKind kind = QueueKind::kUpdate;
  CostClass cost_class = 0;
  bool mergeable = false;
  bool must_run = false;
  bool hard = false;
  bool critical = false;
  bool was_parked = false;
  bool is_charged = false;  // to the swinging Worker's account
  std::uint32_t bytes = 0;
  AgentKey agent = 0;
  std::uint64_t order = 0;  // of submission, over both queues
  base::MonoTime arrived_at{};
  base::Duration deadline{0};  // 0: none
  base::MonoTime due_at = base::MonoTime::max();
  base::Duration estimate{0};        // frozen at submission
  StateBlock block;                  // of an update
  std::uint32_t previous = kNoSlot;  // in its queue's order of arrival
  std::uint32_t next = kNoSlot;
  std::uint32_t timer = kNoNode;  // position among the parked queries' timers
  std::uint32_t waits = kNoNode;  // first of the waits of a query, or for an update

  std::span<StateUpdate> states() { return block.states; }
  std::span<const StateUpdate> states() const { return block.states; }
};

class TaskTable {
 public:
  Task& at(std::uint32_t slot) { return (*chunks_[slot / kChunk])[slot % kChunk]; }
  const Task& at(std::uint32_t slot) const { return (*chunks_[slot / kChunk])[slot % kChunk]; }

  // The task that `id` names, or null if it is no longer there.
  Task* Find(TaskId id);
  const Task* Find(TaskId id) const { return const_cast<TaskTable*>(this)->Find(id); }

  std::uint32_t Allocate();
  void Free(std::uint32_t slot);
  void AddState(Task* task, const StateUpdate& state) { states_.Append(&task->block, state); }
  std::uint32_t slots() const { return slots_; }

 private:
  static constexpr std::uint32_t kChunk = 1024;
  using Chunk = std::array<Task, kChunk>;

  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<std::uint32_t> free_;
  StatePool states_;
  std::uint32_t slots_ = 0;
};

// All tasks of one queue in order of arrival, from submission to their end.
class ArrivalList {
 public:
  std::uint32_t front() const { return first_; }
  std::uint32_t back() const { return last_; }
  void Append(TaskTable* tasks, std::uint32_t slot);
  void Remove(TaskTable* tasks, std::uint32_t slot);

 private:
  std::uint32_t first_ = kNoSlot;
  std::uint32_t last_ = kNoSlot;
};

}  // namespace muster::schedule
