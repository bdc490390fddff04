// Reads a whole store in the order that RecoverySink states.
#pragma once

#include <deque>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/journal.h"
#include "journal/registration_codec.h"
#include "journal/storage.h"

namespace muster::journal {

class Recovery {
 public:
  Recovery(Storage* storage, RecoverySink* sink) : storage_(storage), sink_(sink) {}

  // An empty store is given its format mark. Events of lives that are over are deleted.
  absl::Status Run();

  const RecoverySummary& summary() const { return summary_; }
  const LastWritten& registrations_last() const { return registrations_last_; }
  const LastWritten& reports_last() const { return reports_last_; }
  std::deque<model::Revision> TakeTombstones() { return std::move(tombstones_); }

 private:
  absl::Status CheckFormat();
  absl::Status MarkFormat();
  absl::Status ReadLast(std::string_view key, LastWritten* last);
  absl::Status ReadStates();
  absl::Status ReadAgents();
  absl::Status ReadTombstones();
  absl::Status ReadCheckpoint();
  absl::Status ReadReports();
  absl::Status DropOrphanedEvents();

  absl::Status OnAgentRow(std::string_view key, std::string_view value);
  absl::Status OnTombstoneRow(std::string_view key, std::string_view value);
  absl::Status OnPieceRow(std::string_view key, std::string_view value);
  absl::Status OnReportRow(std::string_view key, std::string_view value);

  void Saw(model::Revision revision, base::WallTime at);
  bool Covered(const model::ReportRecord& record) const;

  Storage* storage_;
  RecoverySink* sink_;
  RecoverySummary summary_;
  LastWritten registrations_last_;
  LastWritten reports_last_;
  std::deque<model::Revision> tombstones_;
  absl::flat_hash_set<model::Incarnation> lives_;
  std::vector<model::Revision> covers_;  // by piece
  model::ReportRecord record_;
  model::AgentDynamics dynamics_;
};

}  // namespace muster::journal
