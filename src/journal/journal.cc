#include "journal/journal.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "base/check.h"
#include "journal/checkpoint_codec.h"
#include "journal/damage.h"
#include "journal/event_codec.h"
#include "journal/event_history.h"
#include "journal/keys.h"
#include "journal/recovery.h"
#include "journal/registration_codec.h"
#include "journal/report_codec.h"

namespace muster::journal {
namespace {

// The lanes share nothing but the storage, so that they need no lock between them.
struct RegistrationLane {
  WriteBatch batch;
  Encoder encoder;
  LastWritten last;
  std::deque<model::Revision> tombstones;  // stored ones, oldest first
  std::vector<model::Revision> added;      // by the batch being built
};

struct ReportLane {
  ReportLane(const Storage* storage, std::uint64_t events_per_agent_max)
      : histories(storage, events_per_agent_max) {}

  WriteBatch batch;
  Encoder encoder;
  LastWritten last;
  EventHistories histories;
  model::Revision trimmed = 0;  // records up to it are gone
};

void AddLast(std::string_view key, const LastWritten& last, Encoder* encoder, WriteBatch* batch) {
  encoder->Clear();
  EncodeLastWritten(last, encoder);
  batch->Put(Column::kMeta, key, encoder->bytes());
}

absl::StatusOr<bool> HasEvents(const Storage& storage, model::Incarnation life) {
  bool found = false;
  const absl::Status status =
      storage.Scan(Column::kEvents, Key::OfNumber(life).bytes(), Key::OfNumber(life + 1).bytes(),
                   [&found](std::string_view, std::string_view) {
                     found = true;
                     return false;
                   });
  if (!status.ok()) return status;
  return found;
}

}  // namespace

struct Journal::State {
  State(Storage* storage_in, const Options& options_in)
      : storage(storage_in),
        options(options_in),
        reports(storage_in, options_in.events_per_agent_max) {}

  void AddAgent(const model::Agent& agent);
  absl::Status AddRemoval(const model::Tombstone& removed);
  // Deletes the oldest beyond the bound; how many of the stored ones these are.
  std::size_t AddForgottenTombstones();

