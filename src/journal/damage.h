// What recovery and readers say about a record that can't be understood.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "journal/storage.h"

namespace muster::journal {

// DataLoss with the record's column and key, what is wrong with it and what to do.
absl::Status DamagedRecord(Column column, std::string_view key, std::string_view what);
// FailedPrecondition: a newer Muster wrote it.
absl::Status NewerRecord(Column column, std::string_view key, unsigned version);

}  // namespace muster::journal
