// A Storage that forgets when the process ends: for nodes that need no memory of the past, and for
// tests. Thread-safe. Every write is atomic to readers; there is no crash that it could survive, so
// both durabilities are alike.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "journal/storage.h"

namespace muster::journal {

class MemoryStorage final : public Storage {
 public:
  using Columns = std::array<std::map<std::string, std::string, std::less<>>, kColumns>;

  absl::Status Write(const WriteBatch& batch, Durability durability) override;
  absl::Status Sync() override { return absl::OkStatus(); }
  absl::StatusOr<std::string> Get(Column column, std::string_view key) const override;
  // `visit` must not write to this storage.
  absl::Status Scan(
      Column column, std::string_view begin, std::string_view end,
      const std::function<bool(std::string_view, std::string_view)>& visit) const override;

  Columns Copy() const;
  void Replace(Columns columns);

 private:
  mutable base::SharedMutex mutex_;
  Columns columns_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace muster::journal
