#include "runtime/rocksdb_storage.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/strings.h"
#include "rocksdb/db.h"
#include "rocksdb/write_batch.h"
#include "runtime/rocksdb_database.h"

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

std::uint64_t FreeBytes(const RocksDbStorage::Options& options) {
  rocksdb::Env* env = options.env != nullptr ? options.env : rocksdb::Env::Default();
  std::uint64_t bytes = 0;
  return env->GetFreeSpace(options.directory, &bytes).ok() ? bytes : 0;
}

rocksdb::Status Add(const Operation& operation, rocksdb::ColumnFamilyHandle* family,
                    rocksdb::WriteBatch* writes) {
  switch (operation.kind) {
    case Operation::Kind::kPut:
      return writes->Put(family, operation.key, operation.value);
    case Operation::Kind::kDelete:
      return writes->Delete(family, operation.key);
    case Operation::Kind::kDeleteRange:
      return writes->DeleteRange(family, operation.key, operation.value);
  }
  return rocksdb::Status::NotSupported();
}

absl::Status ClosedError(const std::string& directory) {
  return absl::UnavailableError(
      base::StrCat("the store in ", directory,
                   " could not be opened again after its disk was full. Check the disk; the next "
                   "write tries again"));
}

absl::Status BrokenError(const std::string& directory, std::string_view why) {
  return absl::UnavailableError(
      base::StrCat("the store in ", directory, " refuses writes: ", why,
                   ". What was acknowledged is kept. Check the disk, then restart the node"));
}

}  // namespace

struct RocksDbStorage::State {
  enum class Writes : std::uint8_t {
    kAccepted,
    kFull,     // refused until there is space
    kRefused,  // until the next start
  };

  explicit State(const Options& options_in) : options(options_in) {}

  // OK if a write may be tried. After a full disk it opens the store anew first.
  absl::Status MayWrite();
  absl::Status OpenAnew() ABSL_EXCLUSIVE_LOCKS_REQUIRED(gate);
  absl::Status TryWrite(const journal::WriteBatch& batch, Durability durability);
  absl::Status WriteError(const rocksdb::Status& status);

  const Options options;
  std::atomic<Writes> writes{Writes::kAccepted};
  // Held shared by every use of the database, exclusively while it is opened anew.
  base::SharedMutex gate;
  std::unique_ptr<RocksDbDatabase> database ABSL_GUARDED_BY(gate);
  // Of the last write that was accepted before the disk was full.
  std::uint64_t sequence_before ABSL_GUARDED_BY(gate) = 0;
};

absl::Status RocksDbStorage::State::MayWrite() {
  if (writes.load(std::memory_order_acquire) == Writes::kAccepted) return absl::OkStatus();
  base::WriterLock lock(&gate);
  switch (writes.load(std::memory_order_acquire)) {
    case Writes::kAccepted:
      return absl::OkStatus();
    case Writes::kRefused:
      return BrokenError(options.directory, "an earlier write failed");
    case Writes::kFull:
      return OpenAnew();
  }
  return absl::OkStatus();
}

// Not by DB::Resume: it goes on in the log that failed if nothing was in memory, and RocksDB ends
// the process when that log is written to again.
absl::Status RocksDbStorage::State::OpenAnew() {
  if (FreeBytes(options) < kFreeBytesMin) return FullError(options.directory);
  if (database != nullptr) sequence_before = database->LatestSequence();
  database.reset();
  absl::StatusOr<std::unique_ptr<RocksDbDatabase>> opened = RocksDbDatabase::Open(options);
  if (absl::IsResourceExhausted(opened.status())) return FullError(options.directory);
  if (!opened.ok()) return opened.status();
  database = *std::move(opened);
  // The write that was refused may have reached the log whole; who refused it must not find it
  // later.
  if (database->LatestSequence() > sequence_before) {
    writes.store(Writes::kRefused, std::memory_order_release);
    return BrokenError(options.directory, "a write that was refused has come back");
  }
  writes.store(Writes::kAccepted, std::memory_order_release);
  return absl::OkStatus();
}

