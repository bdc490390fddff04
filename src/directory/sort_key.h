// The keys that rows are ordered by, as words that compare like them.
//
// A number becomes the 64 bits that order like it, inverted when descending; a missing one is above
// all. Only a text's key is a pointer, and compared by what it points to.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "directory/parts.h"
#include "directory/plan_body.h"
#include "model/agent.h"

namespace muster::directory {

inline constexpr std::uint64_t kMissingKey = std::numeric_limits<std::uint64_t>::max();
// Texts order by their first bytes only, so that a page's cursor stays small.
inline constexpr std::size_t kOrderTextBytes = 256;

// Finite numbers only; -0 is 0.
inline std::uint64_t EncodeNumber(double number) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
inline double DecodeNumber(std::uint64_t key) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  return std::bit_cast<double>((key & kSign) != 0 ? key & ~kSign : ~key);
}

inline std::uint64_t KeyOfText(const std::string* text) {
  return std::bit_cast<std::uint64_t>(text);
}
// The part of a text that orders; `key` is not kMissingKey.
inline std::string_view TextOfKey(std::uint64_t key) {
  return std::string_view(*std::bit_cast<const std::string*>(key)).substr(0, kOrderTextBytes);
}
static_assert(sizeof(const std::string*) == sizeof(std::uint64_t));

// Reads an agent's keys in the plan's order, then its place by id, which parts all ties.
class SortKeys {
 public:
  SortKeys(const Parts& parts, const Plan::Body& body);

  std::size_t width() const { return body_.order.size() + 1; }
  // Whether first keys compare as they are, without looking at a text.
  bool first_is_word() const { return body_.order.empty() || !body_.order.front().is_text(); }
  // Read(0, slot), without a call where that is a number of a state: what most scans read most.
  std::uint64_t ReadFirst(model::AgentSlot slot) const {
    if (first_column_ == nullptr) return Read(0, slot);
    const std::uint64_t low = first_column_->Low(slot);
    return low == kAbsentValue ? kMissingKey : EncodeNumber(UnpackNumber(low)) ^ first_flip_;
  }
  // Reads key `i` of an agent; texts live until the next exclusive access.
  std::uint64_t Read(std::size_t i, model::AgentSlot slot) const;
  // <0, 0, >0: `a` comes before, with, after `b`; each has width() keys.
  int Compare(const std::uint64_t* a, const std::uint64_t* b) const;

 private:
  std::uint64_t ReadNumber(const OrderKey& key, model::AgentSlot slot) const;
  double Score(model::AgentSlot slot) const;

  const Parts& parts_;
  const Plan::Body& body_;
  const Column* first_column_ = nullptr;  // of the first key, where that is a number
  std::uint64_t first_flip_ = 0;          // all ones: it is descending
};

}  // namespace muster::directory
