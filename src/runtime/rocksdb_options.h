// How the store's column families are tuned; which choices were measured: docs/formats/journal.md.
#pragma once

#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "runtime/rocksdb_storage.h"

namespace muster::runtime {

rocksdb::DBOptions DatabaseOptions(const RocksDbStorage::Options& options);

// RocksDB's own `default` first (nothing is ever in it), then one for each Column in its order.
std::vector<rocksdb::ColumnFamilyDescriptor> ColumnFamilies(const RocksDbStorage::Options& options);

}  // namespace muster::runtime
