// The journal's Storage on RocksDB: one column family per Column, one directory, one process.
//
// Keeps the fault contract of journal/storage.h. A full disk refuses writes with ResourceExhausted;
// reads go on, and writes work again by themselves once there is space. A damaged store is
// reported, never repaired silently. Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/storage.h"

namespace rocksdb {
class Env;
}

namespace muster::runtime {

class RocksDbStorage final : public journal::Storage {
 public:
  struct Options {
    std::string directory;                    // created where it is missing
    std::uint64_t memory_bytes = 64 << 20;    // of writes not yet in files
    std::uint64_t cache_bytes = 16 << 20;     // of blocks read
    std::uint64_t log_bytes_max = 128 << 20;  // of write-ahead logs: what a restart replays
    rocksdb::Env* env = nullptr;              // null: the file system
  };

  // Unavailable:         another process has the store open.
  // PermissionDenied:    the directory can't be written.
  // ResourceExhausted:   no space to open it.
  // FailedPrecondition:  the directory holds something else, or a store of a newer Muster.
  // DataLoss:            the store is damaged.
  // Every message names the directory and says what to do.
  static absl::StatusOr<std::unique_ptr<RocksDbStorage>> Open(const Options& options);

  // Writes what is in memory to files, so that the next Open has no log to replay.
  ~RocksDbStorage() override;
  RocksDbStorage(const RocksDbStorage&) = delete;
  RocksDbStorage& operator=(const RocksDbStorage&) = delete;

  absl::Status Write(const journal::WriteBatch& batch, journal::Durability durability) override;
  absl::Status Sync() override;
  absl::StatusOr<std::string> Get(journal::Column column, std::string_view key) const override;
  absl::Status Scan(
      journal::Column column, std::string_view begin, std::string_view end,
      const std::function<bool(std::string_view, std::string_view)>& visit) const override;

 private:
  struct State;
  explicit RocksDbStorage(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace muster::runtime
