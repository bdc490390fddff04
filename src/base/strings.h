// Abseil's strings for std::string_view. Debian's Abseil is built with a string_view of its own,
// which std::string_view doesn't convert to: use these instead of absl::StrCat, of status.message()
// and of absl::flat_hash_map<std::string, V>.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace muster::base {

inline std::string_view ToStd(absl::string_view text) { return {text.data(), text.size()}; }
inline absl::string_view ToAbsl(std::string_view text) { return {text.data(), text.size()}; }

inline std::string_view Message(const absl::Status& status) { return ToStd(status.message()); }

namespace internal {
template <typename T>
decltype(auto) Piece(const T& piece) {
  if constexpr (std::is_same_v<T, std::string_view>) {
    return ToAbsl(piece);
  } else {
    return (piece);
  }
}
}  // namespace internal

template <typename... Pieces>
std::string StrCat(const Pieces&... pieces) {
  return absl::StrCat(internal::Piece(pieces)...);
}
template <typename... Pieces>
void StrAppend(std::string* out, const Pieces&... pieces) {
  absl::StrAppend(out, internal::Piece(pieces)...);
}

inline absl::Status InvalidArgument(std::string_view message) {
  return absl::InvalidArgumentError(ToAbsl(message));
}

struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return absl::Hash<absl::string_view>{}(ToAbsl(text));
  }
};

// Looked up by std::string_view without a copy.
template <typename Value>
using StringMap = absl::flat_hash_map<std::string, Value, StringHash, std::equal_to<>>;
using StringSet = absl::flat_hash_set<std::string, StringHash, std::equal_to<>>;

}  // namespace muster::base