  Storage* const storage;
  const Options options;
  bool recovered = false;
  RegistrationLane registrations;
  ReportLane reports;
};

void Journal::State::AddAgent(const model::Agent& agent) {
  registrations.encoder.Clear();
  EncodeAgent(agent, &registrations.encoder);
  registrations.batch.Put(Column::kAgents, Key::OfNumber(agent.incarnation).bytes(),
                          registrations.encoder.bytes());
}

absl::Status Journal::State::AddRemoval(const model::Tombstone& removed) {
  const Key life = Key::OfNumber(removed.incarnation);
  registrations.batch.Delete(Column::kAgents, life.bytes());
  const absl::StatusOr<bool> has_events = HasEvents(*storage, removed.incarnation);
  if (!has_events.ok()) return has_events.status();
  if (*has_events) {
    registrations.batch.DeleteRange(Column::kEvents, life.bytes(),
                                    Key::OfNumber(removed.incarnation + 1).bytes());
  }
  registrations.encoder.Clear();
  EncodeTombstone(removed, &registrations.encoder);
  registrations.batch.Put(Column::kTombstones, Key::OfNumber(removed.revision).bytes(),
                          registrations.encoder.bytes());
  registrations.added.push_back(removed.revision);
  return absl::OkStatus();
}

std::size_t Journal::State::AddForgottenTombstones() {
  const std::size_t total = registrations.tombstones.size() + registrations.added.size();
  if (total <= options.tombstones_max) return 0;
  const std::size_t excess =
      std::min<std::size_t>(total - options.tombstones_max, registrations.tombstones.size());
  for (std::size_t i = 0; i < excess; ++i) {
    registrations.batch.Delete(Column::kTombstones,
                               Key::OfNumber(registrations.tombstones[i]).bytes());
  }
  return excess;
}

Journal::Journal(Storage* storage, const Options& options)
    : state_(std::make_unique<State>(storage, options)) {}

Journal::~Journal() = default;

absl::StatusOr<RecoverySummary> Journal::Recover(RecoverySink* sink) {
  MUSTER_CHECK(!state_->recovered, "a journal is recovered once");
  Recovery recovery(state_->storage, sink);
  if (auto status = recovery.Run(); !status.ok()) return status;
  state_->registrations.last = recovery.registrations_last();
  state_->registrations.tombstones = recovery.TakeTombstones();
  state_->reports.last = recovery.reports_last();
  state_->reports.histories.Recovered(recovery.summary().revision);
  state_->recovered = true;
  return recovery.summary();
}

absl::Status Journal::CommitRegistrations(std::span<const DeclaredState> declared,
                                          std::span<const RegistrationRecord> records,
                                          base::WallTime written_at) {
  MUSTER_CHECK(state_->recovered, "recovery comes before the first commit");
  RegistrationLane& lane = state_->registrations;
  lane.batch.Clear();
  lane.added.clear();
  LastWritten last = lane.last;
  for (const DeclaredState& state : declared) {
    lane.encoder.Clear();
    EncodeStateSpec(*state.spec, &lane.encoder);
    lane.batch.Put(Column::kMeta, Key::OfState(state.index).bytes(), lane.encoder.bytes());
  }
  for (const RegistrationRecord& record : records) {
    MUSTER_CHECK((record.agent == nullptr) != (record.removed == nullptr),
                 "a change is a registration or a removal");
    if (record.agent != nullptr) state_->AddAgent(*record.agent);
    if (record.removed != nullptr) {
      if (auto status = state_->AddRemoval(*record.removed); !status.ok()) return status;
    }
    last.revision = std::max(
        last.revision, record.agent != nullptr ? record.agent->revision : record.removed->revision);
  }
  if (lane.batch.empty()) return absl::OkStatus();
  const std::size_t forgotten = state_->AddForgottenTombstones();
  last.at = std::max(last.at, written_at);
  AddLast(kRegistrationsLastKey, last, &lane.encoder, &lane.batch);
  if (auto status = state_->storage->Write(lane.batch, Durability::kSync); !status.ok()) {
    return status;
  }
  lane.last = last;
  lane.tombstones.erase(lane.tombstones.begin(),
                        lane.tombstones.begin() + static_cast<std::ptrdiff_t>(forgotten));
  lane.tombstones.insert(lane.tombstones.end(), lane.added.begin(), lane.added.end());
  return absl::OkStatus();
}

absl::Status Journal::CommitReports(std::span<const model::ReportRecord> records,
                                    base::WallTime written_at, Durability durability) {
  MUSTER_CHECK(state_->recovered, "recovery comes before the first commit");
  if (records.empty()) return durability == Durability::kSync ? Sync() : absl::OkStatus();
  ReportLane& lane = state_->reports;
  MUSTER_CHECK(records.front().revision > lane.last.revision, "revisions rise across commits");
  lane.batch.Clear();
  lane.encoder.Clear();
  EncodeReports(records, written_at, &lane.encoder);
  const model::Revision last = records.back().revision;
  lane.batch.Put(Column::kReports, Key::OfNumber(last).bytes(), lane.encoder.bytes());
  absl::Status status;
  for (const model::ReportRecord& record : records) {
    status = lane.histories.Append(record, &lane.batch);
    if (!status.ok()) break;
  }
  if (status.ok()) status = state_->storage->Write(lane.batch, durability);
  lane.histories.Settle(status.ok());
  if (!status.ok()) return status;
  lane.last = {last, std::max(lane.last.at, written_at)};
  return absl::OkStatus();
}

absl::Status Journal::WriteCheckpoint(std::uint32_t piece,
                                      std::span<const model::AgentDynamics> agents,
                                      model::Revision covers) {
  MUSTER_CHECK(state_->recovered, "recovery comes before the first checkpoint");
  ReportLane& lane = state_->reports;
  lane.batch.Clear();
  lane.encoder.Clear();
  EncodePiece(piece, agents, covers, &lane.encoder);
  lane.batch.Put(Column::kCheckpoint, Key::OfPiece(piece).bytes(), lane.encoder.bytes());
  return state_->storage->Write(lane.batch, Durability::kBuffered);
}

absl::Status Journal::TrimReports(model::Revision covered_by_all) {
  MUSTER_CHECK(state_->recovered, "recovery comes before the first trim");
  ReportLane& lane = state_->reports;
  const model::Revision up_to = std::min(covered_by_all, lane.last.revision);
  if (up_to <= lane.trimmed) return absl::OkStatus();
  lane.batch.Clear();
  lane.batch.DeleteRange(Column::kReports, Key::OfNumber(lane.trimmed).bytes(),
                         Key::OfNumber(up_to + 1).bytes());
  AddLast(kReportsLastKey, lane.last, &lane.encoder, &lane.batch);
  if (auto status = state_->storage->Write(lane.batch, Durability::kBuffered); !status.ok()) {
    return status;
  }
  lane.trimmed = up_to;
  return absl::OkStatus();
}

absl::Status Journal::Sync() { return state_->storage->Sync(); }

absl::StatusOr<EventPage> Journal::ReadEvents(model::Incarnation incarnation,
                                              std::string_view cursor, std::uint32_t limit) const {
  if (limit == 0) return absl::InvalidArgumentError("a page holds at least one event");
  std::uint64_t number = 0;
  if (!cursor.empty()) {
    const absl::StatusOr<std::uint64_t> from = DecodeCursor(incarnation, cursor);
    if (!from.ok()) return from.status();
    number = *from;
  }
  EventPage page;
  absl::Status row_status;
  const absl::Status status = state_->storage->Scan(
      Column::kEvents, Key::OfEvent(incarnation, number).bytes(),
      Key::OfNumber(incarnation + 1).bytes(), [&](std::string_view key, std::string_view value) {
        if (page.events.size() == limit) {
          const std::optional<EventPlace> place = EventPlaceOf(key);
          if (place.has_value()) page.next_cursor = EncodeCursor(incarnation, place->number);
          return false;
        }
        row_status = DecodeEvent(key, value, &page.events.emplace_back());
        return row_status.ok();
      });
  if (!row_status.ok()) return row_status;
  if (!status.ok()) return status;
  return page;
}

}  // namespace muster::journal
