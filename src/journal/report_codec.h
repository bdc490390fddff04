// One packed record of applied reports: what one commit of the report lane writes.
//
// Events are kept without their data, which stands in the history (Column::kEvents).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "base/time.h"
#include "journal/keys.h"
#include "journal/wire.h"
#include "model/report.h"

namespace muster::journal {

// The key is the last revision, so that what a revision covers is a range from the beginning.
// At least one record; revisions rise.
void EncodeReports(std::span<const model::ReportRecord> records, base::WallTime written_at,
                   Encoder* out);

// Reads a packed record item by item, from bytes that may be anything.
//   ReportReader reader(key, value);
//   while (reader.Next(&record)) ...
//   if (!reader.status().ok()) ...
class ReportReader {
 public:
  ReportReader(std::string_view key, std::string_view value);

  // False at the end and on an error. `record` keeps its buffers; texts are views into `value`.
  bool Next(model::ReportRecord* record);
  const absl::Status& status() const { return status_; }
  base::WallTime written_at() const { return written_at_; }

 private:
  void Refuse(std::string_view what);

  std::string_view key_;
  Decoder in_;
  base::WallTime written_at_{};
  std::size_t left_ = 0;
  model::Revision revision_ = 0;
  absl::Status status_;
};

}  // namespace muster::journal
