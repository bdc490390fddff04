// The text forms of durations and instants that the HTTP API and the configuration share.
//
// Duration: a number and a unit without a space, `150ms`, `2s`, `5m`, `1.5h`, `250us`, `10ns`,
// `3d`;
//           also sums, `1m30s`. Negative durations are refused.
// Instant:  RFC 3339 with up to nine fractional digits and `Z` or a numeric offset; years
// 1678-2261.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/time.h"

namespace muster::base {

// InvalidArgument with what was expected and an example.
absl::StatusOr<Duration> ParseDuration(std::string_view text);
absl::StatusOr<WallTime> ParseRfc3339(std::string_view text);

// The exact form with one unit, the largest of s, ms, us and ns that is not above it: "150ms",
// "90s", "1.5s". ParseDuration reads it back, unless it is negative.
void AppendDuration(std::string* out, Duration d);
// "2026-12-01T02:53:24.123456789Z", trailing zeros of the fraction dropped.
void AppendRfc3339(std::string* out, WallTime at);

}  // namespace muster::base
