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

#include "schedule/options.h"
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

  // r_U now, and r_U* where the policy has a target that differs.
  virtual double update_share(const TaskQueues& queues) const = 0;
  // How many Workers the queue `kind` can count on while it has work; > 0.
  virtual double WorkersOf(QueueKind kind, const TaskQueues& queues) const = 0;
};

std::unique_ptr<Policy> NewPolicy(const Options& options, const TaskTable* tasks);

}  // namespace muster::schedule
