#include "node/node.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "node/node_state.h"
#include "node/query_runner.h"
#include "node/recovery.h"
#include "node/registration_committer.h"
#include "node/report_committer.h"
#include "node/submitter.h"

namespace muster::node {
namespace {

constexpr base::Duration kTickEvery = std::chrono::milliseconds(100);
// What a client is told to wait when the node can't serve: it can't know how long, so a second.
constexpr base::Duration kUnavailableRetry = std::chrono::seconds(1);

Refusal NotServing(Phase phase) {
  return {Refusal::Kind::kUnavailable,
          phase == Phase::kWarming
              ? "the node is loading its store; ask again when /readyz says so"
              : "the node is shutting down; ask another or wait for its return",
          kUnavailableRetry};
}

void TellFinished(NodeState& state, WorkerState& worker, base::MonoTime now)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(state.scheduler_mutex) {
  for (const FinishedTask& finished : worker.finished) {
    if (state.tasks.at(finished.id).kind != TaskKind::kQuery) --state.updates_open;
    state.scheduler->Finish(finished.id, finished.used, now);
  }
  worker.finished.clear();
}

}  // namespace

struct Node::Parts {
  Parts(const Options& options, journal::Storage* storage, const Clock* clock, ReplySink* sink,
        Waker* waker)
      : state(options, storage, clock, sink, waker),
        submitter(&state),
        registrations(&state),
        reports(&state),
        queries(&state) {}

