// What this machine could do at most, measured in the same run as the node: each the barest form of
// the work that a figure can't do without.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/time.h"
#include "load/generator.h"

namespace muster::app {

// The same generator against a bare epoll loop that answers fixed bytes.
absl::StatusOr<load::Result> BareLoopCeiling(const load::RunOptions& options,
                                             std::uint32_t server_threads,
                                             const std::string& answer);

// Keys a second that the store takes in its own batches of `keys_per_write`, each synced.
absl::StatusOr<double> StoreWriteCeiling(const std::string& directory, std::size_t keys_per_write,
                                         std::size_t value_bytes, base::Duration duration);

// Queries a second on one processor: two bitmaps, then the column of those in both, keeping the ten
// least; no parsing, plan, order by other keys, ages or answer.
double ScanCeiling(std::uint32_t agents, double in_first, double in_second,
                   base::Duration duration);

}  // namespace muster::app
