// Any bytes as a token file, and as an Authorization field against it.
#include <cstddef>
#include <cstdint>
#include <string>

#include "api/access.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto table = muster::api::TokenTable::Parse(text);
  if (!table.ok()) {
    MUSTER_CHECK(!table.status().message().empty(), "a mistake is named");
    return 0;
  }
  using muster::api::Scope;
  using Verdict = muster::api::TokenTable::Verdict;
  MUSTER_CHECK(table->Check("", Scope::kRead) == Verdict::kNoToken, "no token, no entry");
  MUSTER_CHECK(table->Check("Bearer ", Scope::kRead) != Verdict::kAllowed,
               "an empty token is none");
  table->Check(text, Scope::kAdmin);
  return 0;
}
