// A request whose head was understood: its route, and what its target and fields say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/access.h"
#include "api/http.h"
#include "api/problem.h"
#include "api/route.h"
#include "base/time.h"
#include "model/agent.h"
#include "node/request.h"

namespace muster::api {

// Its buffers are reused from request to request.
struct Call {
  const RouteSpec* spec = nullptr;
  std::string id;  // decoded
  std::optional<node::Ack> ack;
  std::optional<base::Duration> deadline;
  std::optional<model::Revision> if_match;
  std::string filter;
  std::string order_by;
  std::string page_token;  // opaque still
  std::string fields;      // comma-separated
  std::optional<std::uint32_t> page_size;
  bool include_lapsed = false;

  void Clear();
};

// Fills `call` from `head`; a problem if the request can't be served, whatever its body says.
// Checked in this order: Host, path (404), method (405), token (401, 403), parameters and fields
// (400), media types (406, 415).
std::optional<Problem> ReadCall(const RequestHead& head, AccessReader* access, Call* call);

}  // namespace muster::api