absl::Status RocksDbStorage::State::WriteError(const rocksdb::Status& status) {
  if (status.IsNoSpace()) {
    writes.store(Writes::kFull, std::memory_order_release);
    return FullError(options.directory);
  }
  return BrokenError(options.directory, status.ToString());
}

RocksDbStorage::RocksDbStorage(std::unique_ptr<State> state) : state_(std::move(state)) {}

RocksDbStorage::~RocksDbStorage() = default;

absl::StatusOr<std::unique_ptr<RocksDbStorage>> RocksDbStorage::Open(const Options& options) {
  absl::StatusOr<std::unique_ptr<RocksDbDatabase>> opened = RocksDbDatabase::Open(options);
  if (!opened.ok()) return opened.status();
  auto state = std::make_unique<State>(options);
  {
    base::WriterLock lock(&state->gate);
    state->database = *std::move(opened);
  }
  return std::unique_ptr<RocksDbStorage>(new RocksDbStorage(std::move(state)));
}

absl::Status RocksDbStorage::Write(const journal::WriteBatch& batch, Durability durability) {
  absl::Status status = state_->TryWrite(batch, durability);
  // RocksDB may have met the full disk in the background and remember it though there is space
  // again: the second try opens the store anew, or finds that the disk is full indeed.
  if (absl::IsResourceExhausted(status)) status = state_->TryWrite(batch, durability);
  return status;
}

absl::Status RocksDbStorage::State::TryWrite(const journal::WriteBatch& batch,
                                             Durability durability) {
  if (auto status = MayWrite(); !status.ok()) return status;
  base::ReaderLock lock(&gate);
  if (database == nullptr) return ClosedError(options.directory);
  std::size_t bytes = 0;
  for (const Operation& operation : batch.operations()) {
    bytes += operation.key.size() + operation.value.size() + kOperationBytes;
  }
  rocksdb::WriteBatch record(bytes);
  rocksdb::Status status;
  for (const Operation& operation : batch.operations()) {
    status = Add(operation, database->family(operation.column), &record);
    if (!status.ok()) return WriteError(status);
  }
  status = database->Write(&record, durability == Durability::kSync);
  return status.ok() ? absl::OkStatus() : WriteError(status);
}

absl::Status RocksDbStorage::Sync() {
  if (auto status = state_->MayWrite(); !status.ok()) return status;
  base::ReaderLock lock(&state_->gate);
  if (state_->database == nullptr) return ClosedError(state_->options.directory);
  const rocksdb::Status status = state_->database->SyncLog();
  return status.ok() ? absl::OkStatus() : state_->WriteError(status);
}

absl::StatusOr<std::string> RocksDbStorage::Get(Column column, std::string_view key) const {
  base::ReaderLock lock(&state_->gate);
  if (state_->database == nullptr) return ClosedError(state_->options.directory);
  std::string value;
  const rocksdb::Status status =
      state_->database->db()->Get({}, state_->database->family(column), ToSlice(key), &value);
  if (status.ok()) return value;
  if (status.IsNotFound()) return absl::NotFoundError("no such key");
  return ReadError(column, status);
}

absl::Status RocksDbStorage::Scan(
    Column column, std::string_view begin, std::string_view end,
    const std::function<bool(std::string_view, std::string_view)>& visit) const {
  base::ReaderLock lock(&state_->gate);
  if (state_->database == nullptr) return ClosedError(state_->options.directory);
  const rocksdb::Slice bound = ToSlice(end);
  rocksdb::ReadOptions how;
  how.fill_cache = false;
  if (!end.empty()) how.iterate_upper_bound = &bound;
  const std::unique_ptr<rocksdb::Iterator> row(
      state_->database->db()->NewIterator(how, state_->database->family(column)));
  for (row->Seek(ToSlice(begin)); row->Valid(); row->Next()) {
    if (!visit(ToView(row->key()), ToView(row->value()))) return absl::OkStatus();
  }
  const rocksdb::Status status = row->status();
  return status.ok() ? absl::OkStatus() : ReadError(column, status);
}

}  // namespace muster::runtime
