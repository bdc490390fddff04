// Any bytes as a discovery query: what is taken is within its limits.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/strings.h"
#include "model/query.h"
#include "simdjson.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  const muster::model::Limits limits;
  const auto query = muster::model::ParseQuery(json, limits);
  if (!query.ok()) {
    const std::string_view message = muster::base::Message(query.status());
    MUSTER_CHECK(message.ends_with("]"), "a refusal names its field");
    MUSTER_CHECK(simdjson::validate_utf8(message.data(), message.size()), "a message is text");
    return 0;
  }
  MUSTER_CHECK(query->limit <= limits.query_limit_max, "an answer is bounded");
  MUSTER_CHECK(!query->deadline || query->deadline->count() > 0, "a deadline lies ahead");
  MUSTER_CHECK(query->rank.empty() || query->order_by.empty(), "there is one order");
  for (const auto& [state, weight] : query->rank) {
    MUSTER_CHECK(std::isfinite(weight), "weights can be added up");
  }
  if (query->near) {
    MUSTER_CHECK(std::abs(query->near->center.latitude) <= 90, "a place lies on the earth");
  }
  return 0;
}
