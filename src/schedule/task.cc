#include "schedule/task.h"

namespace muster::schedule {

Task* TaskTable::Find(TaskId id) {
  if (id.slot >= slots_) return nullptr;
  Task& task = at(id.slot);
  return task.phase != TaskPhase::kFree && task.generation == id.generation ? &task : nullptr;
}

std::uint32_t TaskTable::Allocate() {
  if (free_.empty()) {
    if (slots_ % kChunk == 0) chunks_.push_back(std::make_unique<Chunk>());
    free_.reserve(chunks_.size() * kChunk);
    free_.push_back(slots_++);
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  return slot;
}

void TaskTable::Free(std::uint32_t slot) {
  Task& task = at(slot);
  task.phase = TaskPhase::kFree;
  ++task.generation;
  states_.Free(&task.block);
  free_.push_back(slot);
}

void ArrivalList::Append(TaskTable* tasks, std::uint32_t slot) {
  Task& task = tasks->at(slot);
  task.previous = last_;
  task.next = kNoSlot;
  if (last_ == kNoSlot) {
    first_ = slot;
  } else {
    tasks->at(last_).next = slot;
  }
  last_ = slot;
}

void ArrivalList::Remove(TaskTable* tasks, std::uint32_t slot) {
  Task& task = tasks->at(slot);
  if (task.previous == kNoSlot) {
    first_ = task.next;
  } else {
    tasks->at(task.previous).next = task.next;
  }
  if (task.next == kNoSlot) {
    last_ = task.previous;
  } else {
    tasks->at(task.next).previous = task.previous;
  }
}

}  // namespace muster::schedule
