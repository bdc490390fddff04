// Any bytes as a duration and as an instant: what is read is written so that it is read the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto duration = muster::base::ParseDuration(text); duration.ok()) {
    std::string written;
    muster::base::AppendDuration(&written, *duration);
    const auto again = muster::base::ParseDuration(written);
    MUSTER_CHECK(again.ok() && *again == *duration, "a duration is read back");
  }
  if (const auto instant = muster::base::ParseRfc3339(text); instant.ok()) {
    std::string written;
    muster::base::AppendRfc3339(&written, *instant);
    // In UTC an instant at the edge may lie in a year that isn't read.
    const auto again = muster::base::ParseRfc3339(written);
    const bool is_at_edge = written.starts_with("1677") || written.starts_with("2262");
    MUSTER_CHECK(is_at_edge || (again.ok() && *again == *instant), "an instant is read back");
  }
  return 0;
}
