// One node: directory, scheduler and journal wired together.
//
// Requests enter by Submit, wait in the scheduler's two queues and are run by Work, by whichever
// Worker the scheduler gives them to. Updates are committed in two lanes, registrations and
// reports: of the Workers that hold updates of a lane, one commits for all (one journal write, then
// the directory), the others go on; so a lane needs no lock across its write, and what waits is
// grouped.
//
// Thread-safe. Owns no thread and reads no clock but the one it is handed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/time.h"
#include "journal/journal.h"
#include "journal/storage.h"
#include "model/limits.h"
#include "model/state.h"
#include "node/ports.h"
#include "node/request.h"
#include "node/snapshot.h"
#include "schedule/options.h"
#include "schedule/scheduler.h"

namespace muster::node {

struct Options {
  model::Limits limits;
  schedule::Options schedule;
  std::vector<model::StateSpec> states;                     // beside the built-in ones
  base::Duration query_deadline = std::chrono::seconds(2);  // l_q where the client sets none
  base::Duration stall_min = std::chrono::seconds(1);       // a longer gap between ticks is a stall
  std::uint64_t checkpoint_every = 2048;                    // reports between two checkpoint pieces
};

enum class Phase : std::uint8_t { kWarming, kServing, kDraining, kStopped };

class Node {
 public:
  Node(const Options& options, journal::Storage* storage, const Clock* clock, ReplySink* sink,
       Waker* waker);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Loads the store; once, before Work. Until it returns OK the phase is kWarming and every request
  // is answered kUnavailable.
  absl::StatusOr<journal::RecoverySummary> Recover();

  // Moves every request out of `inbox` into the queues; refused ones are answered at once.
  // `worker` is the caller.
  void Submit(schedule::WorkerIndex worker, Inbox* inbox);

  // Runs the batch that the scheduler gives `worker`; false if there was none.
  bool Work(schedule::WorkerIndex worker);

  // How long `worker` may wait for events now that Work returned false (it then counts as asleep,
  // and is woken when work comes that nobody else takes).
  base::Duration PrepareToWait(schedule::WorkerIndex worker);
  void StopWaiting(schedule::WorkerIndex worker);

  // Ten times a second, by one thread: scheduler timers, stalls, checkpoints.
  void Tick();

  Phase phase() const;
  void BeginDrain();  // new requests get kUnavailable; what waits is finished
  bool Drained() const;
  absl::Status Stop();  // after the last Work: everything durable, checkpointed

  // The states that reports may carry. Refresh a copy when the version has moved.
  std::uint64_t catalog_version() const;
  std::shared_ptr<const model::StateCatalog> catalog() const;

  model::Revision revision() const;
  void FillSnapshot(Snapshot* snapshot) const;
  void FillSchedulerSnapshot(schedule::Snapshot* snapshot) const;
  schedule::Options schedule_options() const;
  absl::Status ReconfigureScheduler(const schedule::Options& options);
  const Options& options() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace muster::node
