// Errors as application/problem+json (RFC 9457).
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "base/time.h"
#include "node/reply.h"

namespace muster::api {

struct Problem {
  int status = 500;
  std::string detail;             // may end in " [/pointer]": the JSON pointer of the bad field
  base::Duration retry_after{0};  // 0: not said
  std::string headers;            // whole lines for the response's head, e.g. "Allow: GET\r\n"
};

int StatusOf(node::Refusal::Kind kind);
Problem FromRefusal(const node::Refusal& refusal);
// A parser's refusal: InvalidArgument 400, ResourceExhausted 413, OutOfRange 400, else 500.
Problem FromStatus(const absl::Status& status);

// A detail cut into its text and the JSON pointer at its end, if there is one.
struct Detail {
  std::string_view text;
  std::string_view pointer;
  bool has_pointer = false;
};
Detail SplitDetail(std::string_view detail);

// `Retry-After`'s whole seconds, rounded up, at least 1.
std::int64_t RetryAfterSeconds(base::Duration retry_after);

// Appends the JSON object: type, title, status, detail, pointer, retry_after.
void AppendProblem(const Problem& problem, std::string* out);

}  // namespace muster::api
