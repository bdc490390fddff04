// Where a page ended: an opaque token, so that the next page begins after the same place whatever
// came, went or changed meanwhile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "directory/plan_body.h"
#include "directory/sort_key.h"

namespace muster::directory {

// The keys of the last row of a page, by value.
struct PagePosition {
  std::vector<std::uint64_t> keys;  // in SortKeys' words; kMissingKey or 0 where `texts` holds it
  std::vector<std::string> texts;   // of the text keys; beside every key
  std::string id;
};

// `keys` are the row's own, of SortKeys.
std::string EncodeCursor(const Plan::Body& body, const std::uint64_t* keys, std::string_view id);

// InvalidArgument: not a cursor, damaged, or of another plan.
absl::StatusOr<PagePosition> DecodeCursor(const Plan::Body& body, std::string_view cursor);

// The position as keys that SortKeys compares rows with; they look into `position`.
std::vector<std::uint64_t> ToKeys(const Plan::Body& body, const IdOrder& order,
                                  const PagePosition& position);

}  // namespace muster::directory
