// The distinct texts that states took, each with a dense number that stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "base/strings.h"

namespace muster::directory {

using TextNumber = std::uint32_t;

class TextTable {
 public:
  explicit TextTable(std::size_t texts_max) : texts_max_(texts_max) {}

  // ResourceExhausted: `texts_max` distinct texts are held.
  absl::StatusOr<TextNumber> Intern(std::string_view text);
  std::optional<TextNumber> Find(std::string_view text) const;
  const std::string& text(TextNumber number) const { return texts_[number]; }
  std::size_t MemoryUsed() const;

 private:
  const std::size_t texts_max_;
  std::deque<std::string> texts_;  // a deque, for the map's keys look into its elements
  absl::flat_hash_map<std::string_view, TextNumber, base::StringHash> numbers_;
  std::size_t heap_bytes_ = 0;
};

}  // namespace muster::directory
