#include "journal/storage.h"

namespace muster::journal {

std::string_view Name(Column column) {
  switch (column) {
    case Column::kMeta:
      return "meta";
    case Column::kAgents:
      return "agents";
    case Column::kTombstones:
      return "tombstones";
    case Column::kReports:
      return "reports";
    case Column::kCheckpoint:
      return "checkpoint";
    case Column::kEvents:
      return "events";
  }
  return "unknown";
}

void WriteBatch::Put(Column column, std::string_view key, std::string_view value) {
  Add(Operation::Kind::kPut, column, key, value);
}

void WriteBatch::Delete(Column column, std::string_view key) {
  Add(Operation::Kind::kDelete, column, key, {});
}

void WriteBatch::DeleteRange(Column column, std::string_view begin, std::string_view end) {
  Add(Operation::Kind::kDeleteRange, column, begin, end);
}

void WriteBatch::Add(Operation::Kind kind, Column column, std::string_view key,
                     std::string_view value) {
  if (size_ == operations_.size()) operations_.emplace_back();
  Operation& operation = operations_[size_++];
  operation.kind = kind;
  operation.column = column;
  operation.key.assign(key);
  operation.value.assign(value);
}

}  // namespace muster::journal
