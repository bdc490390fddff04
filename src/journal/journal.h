// What is written, and how a node comes back from it. Byte formats: docs/formats/journal.md.
//
// Registrations are a key each; the reports of a Worker's batch are one packed record. Checkpoints
// copy the columns piece by piece (kPieceSlots agents each), so that records behind all pieces can
// be trimmed. Recovery: state specs, agents, tombstones, the checkpoint, then the records after it.
//
// Calls are serialised by two lanes: CommitRegistrations by one thread at a time, CommitReports,
// WriteCheckpoint and TrimReports by one thread at a time; the lanes may overlap. Sync and
// ReadEvents from any thread. A call that fails has changed nothing, and the next one may follow
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/time.h"
#include "journal/storage.h"
#include "model/agent.h"
#include "model/report.h"
#include "model/state.h"

namespace muster::journal {

inline constexpr std::uint32_t kPieceSlots = 256;

// One change of what is registered; exactly one of `agent` and `removed` is set.
struct RegistrationRecord {
  const model::Agent* agent = nullptr;
  const model::Tombstone* removed = nullptr;
};

struct DeclaredState {
  model::StateIndex index = 0;
  const model::StateSpec* spec = nullptr;
};

// Receives the recovered node in this order. A non-OK status stops recovery with it.
class RecoverySink {
 public:
  virtual ~RecoverySink() = default;
  virtual absl::Status OnState(model::StateIndex index, model::StateSpec spec) = 0;
  virtual absl::Status OnAgent(model::Agent agent) = 0;
  // Oldest first; also of an id that has been registered again since.
  virtual absl::Status OnTombstone(model::Tombstone tombstone) = 0;
  // Everything up to and including `covers` is in it.
  virtual absl::Status OnCheckpoint(model::Revision covers, model::AgentDynamics dynamics) = 0;
  // Records whose agent life is gone are passed too; the sink ignores them. Those that the agent's
  // checkpoint covers are not passed. Events come without their data: see ReadEvents.
  virtual absl::Status OnReport(const model::ReportRecord& record) = 0;
};

struct RecoverySummary {
  model::Revision revision = 0;      // the highest of anything that was recovered
  base::WallTime last_written_at{};  // newest instant in the store; epoch: an empty store
  std::uint64_t agents = 0, tombstones = 0, reports = 0, checkpoint_pieces = 0;
  bool was_empty = false;
};

struct EventPage {
  struct Event {
    model::StateIndex state = 0;
    model::Revision revision = 0;
    base::WallTime generated_at{};
    std::string json;
  };
  std::vector<Event> events;
  std::string next_cursor;  // empty: no more
};

class Journal {
 public:
  struct Options {
    std::uint64_t events_per_agent_max = 10'000;
    std::uint64_t tombstones_max = 100'000;
  };
  Journal(Storage* storage, const Options& options);
  ~Journal();

  // Once, first. DataLoss: the store is corrupt, the message says which column and key.
  // FailedPrecondition: written by a newer, unknown format.
  absl::StatusOr<RecoverySummary> Recover(RecoverySink* sink);

  // One atomic write, always durable: state specs first declared by these registrations, agents,
  // tombstones. A removed agent's events go with it.
  absl::Status CommitRegistrations(std::span<const DeclaredState> declared,
                                   std::span<const RegistrationRecord> records,
                                   base::WallTime written_at);
  // One packed record. Revisions rise within and across calls.
  absl::Status CommitReports(std::span<const model::ReportRecord> records,
                             base::WallTime written_at, Durability durability);
  // The agents of one piece; `covers`: the last revision whose report is applied in them.
  absl::Status WriteCheckpoint(std::uint32_t piece, std::span<const model::AgentDynamics> agents,
                               model::Revision covers);
  // Deletes the report records whose every revision is <= `covered_by_all`: what the checkpoint of
  // every piece that has changed covers. The caller knows which pieces have.
  absl::Status TrimReports(model::Revision covered_by_all);
  absl::Status Sync();

  // The history of one life of an agent, oldest first, `limit` (at least 1) a page.
  // InvalidArgument: a bad cursor. A cursor outlives restarts; what was cut from the history
  // meanwhile is left out.
  absl::StatusOr<EventPage> ReadEvents(model::Incarnation incarnation, std::string_view cursor,
                                       std::uint32_t limit) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace muster::journal
