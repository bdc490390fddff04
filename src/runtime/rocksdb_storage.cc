#include "runtime/rocksdb_storage.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/strings.h"
#include "rocksdb/db.h"
#include "rocksdb/write_batch.h"
#include "runtime/rocksdb_open.h"
#include "runtime/rocksdb_options.h"

namespace muster::runtime {
namespace {

using journal::Column;
using journal::Durability;
using Operation = journal::WriteBatch::Operation;

// Less free space than this is not worth an attempt to write again: what is in memory would not
// fit.
constexpr std::uint64_t kFreeBytesMin = 16 << 20;
constexpr std::size_t kOperationBytes = 16;  // beside key and value, in RocksDB's batch

rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view ToView(rocksdb::Slice slice) { return {slice.data(), slice.size()}; }

absl::Status ReadError(Column column, const rocksdb::Status& status) {
  const std::string what = base::StrCat("can't read column ", journal::Name(column),
                                        " of the store: ", status.ToString());
  if (status.IsCorruption()) {
    return absl::DataLossError(base::StrCat(
        what,
        ". Keep a copy of the data directory and check the disk, then restore a backup, or "
        "start with an empty directory: agents come back as they register again"));
  }
  return absl::UnavailableError(base::StrCat(what, ". Check the disk"));
}

absl::Status FullError(const std::string& directory) {
  return absl::ResourceExhaustedError(
      base::StrCat("the disk that holds ", directory,
                   " is full; nothing of this write was kept. Free some space there: the node goes "
                   "on reading and writes again by itself"));
}

absl::Status OpenedBefore(const RocksDbStorage::Options& options,
                          const rocksdb::DBOptions& database,
                          const std::vector<rocksdb::ColumnFamilyDescriptor>& families) {
  std::vector<std::string> found;
  const rocksdb::Status status =
      rocksdb::DB::ListColumnFamilies(database, options.directory, &found);
  if (!status.ok()) return OpenError(options.directory, status);
  for (const std::string& name : found) {
    const bool ours = std::any_of(families.begin(), families.end(),
                                  [&name](const auto& family) { return family.name == name; });
    if (ours) continue;
    return absl::FailedPreconditionError(base::StrCat(
        "the store in ", options.directory, " holds a column family ", name,
        ", which this Muster does not know: it is not a Muster store, or a newer Muster wrote it. "
        "Choose another directory, or start that version"));
  }
  return absl::OkStatus();
}

}  // namespace

struct RocksDbStorage::Database {
  explicit Database(std::string directory_in) : directory(std::move(directory_in)) {}
  ~Database();

  rocksdb::ColumnFamilyHandle* family(Column column) const {
    return families[static_cast<std::size_t>(column) + 1];
  }
  absl::Status WriteError(const rocksdb::Status& status);
  bool SpaceIsBack();