  bool TakeBatch(schedule::WorkerIndex index, WorkerState& worker);
  void AdoptBatch(WorkerState& worker, base::Now now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(state.scheduler_mutex);
  std::optional<schedule::WorkerIndex> Sleeper()
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(state.scheduler_mutex);
  void RunBatch(WorkerState& worker);

  NodeState state;
  Submitter submitter;
  RegistrationCommitter registrations;
  ReportCommitter reports;
  QueryRunner queries;
};

Node::Node(const Options& options, journal::Storage* storage, const Clock* clock, ReplySink* sink,
           Waker* waker)
    : parts_(std::make_unique<Parts>(options, storage, clock, sink, waker)) {}
Node::~Node() = default;

absl::StatusOr<journal::RecoverySummary> Node::Recover() {
  NodeState& state = parts_->state;
  auto summary = RecoverNode(&state, &parts_->reports.checkpointer());
  if (!summary.ok()) return summary;
  state.served.Advance(state.clock->Read().mono);
  state.phase.store(Phase::kServing);
  return summary;
}

void Node::Submit(schedule::WorkerIndex worker_index, Inbox* inbox) {
  if (inbox->empty()) return;
  NodeState& state = parts_->state;
  WorkerState& worker = *state.workers[worker_index];
  const std::span reports(inbox->reports_.data(), inbox->reports_size_);
  const Phase phase = state.phase.load();
  if (phase == Phase::kServing) {
    parts_->submitter.SubmitReports(worker, reports);
    parts_->submitter.SubmitRequests(worker, inbox->others_);
  } else {
    const base::Now now = state.clock->Read();
    for (const ReportRequest& request : reports) {
      state.Refuse(worker, request.reply_to, now, NotServing(phase));
    }
    for (const Request& request : inbox->others_) {
      state.Refuse(worker, request.reply_to, now, NotServing(phase));
    }
  }
  inbox->reports_size_ = 0;
  inbox->others_.clear();
}

bool Node::Work(schedule::WorkerIndex worker_index) {
  WorkerState& worker = *parts_->state.workers[worker_index];
  const bool led = worker.leads_registrations || worker.leads_reports;
  if (worker.leads_registrations) parts_->registrations.Lead(worker);
  if (worker.leads_reports) parts_->reports.Lead(worker);
  if (!parts_->TakeBatch(worker_index, worker)) return led;
  parts_->RunBatch(worker);
  return true;
}

bool Node::Parts::TakeBatch(schedule::WorkerIndex index, WorkerState& worker) {
  const base::Now now = state.clock->Read();
  std::optional<schedule::WorkerIndex> sleeper;
  {
    base::MutexLock lock(&state.scheduler_mutex);
    TellFinished(state, worker, now.mono);
    state.scheduler->Take(index, now.mono, &worker.batch);
    AdoptBatch(worker, now);
    if (state.scheduler->HasWork()) sleeper = Sleeper();
  }
  if (sleeper) state.waker->Wake(*sleeper);
  for (const ExpiredQuery& query : worker.expired) {
    worker.metrics.queries_expired.Add();
    state.Refuse(worker, query.reply_to, now,
                 {Refusal::Kind::kDeadline,
                  "the deadline passed, or could no longer be met, while the query waited",
                  {}});
  }
  return !worker.taken.empty() || !worker.expired.empty();
}

void Node::Parts::AdoptBatch(WorkerState& worker, base::Now now) {
  worker.taken.clear();
  worker.expired.clear();
  for (const schedule::TaskId id : worker.batch.tasks) {
    Task& task = state.tasks.at(id);
    MUSTER_CHECK(task.id == id, "the scheduler hands out tasks that were submitted");
    if (task.kind == TaskKind::kReport) {
      task.report.states.clear();
      for (const schedule::StateUpdate& update : state.scheduler->States(id)) {
        task.report.states.push_back({update.state,
                                      state.axis.ToWall(update.generated_at),
                                      {update.value.low, update.value.high}});
      }
    }
    worker.taken.push_back(&task);
  }
  for (const schedule::TaskId id : worker.batch.expired) {
    const Task& task = state.tasks.at(id);
    worker.expired.push_back({task.request.request.reply_to, now.mono - task.arrived_at});
  }
}

std::optional<schedule::WorkerIndex> Node::Parts::Sleeper() {
  const auto it = std::find(state.asleep.begin(), state.asleep.end(), true);
  if (it == state.asleep.end()) return std::nullopt;
  *it = false;
  return static_cast<schedule::WorkerIndex>(it - state.asleep.begin());
}

void Node::Parts::RunBatch(WorkerState& worker) {
  if (worker.taken.empty()) return;
  std::vector<Task*>& lane_tasks = worker.lane_tasks;
  for (const TaskKind kind : {TaskKind::kRegistration, TaskKind::kReport}) {
    lane_tasks.clear();
    for (Task* task : worker.taken) {
      if (task->kind == kind) lane_tasks.push_back(task);
    }
    if (lane_tasks.empty()) continue;
    if (kind == TaskKind::kRegistration) {
      registrations.Commit(worker, &lane_tasks);
    } else {
      reports.Commit(worker, &lane_tasks);
    }
  }
  if (worker.batch.kind != schedule::QueueKind::kQuery) return;
  for (Task* task : worker.taken) queries.Run(worker, task);
}

base::Duration Node::PrepareToWait(schedule::WorkerIndex worker_index) {
  NodeState& state = parts_->state;
  WorkerState& worker = *state.workers[worker_index];
  if (worker.leads_registrations || worker.leads_reports) return base::Duration(0);
  const base::MonoTime now = state.clock->Read().mono;
  base::MutexLock lock(&state.scheduler_mutex);
  TellFinished(state, worker, now);
  if (state.scheduler->HasWork()) return base::Duration(0);
  state.asleep[worker_index] = true;
  return std::clamp(state.scheduler->NextEventAt() - now, base::Duration(0), kTickEvery);
}

void Node::StopWaiting(schedule::WorkerIndex worker_index) {
  NodeState& state = parts_->state;
  base::MutexLock lock(&state.scheduler_mutex);
  state.asleep[worker_index] = false;
}

void Node::Tick() {
  NodeState& state = parts_->state;
  const base::Now now = state.clock->Read();
  if (state.served.Advance(now.mono).count() > 0) state.stalls.fetch_add(1);
  {
    base::MutexLock lock(&state.scheduler_mutex);
    state.scheduler->Tick(now.mono);
    if (state.updates_open == 0) state.axis = GenerationAxis::At(now);
  }
  if (state.phase.load() != Phase::kWarming) parts_->reports.Tick(*state.workers[0]);
}

Phase Node::phase() const { return parts_->state.phase.load(); }

void Node::BeginDrain() {
  Phase serving = Phase::kServing;
  parts_->state.phase.compare_exchange_strong(serving, Phase::kDraining);
}

bool Node::Drained() const {
  NodeState& state = parts_->state;
  base::MutexLock lock(&state.scheduler_mutex);
  schedule::Snapshot snapshot;
  state.scheduler->FillSnapshot(state.clock->Read().mono, &snapshot);
  return std::all_of(std::begin(snapshot.queue), std::end(snapshot.queue), [](const auto& queue) {
    return queue.tasks == 0 && queue.parked == 0 && queue.running == 0;
  });
}

absl::Status Node::Stop() {
  NodeState& state = parts_->state;
  const Phase before = state.phase.exchange(Phase::kStopped);
  if (before == Phase::kWarming) return absl::OkStatus();
  if (auto status = parts_->reports.checkpointer().WriteAll(); !status.ok()) return status;
  return state.journal.Sync();
}

std::uint64_t Node::catalog_version() const { return parts_->state.catalog.version(); }
std::shared_ptr<const model::StateCatalog> Node::catalog() const {
  return parts_->state.catalog.current();
}
model::Revision Node::revision() const { return parts_->state.revisions.visible(); }
const Options& Node::options() const { return parts_->state.options; }

void Node::FillSchedulerSnapshot(schedule::Snapshot* snapshot) const {
  NodeState& state = parts_->state;
  const base::MonoTime now = state.clock->Read().mono;
  base::MutexLock lock(&state.scheduler_mutex);
  state.scheduler->FillSnapshot(now, snapshot);
}

schedule::Options Node::schedule_options() const {
  NodeState& state = parts_->state;
  base::MutexLock lock(&state.scheduler_mutex);
  return state.scheduler->options();
}

absl::Status Node::ReconfigureScheduler(const schedule::Options& options) {
  NodeState& state = parts_->state;
  const base::MonoTime now = state.clock->Read().mono;
  base::MutexLock lock(&state.scheduler_mutex);
  return state.scheduler->Reconfigure(options, now);
}

void Node::FillSnapshot(Snapshot* snapshot) const {
  const NodeState& state = parts_->state;
  {
    base::ReaderLock lock(&state.directory_mutex);
    snapshot->agents = state.directory.size();
    snapshot->tombstones = state.tombstones.size();
    snapshot->directory_bytes = state.directory.MemoryUsed();
  }
  snapshot->revision = state.revisions.visible();
  snapshot->refusals.assign(kRefusalKinds, 0);
  for (const auto& worker : state.workers) worker->metrics.AddTo(snapshot);
  snapshot->stalls = state.stalls.load();
  snapshot->stalled = state.served.stalled();
  base::MutexLock lock(&state.error_mutex);
  snapshot->journal_last_error = state.journal_last_error;
}

}  // namespace muster::node
