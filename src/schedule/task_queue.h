// One of the two queues: its waiting tasks in order of priority, and its sums.
#pragma once

#include <array>
#include <cstdint>

#include "schedule/accumulating_priority_queue.h"
#include "schedule/high_values.h"
#include "schedule/offered_load.h"
#include "schedule/task.h"

namespace muster::schedule {

struct TaskQueue {
  explicit TaskQueue(TaskTable* tasks) : high_values(tasks) {}

  AccumulatingPriorityQueue ready;  // waiting, parked ones excluded
  ArrivalList arrivals;             // all living tasks
  std::uint64_t waiting = 0;
  std::uint64_t parked = 0;
  std::uint64_t running = 0;
  std::uint64_t bytes = 0;  // of waiting and parked tasks
  base::Duration work{0};   // W, (3)-(5), of waiting tasks
  Int128 arrived_sum = 0;   // of waiting and parked tasks, ns on the clock's axis
  base::MonoTime newest_arrival = base::MonoTime::min();
  HighValues high_values;
  OfferedLoad load;
  std::uint64_t submitted = 0;
  std::uint64_t merged = 0;
  std::uint64_t superseded = 0;
  std::uint64_t refused = 0;
  std::uint64_t expired = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t finished = 0;

  std::uint64_t unfinished() const { return waiting + parked; }
};

using TaskQueues = std::array<TaskQueue, 2>;  // by QueueKind

inline std::size_t IndexOf(QueueKind kind) { return static_cast<std::size_t>(kind); }
inline QueueKind Other(QueueKind kind) {
  return kind == QueueKind::kUpdate ? QueueKind::kQuery : QueueKind::kUpdate;
}

}  // namespace muster::schedule
