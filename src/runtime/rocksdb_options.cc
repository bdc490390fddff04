#include "runtime/rocksdb_options.h"

#include <memory>

#include "rocksdb/cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/listener.h"
#include "rocksdb/table.h"
#include "runtime/rocksdb_log.h"

namespace muster::runtime {
namespace {

using journal::Column;

// Of RocksDB's own attempts to go on after an error only those are left that don't stop writes
// meanwhile: when to write again after a full disk is RocksDbStorage's decision.
class NoRecoveryBehindOurBack final : public rocksdb::EventListener {
 public:
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason /*reason*/, rocksdb::Status error,
                            bool* auto_recovery) override {
    if (error.severity() > rocksdb::Status::Severity::kSoftError) *auto_recovery = false;
  }
};

void Tune(Column column, rocksdb::ColumnFamilyOptions* options) {
  switch (column) {
    case Column::kAgents:
    case Column::kCheckpoint:
    case Column::kEvents:
      options->compression = rocksdb::kLZ4Compression;
      return;
    case Column::kReports:
      // Written once in key order, then trimmed from the front: merging rarely and many files at a
      // time lets most records be trimmed before they would be copied.
      options->compaction_style = rocksdb::kCompactionStyleUniversal;
      options->level0_file_num_compaction_trigger = 8;
      return;
    case Column::kMeta:
    case Column::kTombstones:
      return;
  }
}

}  // namespace

rocksdb::DBOptions DatabaseOptions(const RocksDbStorage::Options& options) {
  rocksdb::DBOptions database;
  if (options.env != nullptr) database.env = options.env;
  database.create_if_missing = true;
  database.create_missing_column_families = true;
  database.paranoid_checks = true;
  // A record cut off at the end of the log is a write that a crash interrupted. Any other damage is
  // reported: to stop there silently would lose acknowledged writes.
  database.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  database.db_write_buffer_size = options.memory_bytes;
  database.max_total_wal_size = options.log_bytes_max;
  database.max_background_jobs = 2;
  database.max_open_files = 512;
  database.bytes_per_sync = 1 << 20;
  database.info_log = NewRocksDbLog();
  database.stats_dump_period_sec = 0;
  database.stats_persist_period_sec = 0;
  database.max_bgerror_resume_count = 0;
  database.listeners.push_back(std::make_shared<NoRecoveryBehindOurBack>());
  return database;
}

std::vector<rocksdb::ColumnFamilyDescriptor> ColumnFamilies(
    const RocksDbStorage::Options& options) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(options.cache_bytes);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.block_size = 16 << 10;
  rocksdb::ColumnFamilyOptions base;
  base.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  base.compression = rocksdb::kNoCompression;
  base.write_buffer_size = options.memory_bytes / 4;
  base.max_write_buffer_number = 3;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  families.emplace_back(rocksdb::kDefaultColumnFamilyName, base);
  for (int i = 0; i < journal::kColumns; ++i) {
    const auto column = static_cast<Column>(i);
    Tune(column, &families.emplace_back(std::string(journal::Name(column)), base).options);
  }
  return families;
}

}  // namespace muster::runtime
