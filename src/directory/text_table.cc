#include "directory/text_table.h"

#include "base/strings.h"
#include "directory/memory.h"

namespace muster::directory {

absl::StatusOr<TextNumber> TextTable::Intern(std::string_view text) {
  const auto found = numbers_.find(text);
  if (found != numbers_.end()) return found->second;
  if (texts_.size() >= texts_max_) {
    return absl::ResourceExhaustedError(
        base::StrCat(texts_.size(),
                     " distinct texts of states are held, and limits.state_texts_max "
                     "allows no more; report fewer distinct texts or raise it"));
  }
  const auto number = static_cast<TextNumber>(texts_.size());
  const std::string& kept = texts_.emplace_back(text);
  heap_bytes_ += HeapBytes(kept);
  numbers_.emplace(kept, number);
  return number;
}

std::optional<TextNumber> TextTable::Find(std::string_view text) const {
  const auto found = numbers_.find(text);
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

std::size_t TextTable::MemoryUsed() const {
  return texts_.size() * sizeof(std::string) + heap_bytes_ + HashTableBytes(numbers_);
}

}  // namespace muster::directory
