// A Storage in memory that fails as a disk does, on demand: for tests and simulations.
//
// It keeps the fault contract of storage.h and uses all the freedom that the contract leaves: what
// was not synced may be lost, from any write on. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/memory_storage.h"
#include "journal/storage.h"

namespace muster::journal {

class FaultyStorage final : public Storage {
 public:
  absl::Status Write(const WriteBatch& batch, Durability durability) override;
  absl::Status Sync() override;
  absl::StatusOr<std::string> Get(Column column, std::string_view key) const override;
  absl::Status Scan(
      Column column, std::string_view begin, std::string_view end,
      const std::function<bool(std::string_view, std::string_view)>& visit) const override;

  // The power goes during the write after the next `writes` ones: it and every later call is
  // refused (Unavailable) until Restart.
  void CrashAfter(std::uint64_t writes) { writes_until_crash_ = writes; }
  // Power is back. Of the writes that were not synced the first `survivors` are there. A write that
  // the crash interrupted counts as the last of them: it is there whole, or not at all.
  void Restart(std::size_t survivors);
  std::size_t unsynced() const { return unsynced_.size(); }
  // How many writes there are: those that returned OK, less those that a crash has lost.
  std::uint64_t writes() const { return writes_; }

  // Refuses writes with `refusal` (ResourceExhausted: a full disk) until it is OK again; reads go
  // on.
  void RefuseWrites(absl::Status refusal) { refusal_ = std::move(refusal); }

  // Flips one bit of a stored value. Reading it gives DataLoss, as a checksum would find it, or, if
  // `unnoticed`, the wrong bytes: beyond the contract, for what must survive even that. False: no
  // such value.
  bool FlipBit(Column column, std::string_view key, std::size_t bit, bool unnoticed);

 private:
  absl::Status Check(Column column, std::string_view key) const;

  MemoryStorage visible_;
  MemoryStorage durable_;
  std::deque<WriteBatch> unsynced_;
  std::set<std::pair<Column, std::string>> damaged_;
  std::optional<std::uint64_t> writes_until_crash_;
  bool crashed_ = false;
  std::uint64_t writes_ = 0;
  absl::Status refusal_;
};

}  // namespace muster::journal
