// What can be wrong with a data directory, told before or after RocksDB looked at it.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "rocksdb/status.h"

namespace muster::runtime {

// Creates the directory if it is missing. An error unless it can be written and holds a store, or
// nothing at all.
absl::Status PrepareDirectory(const std::string& directory);

// The error of an Open in the terms of RocksDbStorage::Open.
absl::Status OpenError(const std::string& directory, const rocksdb::Status& status);

}  // namespace muster::runtime