  const std::string directory;
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  std::atomic<bool> full{false};
  base::Mutex resume_mutex;
};

RocksDbStorage::Database::~Database() {
  if (db == nullptr) return;
  // What fails here is still in the log, which the next Open replays.
  db->SyncWAL().PermitUncheckedError();
  db->Flush({}, families).PermitUncheckedError();
  for (rocksdb::ColumnFamilyHandle* handle : families) {
    db->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
  db->Close().PermitUncheckedError();
}

absl::Status RocksDbStorage::Database::WriteError(const rocksdb::Status& status) {
  if (status.IsNoSpace()) {
    full.store(true, std::memory_order_release);
    return FullError(directory);
  }
  return absl::UnavailableError(
      base::StrCat("the store in ", directory, " refuses writes: ", status.ToString(),
                   ". What was acknowledged is kept and can be read. Check the disk, then restart "
                   "the node"));
}

bool RocksDbStorage::Database::SpaceIsBack() {
  base::MutexLock lock(&resume_mutex);
  if (!full.load(std::memory_order_acquire)) return true;
  std::uint64_t free_bytes = 0;
  if (!db->GetEnv()->GetFreeSpace(directory, &free_bytes).ok()) return false;
  if (free_bytes < kFreeBytesMin) return false;
  if (!db->Resume().ok()) return false;
  full.store(false, std::memory_order_release);
  return true;
}

RocksDbStorage::RocksDbStorage(std::unique_ptr<Database> database)
    : database_(std::move(database)) {}

RocksDbStorage::~RocksDbStorage() = default;

absl::StatusOr<std::unique_ptr<RocksDbStorage>> RocksDbStorage::Open(const Options& options) {
  if (auto status = PrepareDirectory(options.directory); !status.ok()) return status;
  const rocksdb::DBOptions database_options = DatabaseOptions(options);
  const std::vector<rocksdb::ColumnFamilyDescriptor> families = ColumnFamilies(options);
  if (database_options.env->FileExists(options.directory + "/CURRENT").ok()) {
    const absl::Status status = OpenedBefore(options, database_options, families);
    if (!status.ok()) return status;
  }
  auto database = std::make_unique<Database>(options.directory);
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(database_options, options.directory, families, &database->families, &db);
  if (!status.ok()) return OpenError(options.directory, status);
  database->db.reset(db);
  return std::unique_ptr<RocksDbStorage>(new RocksDbStorage(std::move(database)));
}

absl::Status RocksDbStorage::Write(const journal::WriteBatch& batch, Durability durability) {
  if (database_->full.load(std::memory_order_acquire) && !database_->SpaceIsBack()) {
    return FullError(database_->directory);
  }
  std::size_t bytes = 0;
  for (const Operation& operation : batch.operations()) {
    bytes += operation.key.size() + operation.value.size() + kOperationBytes;
  }
  rocksdb::WriteBatch writes(bytes);
  rocksdb::Status status;
  for (const Operation& operation : batch.operations()) {
    rocksdb::ColumnFamilyHandle* family = database_->family(operation.column);
    switch (operation.kind) {
      case Operation::Kind::kPut:
        status = writes.Put(family, operation.key, operation.value);
        break;
      case Operation::Kind::kDelete:
        status = writes.Delete(family, operation.key);
        break;
      case Operation::Kind::kDeleteRange:
        status = writes.DeleteRange(family, operation.key, operation.value);
        break;
    }
    if (!status.ok()) return database_->WriteError(status);
  }
  rocksdb::WriteOptions how;
  how.sync = durability == Durability::kSync;
  status = database_->db->Write(how, &writes);
  return status.ok() ? absl::OkStatus() : database_->WriteError(status);
}

absl::Status RocksDbStorage::Sync() {
  const rocksdb::Status status = database_->db->SyncWAL();
  return status.ok() ? absl::OkStatus() : database_->WriteError(status);
}

absl::StatusOr<std::string> RocksDbStorage::Get(Column column, std::string_view key) const {
  std::string value;
  const rocksdb::Status status =
      database_->db->Get({}, database_->family(column), ToSlice(key), &value);
  if (status.ok()) return value;
  if (status.IsNotFound()) return absl::NotFoundError("no such key");
  return ReadError(column, status);
}

absl::Status RocksDbStorage::Scan(
    Column column, std::string_view begin, std::string_view end,
    const std::function<bool(std::string_view, std::string_view)>& visit) const {
  const rocksdb::Slice bound = ToSlice(end);
  rocksdb::ReadOptions how;
  how.fill_cache = false;
  if (!end.empty()) how.iterate_upper_bound = &bound;
  const std::unique_ptr<rocksdb::Iterator> row(
      database_->db->NewIterator(how, database_->family(column)));
  for (row->Seek(ToSlice(begin)); row->Valid(); row->Next()) {
    if (!visit(ToView(row->key()), ToView(row->value()))) return absl::OkStatus();
  }
  const rocksdb::Status status = row->status();
  return status.ok() ? absl::OkStatus() : ReadError(column, status);
}

}  // namespace muster::runtime
