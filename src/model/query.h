// A discovery query, as POST /v1/agents:discover and GET /v1/agents state it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/time.h"
#include "model/limits.h"
#include "model/state.h"

namespace muster::model {

enum class Freshness : std::uint8_t {
  kAny,      // answer at once with what is stored
  kPrefer,   // answer at once, hasten the pending updates of what was stale
  kRequire,  // wait for those updates while the deadline allows
};

struct Near {
  Location center;
  double radius = 0;  // metres
};

struct Query {
  std::string filter;  // AIP-160; empty: everything
  std::optional<Near> near;
  std::string text;
  std::string order_by;                                         // "load, latency desc"
  std::vector<std::pair<std::string, double>> rank;             // state, weight; excludes order_by
  std::vector<std::pair<std::string, base::Duration>> max_age;  // overrides, by state
  std::vector<std::string> fields;                              // top-level card fields to return
  std::uint32_t limit = 0;                                      // 0: the default
  std::optional<base::Duration> deadline;
  bool hard_deadline = false;
  bool critical = false;
  bool include_lapsed = false;
  bool count_total = false;
  Freshness freshness = Freshness::kPrefer;
};

// InvalidArgument messages end in the JSON pointer of the bad field in brackets. The filter and
// order are only measured here; the directory compiles them.
absl::StatusOr<Query> ParseQuery(std::string_view json, const Limits& limits);

}  // namespace muster::model
