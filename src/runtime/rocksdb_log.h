// RocksDB's warnings and errors as lines of the node's own log.
//
// Not in a file beside the store: RocksDB ends the process when it logs to a file again whose last
// write failed, as on a full disk.
#pragma once

#include <memory>

#include "rocksdb/env.h"

namespace muster::runtime {

std::shared_ptr<rocksdb::Logger> NewRocksDbLog();

}  // namespace muster::runtime
