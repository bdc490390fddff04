// Any bytes as a request target: understood or refused with a status, and an id comes back from its
// encoding.
#include <cstddef>
#include <cstdint>
#include <string>

#include "api/call.h"
#include "api/target.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  static const muster::api::Access access;
  muster::api::AccessReader reader(&access);
  muster::api::RequestHead head;
  head.method = static_cast<muster::api::Method>(data[0] % 8);
  head.has_host = true;
  head.target.assign(reinterpret_cast<const char*>(data + 1), size - 1);
  muster::api::Call call;
  const auto problem = muster::api::ReadCall(head, &reader, &call);
  if (problem) {
    MUSTER_CHECK(problem->status >= 400 && problem->status < 600, "a refusal has a status");
    MUSTER_CHECK(!problem->detail.empty(), "a refusal says why");
    return 0;
  }
  if (call.id.empty()) return 0;
  std::string again = "/v1/agents/";
  muster::api::PercentEncode(call.id, &again);
  head.method = muster::api::Method::kGet;
  head.target = again;
  const std::string id = call.id;
  MUSTER_CHECK(!muster::api::ReadCall(head, &reader, &call), "an encoded id is a path");
  MUSTER_CHECK(call.id == id, "an id comes back from its encoding");
  return 0;
}
