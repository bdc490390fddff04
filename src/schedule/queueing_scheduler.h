// The scheduler behind every policy: tasks, merging, costs, bounds, parking and sums.
#pragma once

#include <memory>
#include <vector>

#include "schedule/agent_index.h"
#include "schedule/cost_estimator.h"
#include "schedule/dependencies.h"
#include "schedule/emergency_watch.h"
#include "schedule/indexed_heap.h"
#include "schedule/options.h"
#include "schedule/policy.h"
#include "schedule/task_queue.h"

namespace muster::schedule {

class QueueingScheduler : public Scheduler {
 public:
  // `options` must pass Check.
  explicit QueueingScheduler(const Options& options);

  Admission SubmitUpdate(const UpdateTask& task, base::MonoTime now) override;
  Admission SubmitQuery(const QueryTask& task, base::MonoTime now) override;
  void Take(WorkerIndex worker, base::MonoTime now, Batch* batch) override;
  std::span<const StateUpdate> States(TaskId task) const override;
  void Finish(TaskId task, base::Duration used, base::MonoTime now) override;
  bool Park(TaskId query, std::span<const StateRef> states, base::MonoTime now) override;
  void Hasten(TaskId query, std::span<const StateRef> states, base::MonoTime now) override;
  bool Cancel(TaskId query, base::MonoTime now) override;
  void Tick(base::MonoTime now) override;
  base::MonoTime NextEventAt() const override;
  absl::Status Reconfigure(const Options& options, base::MonoTime now) override;
  const Options& options() const override { return options_; }
  bool HasWork() const override { return queues_[0].waiting + queues_[1].waiting > 0; }
  void FillSnapshot(base::MonoTime now, Snapshot* snapshot) const override;

 private:
  struct Timer {
    base::MonoTime at;
    std::uint64_t order;
    std::uint32_t slot;
    bool Precedes(const Timer& other) const {
      return at != other.at ? at < other.at : order < other.order;
    }
  };

  TaskQueue& QueueOf(const Task& task) { return queues_[IndexOf(task.kind)]; }
  const QueueLimits& LimitsOf(QueueKind kind) const {
    return kind == QueueKind::kUpdate ? options_.updates : options_.queries;
  }
  TaskId IdOf(std::uint32_t slot) const { return {slot, tasks_.at(slot).generation}; }

  // Admission (admission.cc).
  base::Duration WaitForRoom(QueueKind kind, base::Duration estimate, std::uint32_t bytes) const;
  base::Duration WaitForStart(base::MonoTime due_at, base::MonoTime now) const;
  Admission Refuse(QueueKind kind, base::Duration retry_after);
  std::uint64_t FindSuperseded(std::span<const StateUpdate> states, std::uint32_t pending) const;
  Admission Merge(const UpdateTask& update, std::uint32_t slot, std::uint64_t superseded);
  void MergeStates(const UpdateTask& update, std::uint64_t superseded, Task* task);
  std::uint32_t NewTask(QueueKind kind, base::MonoTime arrived_at, base::Duration deadline,
                        CostClass cost_class, std::uint32_t bytes, base::MonoTime now);
  std::uint32_t PendingOf(AgentKey agent) const;

  // Between the queue and the Workers (queueing_scheduler.cc).
  void Enqueue(std::uint32_t slot);
  void LeaveQueue(std::uint32_t slot);
  void AddOwnLines(std::uint32_t slot);
  void Rekey(std::uint32_t slot);
  void PreparePolicy();
  // `slot` begins to count, or ends, as waiting or parked.
  void CountIn(std::uint32_t slot);
  void CountOut(std::uint32_t slot);
  void Start(std::uint32_t slot, const Choice& choice);
  void Remove(std::uint32_t slot);
  void Install(const Task& finished);
  void FillBatch(const Choice& choice, base::MonoTime now, Batch* batch);

  // Dependency (parking.cc).
  std::uint32_t FindFreshener(const StateRef& ref, base::MonoTime now) const;
  void HastenState(const Task& query, const StateRef& ref, base::MonoTime now);
  void Inherit(const Task& query, std::uint32_t update, base::MonoTime now);
  void Unpark(std::uint32_t slot);
  void ReturnToQueue(std::uint32_t slot);
  void ReleaseDue(base::MonoTime now);
  void SetTimer(std::uint32_t slot, base::MonoTime at);
  void ClearTimer(std::uint32_t slot);

  // Scores (scheduler_snapshot.cc).
  QueueMeasures Measure(QueueKind kind, base::MonoTime now) const;
  void ScoreIfDue(base::MonoTime now);
  void FillQueueSnapshot(QueueKind kind, base::MonoTime now, QueueSnapshot* snapshot) const;

  Options options_;
  TaskTable tasks_;
  mutable TaskQueues queues_;  // their high values settle when they are looked at
  AgentIndex agents_;
  CostEstimator costs_;
  Dependencies dependencies_;
  EmergencyWatch emergencies_;
  IndexedHeap<Timer> timers_;  // of parked queries
  std::unique_ptr<Policy> policy_;
  base::MonoTime latest_ = base::MonoTime::min();  // the clock as last told
  std::uint64_t next_order_ = 0;
  std::vector<Line> lines_;              // scratch
  std::vector<std::uint32_t> released_;  // scratch
};

}  // namespace muster::schedule
