// What differs between scheduling policies: the order within a queue, and which queue a Worker
// serves.
//
// The scheduler owns the tasks and calls its policy; a policy never changes a task. Everything that
// it is told is told in the same order in a replay, so it must not depend on anything else.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "schedule/emergency_watch.h"
#include "schedule/options.h"
#include "schedule/score.h"
#include "schedule/task_queue.h"

namespace muster::schedule {

struct Choice {
  QueueKind kind = QueueKind::kUpdate;
  std::uint32_t tasks_max = 1;
  bool is_charged = false;  // what is taken counts against the swinging Worker's account
};

class Policy {
 public:
  virtual ~Policy() = default;

  virtual std::string_view name() const = 0;

  // Appends the lines whose maximum is the priority of waiting `task` within its queue.
  virtual void AppendLines(const Task& task, std::vector<Line>* lines) const = 0;
  // The line that an update gains because `query` wants what it brings.
  virtual Line Inherited(const Task& query) const = 0;

  // Which queue `worker` serves now, and how many tasks at most; nothing if nothing waits.
  virtual std::optional<Choice> Choose(WorkerIndex worker, base::MonoTime now,
                                       const TaskQueues& queues) = 0;
  // May a batch of `kind` take one more?
  virtual bool MayContinue(QueueKind kind, base::MonoTime now, const TaskQueues& queues) const {
    static_cast<void>(now);
    return queues[IndexOf(kind)].waiting > 0;
  }

  // The queue `kind` had nothing waiting and has now.
  virtual void BecameBusy(QueueKind kind) { static_cast<void>(kind); }
  // Time of a charged task of `kind`: its estimate when taken, then the correction when finished.
  virtual void Charge(QueueKind kind, base::Duration time) {
    static_cast<void>(kind);
    static_cast<void>(time);
  }

  // A task has run for `used`.
  virtual void Finished(base::Duration used) { static_cast<void>(used); }

  // When Score is called next at the latest; it is also called when an emergency begins.
  virtual base::MonoTime NextScoringAt() const { return base::MonoTime::max(); }
  virtual void Score(base::MonoTime now, const QueueMeasures& updates, const QueueMeasures& queries,
                     const Emergencies& emergencies) {
    static_cast<void>(now);
    static_cast<void>(updates);
    static_cast<void>(queries);
    static_cast<void>(emergencies);
  }
  // Scores, targets and reallocations, where the policy has them.
  virtual void AddToSnapshot(Snapshot* snapshot) const { static_cast<void>(snapshot); }

  // r_U now.
  virtual double update_share(const TaskQueues& queues) const = 0;
  // How long until so much of the work that waits in queue `kind` will have been begun, in ns. No
  // less than it will take if the estimates are right and nothing more comes.
  virtual double DrainTime(QueueKind kind, double work, const TaskQueues& queues) const = 0;
};

// First come, first served.
inline Line LineByArrival(const Task& task) { return {-static_cast<Int128>(task.order), 0}; }
// Before all that are in order of arrival; among these in order of the queries' arrival.
inline Line LineBeforeAll(const Task& query) {
  return {(Int128{1} << 64) - static_cast<Int128>(query.order), 0};
}

std::unique_ptr<Policy> NewPolicy(const Options& options);

}  // namespace muster::schedule
