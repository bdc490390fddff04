// The port through which the journal writes: an ordered key-value store in named columns.
//
// Fault contract, which every implementation (RocksDB, memory, the simulator's faulty disk) keeps:
//   Write   atomic: after a crash all of a batch is there or none. With kSync it survives a crash
//   of
//           the machine once it returned OK; without, writes survive in order: a lost write loses
//           every later one too. An error leaves the store readable and later writes refused until
//           reopened or, for ResourceExhausted (a full disk), until space is there again.
//   Read    returns what was written last, or DataLoss if its checksum is wrong; never other bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace muster::journal {

enum class Column : std::uint8_t {
  kMeta,    // format version, state specs, last revision, last served instant
  kAgents,  // one registration a key
  kTombstones,
  kReports,     // one packed record per Worker batch
  kCheckpoint,  // pieces of the columns
  kEvents,      // event histories
};
inline constexpr int kColumns = 6;
std::string_view Name(Column column);

// Operations in the order in which they take effect. Clear keeps the buffers, so that a batch which
// is filled again and again allocates nothing once warm.
class WriteBatch {
 public:
  struct Operation {
    enum class Kind : std::uint8_t { kPut, kDelete, kDeleteRange } kind;
    Column column;
    std::string key;    // begin of a range
    std::string value;  // end of a range, exclusive
  };
  void Put(Column column, std::string_view key, std::string_view value);
  void Delete(Column column, std::string_view key);
  void DeleteRange(Column column, std::string_view begin, std::string_view end);
  void Clear() { size_ = 0; }
  bool empty() const { return size_ == 0; }
  std::span<const Operation> operations() const { return {operations_.data(), size_}; }

 private:
  void Add(Operation::Kind kind, Column column, std::string_view key, std::string_view value);

  std::vector<Operation> operations_;
  std::size_t size_ = 0;
};

enum class Durability : std::uint8_t { kBuffered, kSync };

class Storage {
 public:
  virtual ~Storage() = default;
  virtual absl::Status Write(const WriteBatch& batch, Durability durability) = 0;
  // Makes every earlier buffered write durable.
  virtual absl::Status Sync() = 0;
  virtual absl::StatusOr<std::string> Get(Column column,
                                          std::string_view key) const = 0;  // NotFound
  // Calls `visit(key, value)` for keys in [begin, end) in order until it returns false. An empty
  // `end` is the end of the column.
  virtual absl::Status Scan(
      Column column, std::string_view begin, std::string_view end,
      const std::function<bool(std::string_view, std::string_view)>& visit) const = 0;
};

}  // namespace muster::journal
