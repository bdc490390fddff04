// The scheduler: which update or query each Worker runs next.
//
// A core: it owns no thread, clock or lock, is given the time at every call, and allocates nothing
// per decision once warm. Calls must be serialised by the caller. Every policy (FCFS, fixed split
// and those that follow) stands behind this interface; equation numbers are those of
// docs/scheduling.md.
//
// Tasks are named by TaskId. A slot is dense and reused, so a caller can keep what belongs to a
// task in an array indexed by slot.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "base/time.h"

namespace muster::schedule {

struct Options;  // schedule/options.h

enum class QueueKind : std::uint8_t { kUpdate = 0, kQuery = 1 };

struct TaskId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
  friend bool operator==(const TaskId&, const TaskId&) = default;
};

// What pending updates are merged by: one life of an agent (its incarnation). Sparse, never reused:
// keep it in a hash map, not in an array.
using AgentKey = std::uint64_t;
using StateKey = std::uint16_t;  // a state of that agent
using WorkerIndex = std::uint32_t;
using CostClass = std::uint16_t;  // task type whose service time is estimated: < kCostClassesMax
inline constexpr CostClass kCostClassesMax = 256;

// Moved by the scheduler, never read.
struct OpaqueValue {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

// One replaceable state that an update carries. All instants are on the monotonic axis.
struct StateUpdate {
  StateKey state = 0;
  bool critical = false;          // staleness beyond twice max_age is an emergency
  base::MonoTime generated_at{};  // g_j
  base::MonoTime installed_at{};  // U_i: generation time of what is installed now
  base::Duration max_age{};       // d_i
  OpaqueValue value;
};

struct UpdateTask {
  AgentKey agent = 0;
  // Reports merge per agent. What must not merge (a registration) stands alone, in arrival order.
  bool mergeable = true;
  // It carries counters or events, which no newer report supersedes: it is never kSuperseded.
  bool must_run = false;
  CostClass cost_class = 0;
  base::MonoTime arrived_at{};
  base::Duration deadline{0};           // l_j; 0: none
  std::uint32_t bytes = 0;              // what it holds in memory, for the bound
  std::span<const StateUpdate> states;  // copied; may be empty (events, counters, registrations)
};

struct QueryTask {
  CostClass cost_class = 0;
  base::MonoTime arrived_at{};
  base::Duration deadline{};  // l_q, always > 0
  bool hard = false;          // a hard deadline: near it, an emergency
  bool critical = false;
  std::uint32_t bytes = 0;
};

struct Admission {
  enum class Outcome : std::uint8_t {
    kQueued,      // a new task
    kMerged,      // taken over into `task`, which was pending
    kSuperseded,  // every state it carried is already pending or installed with a newer generation
                  // time, and it was an update with nothing else to do; `task` is not set
    kRefused,     // the queue is full, or a query could not start in time; nothing was kept
  };
  Outcome outcome = Outcome::kQueued;
  TaskId task;
  base::Duration retry_after{0};  // when refused: until the work queued now will have drained
  // Bit k: states[k] of the submission was superseded by a newer pending or installed value.
  std::uint64_t superseded = 0;
};

struct Batch {
  QueueKind kind = QueueKind::kUpdate;
  std::vector<TaskId> tasks;  // to run, in order, and to Finish; empty: nothing to do
  std::vector<TaskId>
      expired;  // queries that could no longer start in time: answer 504, not Finish
  void clear() {
    tasks.clear();
    expired.clear();
  }
};

// A state of an agent that a parked query waits for.
struct StateRef {
  AgentKey agent = 0;
  StateKey state = 0;
  friend bool operator==(const StateRef&, const StateRef&) = default;
};

struct QueueSnapshot {
  std::uint64_t tasks = 0;  // waiting, parked ones excluded
  std::uint64_t parked = 0;
  std::uint64_t running = 0;
  std::uint64_t bytes = 0;
  base::Duration work{0};        // W, (3)-(5)
  base::Duration wait_max{0};    // T^max
  base::Duration wait_mean{0};   // T^avg
  double deadline_pressure = 0;  // D, (12), high value
  double load = 0;               // rho, (23), (24)
  double age = 0;                // A, (6), high value over pending states (updates)
  double benefit = 0;            // B, (10)
  double score = 0;              // P_U, (11), or P_Q, (13)
  std::vector<double> terms;     // the weighted terms of the score, in the equation's order
  double share = 0;              // r now
  double share_target = 0;       // r* of (18), (19)
  std::uint64_t submitted = 0, merged = 0, superseded = 0, refused = 0, expired = 0, finished = 0;
  std::uint64_t cancelled = 0;
};

struct Reallocation {
  base::MonoTime at{};
  double update_share_before = 0;
  double update_share_after = 0;
  std::string_view reason;  // a static string
};

struct Snapshot {
  std::string_view policy;
  std::uint32_t workers = 0;
  QueueSnapshot queue[2];  // by QueueKind
  std::uint64_t reallocations = 0;
  std::vector<Reallocation> recent;  // newest last, bounded
};

class Scheduler {
 public:
  virtual ~Scheduler() = default;

  virtual Admission SubmitUpdate(const UpdateTask& task, base::MonoTime now) = 0;
  virtual Admission SubmitQuery(const QueryTask& task, base::MonoTime now) = 0;

  // Fills `batch` (its buffers are reused) with what `worker` runs next: tasks of one queue.
  virtual void Take(WorkerIndex worker, base::MonoTime now, Batch* batch) = 0;

  // The states that a running update carries, newest values after merging. Valid until Finish.
  virtual std::span<const StateUpdate> States(TaskId task) const = 0;

  // Charges the measured time, tells the estimator, marks an update's states installed, and
  // releases the queries parked on them. `used` is this task's part of its batch's time.
  virtual void Finish(TaskId task, base::Duration used, base::MonoTime now) = 0;

  // A running query turns out to need `states` that pending updates would make fresh: it leaves its
  // Worker and returns to the queue when all of them are installed or its slack is gone. False (and
  // the query still runs) if no pending update would help. Hastens those updates in either case.
  virtual bool Park(TaskId query, std::span<const StateRef> states, base::MonoTime now) = 0;

  // Hastens the pending updates of `states` for a query that does not wait for them (`prefer`).
  virtual void Hasten(TaskId query, std::span<const StateRef> states, base::MonoTime now) = 0;

  // A waiting or parked query whose client has gone; false if it is not waiting (any more).
  virtual bool Cancel(TaskId query, base::MonoTime now) = 0;

  // Scores, shares and timers that are due. NextEventAt says when to call it next at the latest.
  virtual void Tick(base::MonoTime now) = 0;
  virtual base::MonoTime NextEventAt() const = 0;

  // New options, checked whole before any is taken; a change of policy keeps every waiting, parked
  // and running task. `workers` can't change.
  virtual absl::Status Reconfigure(const Options& options, base::MonoTime now) = 0;
  virtual const Options& options() const = 0;

  // O(1): is there something to Take?
  virtual bool HasWork() const = 0;

  virtual void FillSnapshot(base::MonoTime now, Snapshot* snapshot) const = 0;
};

}  // namespace muster::schedule
