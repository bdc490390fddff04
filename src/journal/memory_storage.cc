#include "journal/memory_storage.h"

#include <utility>

#include "base/strings.h"

namespace muster::journal {
namespace {

using Operation = WriteBatch::Operation;

void Apply(const Operation& operation, MemoryStorage::Columns* columns) {
  auto& column = (*columns)[static_cast<std::size_t>(operation.column)];
  switch (operation.kind) {
    case Operation::Kind::kPut:
      column.insert_or_assign(operation.key, operation.value);
      return;
    case Operation::Kind::kDelete:
      column.erase(operation.key);
      return;
    case Operation::Kind::kDeleteRange:
      if (operation.key < operation.value) {
        column.erase(column.lower_bound(operation.key), column.lower_bound(operation.value));
      }
      return;
  }
}

}  // namespace

absl::Status MemoryStorage::Write(const WriteBatch& batch, Durability /*durability*/) {
  base::WriterLock lock(&mutex_);
  for (const Operation& operation : batch.operations()) Apply(operation, &columns_);
  return absl::OkStatus();
}

absl::StatusOr<std::string> MemoryStorage::Get(Column column, std::string_view key) const {
  base::ReaderLock lock(&mutex_);
  const auto& rows = columns_[static_cast<std::size_t>(column)];
  const auto found = rows.find(key);
  if (found == rows.end())
    return absl::NotFoundError(base::StrCat("no such key in ", Name(column)));
  return found->second;
}

absl::Status MemoryStorage::Scan(
    Column column, std::string_view begin, std::string_view end,
    const std::function<bool(std::string_view, std::string_view)>& visit) const {
  base::ReaderLock lock(&mutex_);
  const auto& rows = columns_[static_cast<std::size_t>(column)];
  for (auto row = rows.lower_bound(begin); row != rows.end(); ++row) {
    if (!end.empty() && row->first >= end) break;
    if (!visit(row->first, row->second)) break;
  }
  return absl::OkStatus();
}

MemoryStorage::Columns MemoryStorage::Copy() const {
  base::ReaderLock lock(&mutex_);
  return columns_;
}

void MemoryStorage::Replace(Columns columns) {
  base::WriterLock lock(&mutex_);
  columns_ = std::move(columns);
}

}  // namespace muster::journal
