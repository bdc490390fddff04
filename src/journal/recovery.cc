#include "journal/recovery.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
#include "base/strings.h"
#include "journal/checkpoint_codec.h"
#include "journal/damage.h"
#include "journal/keys.h"
#include "journal/report_codec.h"

namespace muster::journal {
namespace {

constexpr std::string_view kFormatMark = "muster journal ";
constexpr unsigned kFormat = 1;

// Scans a column until a row's status is not OK; that status, or the scan's own.
template <typename Visit>
absl::Status ForEach(const Storage& storage, Column column, std::string_view begin,
                     std::string_view end, const Visit& visit) {
  absl::Status row_status;
  const absl::Status status =
      storage.Scan(column, begin, end, [&](std::string_view key, std::string_view value) {
        row_status = visit(key, value);
        return row_status.ok();
      });
  return row_status.ok() ? status : row_status;
}

}  // namespace

absl::Status Recovery::Run() {
  using Step = absl::Status (Recovery::*)();
  for (const Step step : {&Recovery::CheckFormat, &Recovery::ReadStates, &Recovery::ReadAgents,
                          &Recovery::ReadTombstones, &Recovery::ReadCheckpoint,
                          &Recovery::ReadReports, &Recovery::DropOrphanedEvents}) {
    if (auto status = (this->*step)(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status Recovery::CheckFormat() {
  const absl::StatusOr<std::string> format = storage_->Get(Column::kMeta, kFormatKey);
  if (absl::IsNotFound(format.status())) return MarkFormat();
  if (!format.ok()) return format.status();
  std::uint32_t version = 0;
  if (!format->starts_with(kFormatMark) ||
      !absl::SimpleAtoi(format->substr(kFormatMark.size()), &version) || version == 0) {
    return DamagedRecord(Column::kMeta, kFormatKey, "not the mark of a Muster store");
  }
  if (version > kFormat) return NewerRecord(Column::kMeta, kFormatKey, version);
  if (auto status = ReadLast(kRegistrationsLastKey, &registrations_last_); !status.ok()) {
    return status;
  }
  return ReadLast(kReportsLastKey, &reports_last_);
}

// Only a store without any record can be one that was never used.
absl::Status Recovery::MarkFormat() {
  for (int i = 0; i < kColumns; ++i) {
    const auto column = static_cast<Column>(i);
    const absl::Status status =
        ForEach(*storage_, column, "", "", [column](std::string_view key, std::string_view) {
          return DamagedRecord(column, key, "the store has records but no format mark");
        });
    if (!status.ok()) return status;
  }
  summary_.was_empty = true;
  WriteBatch batch;
  batch.Put(Column::kMeta, kFormatKey, base::StrCat(kFormatMark, kFormat));
  return storage_->Write(batch, Durability::kSync);
}

absl::Status Recovery::ReadLast(std::string_view key, LastWritten* last) {
  const absl::StatusOr<std::string> value = storage_->Get(Column::kMeta, key);
  if (absl::IsNotFound(value.status())) return absl::OkStatus();
  if (!value.ok()) return value.status();
  if (auto status = DecodeLastWritten(key, *value, last); !status.ok()) return status;
  Saw(last->revision, last->at);
  return absl::OkStatus();
}

absl::Status Recovery::ReadStates() {
  return ForEach(*storage_, Column::kMeta, kStatePrefix, kStatePrefixEnd,
                 [this](std::string_view key, std::string_view value) {
                   const std::optional<model::StateIndex> index = StateOf(key);
                   if (!index.has_value()) {
                     return DamagedRecord(Column::kMeta, key, "its key is not a state's");
                   }
                   model::StateSpec spec;
                   auto status = DecodeStateSpec(key, value, &spec);
                   return status.ok() ? sink_->OnState(*index, std::move(spec)) : status;
                 });
}

absl::Status Recovery::ReadAgents() {
  return ForEach(*storage_, Column::kAgents, "", "",
                 [this](auto key, auto value) { return OnAgentRow(key, value); });
}

absl::Status Recovery::OnAgentRow(std::string_view key, std::string_view value) {
  model::Agent agent;
  if (auto status = DecodeAgent(key, value, &agent); !status.ok()) return status;
  Saw(agent.revision, agent.registered_at);
  lives_.insert(agent.incarnation);
  ++summary_.agents;
  return sink_->OnAgent(std::move(agent));
}

absl::Status Recovery::ReadTombstones() {
  return ForEach(*storage_, Column::kTombstones, "", "",
                 [this](auto key, auto value) { return OnTombstoneRow(key, value); });
}

absl::Status Recovery::OnTombstoneRow(std::string_view key, std::string_view value) {
  model::Tombstone tombstone;
  if (auto status = DecodeTombstone(key, value, &tombstone); !status.ok()) return status;
  Saw(tombstone.revision, tombstone.removed_at);
  tombstones_.push_back(tombstone.revision);
  ++summary_.tombstones;
  return sink_->OnTombstone(std::move(tombstone));
}

absl::Status Recovery::ReadCheckpoint() {
  return ForEach(*storage_, Column::kCheckpoint, "", "",
                 [this](auto key, auto value) { return OnPieceRow(key, value); });
}

absl::Status Recovery::OnPieceRow(std::string_view key, std::string_view value) {
  PieceReader reader(key, value);
  while (reader.Next(&dynamics_)) {
    if (auto status = sink_->OnCheckpoint(reader.covers(), dynamics_); !status.ok()) return status;
  }
  if (!reader.status().ok()) return reader.status();
  if (reader.piece() >= covers_.size()) covers_.resize(reader.piece() + std::size_t{1}, 0);
  covers_[reader.piece()] = reader.covers();
  Saw(reader.covers(), base::WallTime{});
  ++summary_.checkpoint_pieces;
  return absl::OkStatus();
}

absl::Status Recovery::ReadReports() {
  return ForEach(*storage_, Column::kReports, "", "",
                 [this](auto key, auto value) { return OnReportRow(key, value); });
}

absl::Status Recovery::OnReportRow(std::string_view key, std::string_view value) {
  ReportReader reader(key, value);
  while (reader.Next(&record_)) {
    Saw(record_.revision, reader.written_at());
    reports_last_.revision = std::max(reports_last_.revision, record_.revision);
    reports_last_.at = std::max(reports_last_.at, reader.written_at());
    if (Covered(record_)) continue;
    ++summary_.reports;
    if (auto status = sink_->OnReport(record_); !status.ok()) return status;
  }
  return reader.status();
}

// A removal deletes the events of its agent, but a report of the other lane may have added one
// afterwards.
absl::Status Recovery::DropOrphanedEvents() {
  WriteBatch batch;
  std::string begin;
  std::optional<EventPlace> place;
  do {
    place.reset();
    const absl::Status status =
        storage_->Scan(Column::kEvents, begin, "", [&](std::string_view key, std::string_view) {
          place = EventPlaceOf(key).value_or(EventPlace{});
          return false;
        });
    if (!status.ok()) return status;
    if (!place.has_value()) break;
    const Key next = Key::OfNumber(place->life + 1);
    if (!lives_.contains(place->life)) {
      batch.DeleteRange(Column::kEvents, Key::OfNumber(place->life).bytes(), next.bytes());
    }
    begin = next.bytes();
  } while (place->life + 1 != 0);
  return batch.empty() ? absl::OkStatus() : storage_->Write(batch, Durability::kBuffered);
}

void Recovery::Saw(model::Revision revision, base::WallTime at) {
  summary_.revision = std::max(summary_.revision, revision);
  summary_.last_written_at = std::max(summary_.last_written_at, at);
}

bool Recovery::Covered(const model::ReportRecord& record) const {
  const std::size_t piece = record.slot / kPieceSlots;
  return piece < covers_.size() && record.revision <= covers_[piece];
}

}  // namespace muster::journal
