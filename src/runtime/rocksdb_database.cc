#include "runtime/rocksdb_database.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "rocksdb/write_batch.h"
#include "runtime/rocksdb_open.h"
#include "runtime/rocksdb_options.h"

namespace muster::runtime {
namespace {

absl::Status NotOurs(const std::string& directory, std::string_view what) {
  return absl::FailedPreconditionError(base::StrCat(
      "the store in ", directory, " holds ", what,
      ", which this Muster does not know: it is not a Muster store, or a newer Muster wrote it. "
      "Nothing was changed. Choose another directory, or start that version"));
}

// A database that has the column family of every RocksDB only is another program's, or one of ours
// whose creation was interrupted: then it is empty.
absl::Status CheckDefaultOnly(const std::string& directory, const rocksdb::DBOptions& how) {
  rocksdb::DB* raw = nullptr;
  const rocksdb::Options options(how, rocksdb::ColumnFamilyOptions());
  const rocksdb::Status opened = rocksdb::DB::OpenForReadOnly(options, directory, &raw);
  if (!opened.ok()) return OpenError(directory, opened);
  const std::unique_ptr<rocksdb::DB> db(raw);
  const std::unique_ptr<rocksdb::Iterator> row(db->NewIterator({}));
  row->SeekToFirst();
  if (row->Valid()) return NotOurs(directory, "records of another program");
  return row->status().ok() ? absl::OkStatus() : OpenError(directory, row->status());
}

absl::Status CheckOurs(const std::string& directory, const rocksdb::DBOptions& how,
                       const std::vector<rocksdb::ColumnFamilyDescriptor>& families) {
  std::vector<std::string> found;
  const rocksdb::Status status = rocksdb::DB::ListColumnFamilies(how, directory, &found);
  if (!status.ok()) return OpenError(directory, status);
  if (found.size() == 1) return CheckDefaultOnly(directory, how);
  for (const std::string& name : found) {
    const bool ours = std::any_of(families.begin(), families.end(),
                                  [&name](const auto& family) { return family.name == name; });
    if (!ours) return NotOurs(directory, base::StrCat("a column family ", name));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<RocksDbDatabase>> RocksDbDatabase::Open(
    const RocksDbStorage::Options& options) {
  if (auto status = PrepareDirectory(options.directory); !status.ok()) return status;
  const rocksdb::DBOptions how = DatabaseOptions(options);
  const std::vector<rocksdb::ColumnFamilyDescriptor> families = ColumnFamilies(options);
  if (how.env->FileExists(options.directory + "/CURRENT").ok()) {
    const absl::Status status = CheckOurs(options.directory, how, families);
    if (!status.ok()) return status;
  }
  std::unique_ptr<RocksDbDatabase> database(new RocksDbDatabase());
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(how, options.directory, families, &database->families_, &db);
  database->db_.reset(db);
  if (!status.ok()) return OpenError(options.directory, status);
  return database;
}

RocksDbDatabase::~RocksDbDatabase() {
  if (db_ == nullptr) return;
  // What fails here is still in the log, which the next Open replays.
  SyncLog().PermitUncheckedError();
  db_->Flush({}, families_).PermitUncheckedError();
  for (rocksdb::ColumnFamilyHandle* handle : families_) {
    db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
  db_->Close().PermitUncheckedError();
}

rocksdb::Status RocksDbDatabase::Write(rocksdb::WriteBatch* batch, bool sync) {
  rocksdb::WriteOptions how;
  how.sync = sync;
  return db_->Write(how, batch);
}

// An empty batch: unlike SyncWAL it may follow a write that failed.
rocksdb::Status RocksDbDatabase::SyncLog() {
  rocksdb::WriteBatch nothing;
  return Write(&nothing, true);
}

}  // namespace muster::runtime
