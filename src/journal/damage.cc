#include "journal/damage.h"

#include "base/strings.h"
#include "journal/keys.h"

namespace muster::journal {

absl::Status DamagedRecord(Column column, std::string_view key, std::string_view what) {
  return absl::DataLossError(base::StrCat(
      "the store is damaged: record ", Hex(key), " in column ", Name(column), ": ", what,
      ". Nothing was changed. Keep a copy of the data directory, then restore a backup, or start "
      "with an empty directory: agents come back as they register again"));
}

absl::Status NewerRecord(Column column, std::string_view key, unsigned version) {
  return absl::FailedPreconditionError(
      base::StrCat("record ", Hex(key), " in column ", Name(column), " has version ", version,
                   ", which this Muster does not know: a newer Muster wrote it. Nothing was "
                   "changed. Start that newer version on this data directory"));
}

}  // namespace muster::journal
