// The text forms of durations and instants that the HTTP API and the configuration share.
//
// Duration: a number and a unit without a space, `150ms`, `2s`, `5m`, `1.5h`, `250us`, `10ns`, `3d`;
//           also sums, `1m30s`. Negative durations are refused.
// Instant:  RFC 3339 with up to nine fractional digits and `Z` or a numeric offset; years 1678-2261.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/time.h"

namespace muster::base {

// InvalidArgument with what was expected and an example.
absl::StatusOr<Duration> ParseDuration(std::string_view text);
absl::StatusOr<WallTime> ParseRfc3339(std::string_view text);

// The shortest exact form with one unit ("150ms", "2s", "1.5s"); at most three decimals when `round`
// (for people and for ages, "12.3ms").
void AppendDuration(std::string* out, Duration d);
// "2026-12-01T02:53:24.123456789Z", trailing zeros of the fraction dropped.
void AppendRfc3339(std::string* out, WallTime at);

}  // namespace muster::base
