#include "api/problem.h"

#include "api/http.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "base/text.h"

namespace muster::api {
namespace {

// The last part of the problem's `type`, one per status.
std::string_view Slug(int status) {
  switch (status) {
    case 400:
      return "bad-request";
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    case 404:
      return "not-found";
    case 405:
      return "method-not-allowed";
    case 406:
      return "not-acceptable";
    case 408:
      return "request-timeout";
    case 409:
      return "conflict";
    case 410:
      return "gone";
    case 412:
      return "precondition-failed";
    case 413:
      return "too-large";
    case 415:
      return "unsupported-media-type";
    case 417:
      return "expectation-failed";
    case 429:
      return "overloaded";
    case 431:
      return "header-too-large";
    case 501:
      return "not-implemented";
    case 503:
      return "unavailable";
    case 504:
      return "deadline";
    case 505:
      return "http-version";
    case 507:
      return "storage-full";
    default:
      return "internal";
  }
}

}  // namespace

int StatusOf(node::Refusal::Kind kind) {
  using Kind = node::Refusal::Kind;
  switch (kind) {
    case Kind::kBadRequest:
      return 400;
    case Kind::kNotFound:
      return 404;
    case Kind::kConflict:
      return 409;
    case Kind::kGone:
      return 410;
    case Kind::kPreconditionFailed:
      return 412;
    case Kind::kOverloaded:
      return 429;
    case Kind::kNotImplemented:
      return 501;
    case Kind::kUnavailable:
      return 503;
    case Kind::kDeadline:
      return 504;
    case Kind::kStorageFull:
      return 507;
    case Kind::kInternal:
      break;
  }
  return 500;
}

Problem FromRefusal(const node::Refusal& refusal) {
  return Problem{StatusOf(refusal.kind), refusal.detail, refusal.retry_after, {}};
}

Problem FromStatus(const absl::Status& status) {
  int code = 500;
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kOutOfRange:
      code = 400;
      break;
    case absl::StatusCode::kNotFound:
      code = 404;
      break;
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kFailedPrecondition:
      code = 409;
      break;
    case absl::StatusCode::kResourceExhausted:
      code = 413;
      break;
    default:
      break;
  }
  return Problem{code, std::string(base::Message(status)), base::Duration(0), {}};
}

Detail SplitDetail(std::string_view detail) {
  Detail split{detail, {}, false};
  if (!detail.ends_with(']')) return split;
  const std::size_t open = detail.rfind(" [");
  if (open == std::string_view::npos) return split;
  const std::string_view pointer = detail.substr(open + 2, detail.size() - open - 3);
  if (!pointer.empty() && pointer.front() != '/') return split;
  return Detail{detail.substr(0, open), pointer, true};
}

std::int64_t RetryAfterSeconds(base::Duration retry_after) {
  const std::int64_t seconds = std::chrono::ceil<std::chrono::seconds>(retry_after).count();
  return seconds < 1 ? 1 : seconds;
}

void AppendProblem(const Problem& problem, std::string* out) {
  const Detail detail = SplitDetail(problem.detail);
  base::JsonWriter json(out);
  json.BeginObject();
  json.Key("type");
  json.String(std::string("/problems/").append(Slug(problem.status)));
  json.Key("title");
  json.String(ReasonPhrase(problem.status));
  json.Key("status");
  json.Integer(problem.status);
  json.Key("detail");
  json.String(detail.text);
  if (detail.has_pointer) {
    json.Key("pointer");
    json.String(detail.pointer);
  }
  if (problem.retry_after > base::Duration(0)) {
    std::string text;
    base::AppendDuration(&text, problem.retry_after);
    json.Key("retry_after");
    json.String(text);
  }
  json.EndObject();
}

}  // namespace muster::api
