// One opened RocksDB database with Muster's column families, closed with everything in files.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "journal/storage.h"
#include "rocksdb/db.h"
#include "runtime/rocksdb_storage.h"

namespace muster::runtime {

class RocksDbDatabase {
 public:
  // Errors as RocksDbStorage::Open.
  static absl::StatusOr<std::unique_ptr<RocksDbDatabase>> Open(
      const RocksDbStorage::Options& options);
  ~RocksDbDatabase();
  RocksDbDatabase(const RocksDbDatabase&) = delete;
  RocksDbDatabase& operator=(const RocksDbDatabase&) = delete;

  rocksdb::Status Write(rocksdb::WriteBatch* batch, bool sync);
  rocksdb::Status SyncLog();
  // Of the last write that took effect.
  std::uint64_t LatestSequence() const { return db_->GetLatestSequenceNumber(); }

  rocksdb::DB* db() const { return db_.get(); }
  rocksdb::ColumnFamilyHandle* family(journal::Column column) const {
    return families_[static_cast<std::size_t>(column) + 1];
  }

 private:
  RocksDbDatabase() = default;

  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;
};

}  // namespace muster::runtime
