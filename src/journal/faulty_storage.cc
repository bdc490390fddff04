#include "journal/faulty_storage.h"

#include <algorithm>

#include "base/strings.h"
#include "journal/keys.h"

namespace muster::journal {
namespace {

absl::Status NoPower() { return absl::UnavailableError("the storage has crashed"); }

}  // namespace

absl::Status FaultyStorage::Write(const WriteBatch& batch, Durability durability) {
  if (crashed_) return NoPower();
  if (!refusal_.ok()) return refusal_;
  unsynced_.push_back(batch);
  if (writes_until_crash_ == 0u) {
    crashed_ = true;
    return NoPower();
  }
  if (writes_until_crash_.has_value()) --*writes_until_crash_;
  for (const WriteBatch::Operation& operation : batch.operations()) {
    damaged_.erase({operation.column, operation.key});
  }
  if (auto status = visible_.Write(batch, durability); !status.ok()) return status;
  ++writes_;
  return durability == Durability::kSync ? Sync() : absl::OkStatus();
}

absl::Status FaultyStorage::Sync() {
  if (crashed_) return NoPower();
  if (!refusal_.ok()) return refusal_;
  for (const WriteBatch& batch : unsynced_) {
    if (auto status = durable_.Write(batch, Durability::kSync); !status.ok()) return status;
  }
  unsynced_.clear();
  return absl::OkStatus();
}

absl::StatusOr<std::string> FaultyStorage::Get(Column column, std::string_view key) const {
  if (crashed_) return NoPower();
  if (auto status = Check(column, key); !status.ok()) return status;
  return visible_.Get(column, key);
}

absl::Status FaultyStorage::Scan(
    Column column, std::string_view begin, std::string_view end,
    const std::function<bool(std::string_view, std::string_view)>& visit) const {
  if (crashed_) return NoPower();
  absl::Status damage;
  const absl::Status status =
      visible_.Scan(column, begin, end, [&](std::string_view key, std::string_view value) {
        damage = Check(column, key);
        return damage.ok() && visit(key, value);
      });
  return damage.ok() ? status : damage;
}

void FaultyStorage::Restart(std::size_t survivors) {
  const std::uint64_t attempted = writes_ + (crashed_ ? 1 : 0);
  writes_ = attempted - unsynced_.size() + std::min(survivors, unsynced_.size());
  unsynced_.resize(std::min(survivors, unsynced_.size()));
  crashed_ = false;
  writes_until_crash_.reset();
  refusal_ = absl::OkStatus();
  (void)Sync();
  visible_.Replace(durable_.Copy());
}

bool FaultyStorage::FlipBit(Column column, std::string_view key, std::size_t bit, bool unnoticed) {
  absl::StatusOr<std::string> value = visible_.Get(column, key);
  if (!value.ok() || value->empty()) return false;
  if (!unnoticed) {
    damaged_.emplace(column, std::string(key));
    return true;
  }
  char& byte = (*value)[bit / 8 % value->size()];
  byte = static_cast<char>(byte ^ (1 << bit % 8));
  WriteBatch batch;
  batch.Put(column, key, *value);
  return visible_.Write(batch, Durability::kBuffered).ok();
}

absl::Status FaultyStorage::Check(Column column, std::string_view key) const {
  if (!damaged_.contains({column, std::string(key)})) return absl::OkStatus();
  return absl::DataLossError(
      base::StrCat("checksum mismatch of record ", Hex(key), " in column ", Name(column)));
}

}  // namespace muster::journal
