// What the parts of a node share, and which lock guards what.
//
// Lock order: directory_mutex, then scheduler_mutex; the lanes' own locks are leaves.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "directory/directory.h"
#include "journal/journal.h"
#include "node/catalog_board.h"
#include "node/generation_axis.h"
#include "node/lane.h"
#include "node/node.h"
#include "node/ports.h"
#include "node/revisions.h"
#include "node/served_clock.h"
#include "node/task.h"
#include "node/tombstones.h"
#include "node/worker_state.h"
#include "schedule/options.h"

namespace muster::node {

struct NodeState {
  NodeState(const Options& options_in, journal::Storage* storage, const Clock* clock_in,
            ReplySink* sink_in, Waker* waker_in);

  const Options options;
  const Clock* const clock;
  ReplySink* const sink;
  Waker* const waker;

  // Held shared by readers and by the report lane's leader (whose installs readers may overlap),
  // exclusively for what changes an index.
  mutable base::SharedMutex directory_mutex;
  directory::Directory directory;
  Tombstones tombstones ABSL_GUARDED_BY(directory_mutex);

  mutable base::Mutex scheduler_mutex;
  std::unique_ptr<schedule::Scheduler> scheduler ABSL_GUARDED_BY(scheduler_mutex);
  TaskTable tasks ABSL_GUARDED_BY(scheduler_mutex);
  std::vector<bool> asleep ABSL_GUARDED_BY(scheduler_mutex);
  GenerationAxis axis ABSL_GUARDED_BY(scheduler_mutex);
  std::uint64_t registrations_submitted ABSL_GUARDED_BY(scheduler_mutex) = 0;
  std::uint64_t updates_open ABSL_GUARDED_BY(scheduler_mutex) = 0;  // waiting or running

  journal::Journal journal;
  Revisions revisions;
  ServedClock served;
  CatalogBoard catalog;
  Lane<Task*> registration_lane;
  Lane<Task*> report_lane;

  std::atomic<Phase> phase{Phase::kWarming};
  std::atomic<std::uint64_t> stalls{0};
  std::vector<std::unique_ptr<WorkerState>> workers;

  mutable base::Mutex error_mutex;
  std::string journal_last_error ABSL_GUARDED_BY(error_mutex);

  directory::ReadTime ReadTimeAt(base::Now now) const { return {now.wall, served.At(now.mono)}; }

  void Deliver(WorkerState& worker, const ReplyTo& to, base::Now now, ReplyBody body);
  void Refuse(WorkerState& worker, const ReplyTo& to, base::Now now, Refusal refusal);
  // The journal's refusal as the client is told it; counted and kept for the operator.
  Refusal JournalRefusal(WorkerState& worker, const absl::Status& status);
};

// The refusal that a status from a core amounts to.
Refusal ToRefusal(const absl::Status& status);

}  // namespace muster::node
