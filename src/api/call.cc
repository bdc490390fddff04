#include "api/call.h"

#include <simdjson.h>

#include <charconv>

#include "api/ascii.h"
#include "api/target.h"
#include "base/strings.h"
#include "base/text.h"

namespace muster::api {
namespace {

Problem Bad(std::string detail) { return Problem{400, std::move(detail), base::Duration(0), {}}; }

std::optional<Problem> NoRoute(const RouteMatch& match, const RequestHead& head) {
  if (match.status == 405) {
    return Problem{405,
                   base::StrCat("This path takes ", match.allow, ", not ", Name(head.method), "."),
                   base::Duration(0), base::StrCat("Allow: ", match.allow, "\r\n")};
  }
  return Problem{404,
                 "There is nothing at this path. Paths are matched exactly: see /openapi.json for "
                 "all of them.",
                 base::Duration(0),
                 {}};
}

std::optional<Problem> CheckAccess(const RouteSpec& spec, const RequestHead& head,
                                   AccessReader* access) {
  using Verdict = TokenTable::Verdict;
  switch (access->Check(head.authorization, spec.scope)) {
    case Verdict::kAllowed:
      return std::nullopt;
    case Verdict::kNoToken:
      return Problem{401, "This node asks for a token. Send `Authorization: Bearer TOKEN`.",
                     base::Duration(0), "WWW-Authenticate: Bearer realm=\"muster\"\r\n"};
    case Verdict::kUnknownToken:
      return Problem{401, "The token is not in the node's token file.", base::Duration(0),
                     "WWW-Authenticate: Bearer realm=\"muster\", error=\"invalid_token\"\r\n"};
    case Verdict::kScopeMissing:
      break;
  }
  return Problem{403,
                 base::StrCat("The token lacks the scope `", Name(spec.scope),
                              "`, which this call needs. Add it in the node's token file."),
                 base::Duration(0),
                 base::StrCat("WWW-Authenticate: Bearer realm=\"muster\", "
                              "error=\"insufficient_scope\", scope=\"",
                              Name(spec.scope), "\"\r\n")};
}

std::optional<Parameter> ParameterNamed(std::string_view name) {
  if (name == "ack") return Parameter::kAck;
  if (name == "filter") return Parameter::kFilter;
  if (name == "order_by") return Parameter::kOrderBy;
  if (name == "page_size") return Parameter::kPageSize;
  if (name == "page_token") return Parameter::kPageToken;
  if (name == "fields") return Parameter::kFields;
  if (name == "include_lapsed") return Parameter::kIncludeLapsed;
  return std::nullopt;
}

std::optional<Problem> SetAck(std::string_view value, Call* call) {
  if (value == "queued") {
    call->ack = node::Ack::kQueued;
  } else if (value == "applied") {
    call->ack = node::Ack::kApplied;
  } else if (value == "durable") {
    call->ack = node::Ack::kDurable;
  } else {
    return Bad("The parameter ack must be queued, applied or durable.");
  }
  return std::nullopt;
}

std::optional<Problem> SetPageSize(std::string_view value, Call* call) {
  std::uint32_t size = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), size);
  if (error != std::errc() || end != value.data() + value.size() || size == 0) {
    return Bad("The parameter page_size must be a whole number of at least 1.");
  }
  call->page_size = size;
  return std::nullopt;
}

std::optional<Problem> SetParameter(Parameter parameter, const std::string& value, Call* call) {
  switch (parameter) {
    case Parameter::kAck:
      return SetAck(value, call);
    case Parameter::kPageSize:
      return SetPageSize(value, call);
    case Parameter::kFilter:
      call->filter = value;
      break;
    case Parameter::kOrderBy:
      call->order_by = value;
      break;
    case Parameter::kPageToken:
      call->page_token = value;
      break;
    case Parameter::kFields:
      call->fields = value;
      break;
    case Parameter::kIncludeLapsed:
      if (value != "true" && value != "false") {
        return Bad("The parameter include_lapsed must be true or false.");
      }
      call->include_lapsed = value == "true";
      break;
  }
  return std::nullopt;
}

std::optional<Problem> ReadParameter(std::string_view pair, std::uint16_t* seen, Call* call) {
  const std::size_t equals = pair.find('=');
  std::string name;
  std::string value;
  const std::string_view raw_value =
      equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
  if (!PercentDecode(pair.substr(0, equals), true, &name) ||
      !PercentDecode(raw_value, true, &value)) {
    return Bad("The query holds a % that two hexadecimal digits do not follow.");
  }
  if (!simdjson::validate_utf8(name) || !simdjson::validate_utf8(value)) {
    return Bad("The query, percent-decoded, is not UTF-8.");
  }
  const std::optional<Parameter> parameter = ParameterNamed(name);
  const std::uint16_t bit = parameter ? static_cast<std::uint16_t>(*parameter) : 0;
  if ((bit & call->spec->parameters) == 0) {
    return Bad(base::StrCat("The call ", call->spec->path, " takes no parameter `", name,
                            "`. See /openapi.json for those that it takes."));
  }
  if ((*seen & bit) != 0) return Bad(base::StrCat("The parameter ", name, " is given twice."));
  *seen |= bit;
  return SetParameter(*parameter, value, call);
}

std::optional<Problem> ReadQuery(std::string_view query, Call* call) {
  std::uint16_t seen = 0;
  while (!query.empty()) {
    const std::size_t ampersand = query.find('&');
    const std::string_view pair = query.substr(0, ampersand);
    query = ampersand == std::string_view::npos ? std::string_view() : query.substr(ampersand + 1);
    if (pair.empty()) continue;
    if (std::optional<Problem> problem = ReadParameter(pair, &seen, call)) return problem;
  }
  return std::nullopt;
}

std::optional<Problem> ReadIfMatch(const RequestHead& head, Call* call) {
  if (!head.if_none_match.empty()) {
    return Bad("If-None-Match is not served. Use If-Match with the ETag of the agent.");
  }
  if (head.if_match.empty()) return std::nullopt;
  std::string_view tag = head.if_match;
  model::Revision revision = 0;
  if (tag.size() > 2 && tag.front() == '"' && tag.back() == '"') {
    tag = tag.substr(1, tag.size() - 2);
    const auto [end, error] = std::from_chars(tag.data(), tag.data() + tag.size(), revision);
    if (error == std::errc() && end == tag.data() + tag.size()) {
      call->if_match = revision;
      return std::nullopt;
    }
  }
  return Bad("If-Match must be one ETag as this server gives it: a revision in double quotes.");
}

std::optional<Problem> ReadFields(const RequestHead& head, Call* call) {
  if (!head.deadline.empty()) {
    const absl::StatusOr<base::Duration> deadline = base::ParseDuration(head.deadline);
    if (!deadline.ok() || *deadline <= base::Duration(0)) {
      return Bad("Muster-Deadline must be a duration of more than nothing, such as 150ms or 2s.");
    }
    call->deadline = *deadline;
  }
  if (call->spec->run_class == RunClass::kRegistrations) return ReadIfMatch(head, call);
  return std::nullopt;
}

std::string_view MediaType(std::string_view content_type) {
  return Strip(content_type.substr(0, content_type.find(';')));
}

bool Accepts(std::string_view accept, Route route) {
  if (accept.empty() || Contains(accept, "*/*")) return true;
  if (route == Route::kMetrics || route == Route::kLive || route == Route::kReady) {
    return Contains(accept, "text/plain") || Contains(accept, "text/*");
  }
  return Contains(accept, "application/json") || Contains(accept, "application/*");
}

bool TypeFits(BodyKind kind, std::string_view type) {
  if (kind == BodyKind::kNdjson) {
    return EqualsIgnoreCase(type, "application/x-ndjson") ||
           EqualsIgnoreCase(type, "application/ndjson") ||
           EqualsIgnoreCase(type, "application/jsonl");
  }
  return EqualsIgnoreCase(type, "application/json") ||
         EqualsIgnoreCase(type, "application/merge-patch+json");
}

std::optional<Problem> CheckMediaTypes(const RequestHead& head, const RouteSpec& spec) {
  if (!Accepts(head.accept, spec.route)) {
    return Problem{406,
                   "Nothing that Accept names can be sent: this call answers in JSON "
                   "(/metrics, /livez and /readyz in plain text).",
                   base::Duration(0),
                   {}};
  }
  if (spec.body == BodyKind::kNone) {
    if (!head.has_body()) return std::nullopt;
    return Bad("This call takes no body. Send it without one.");
  }
  if (!head.content_type.empty() && !TypeFits(spec.body, MediaType(head.content_type))) {
    return Problem{415,
                   spec.body == BodyKind::kNdjson
                       ? "The body must be one JSON object a line: send `Content-Type: "
                         "application/x-ndjson`."
                       : "The body must be JSON: send `Content-Type: application/json`.",
                   base::Duration(0),
                   {}};
  }
  return std::nullopt;
}

}  // namespace

void Call::Clear() {
  spec = nullptr;
  id.clear();
  ack.reset();
  deadline.reset();
  if_match.reset();
  filter.clear();
  order_by.clear();
  page_token.clear();
  fields.clear();
  page_size.reset();
  include_lapsed = false;
}

std::optional<Problem> ReadCall(const RequestHead& head, AccessReader* access, Call* call) {
  call->Clear();
  if (head.http11 && !head.has_host) return Bad("An HTTP/1.1 request must carry a Host field.");
  Target target;
  if (!SplitTarget(head.target, &target)) return Bad("The request target is not a path.");
  const RouteMatch match = MatchRoute(head.method, target.path);
  if (match.spec == nullptr) return NoRoute(match, head);
  call->spec = match.spec;
  if (auto problem = CheckAccess(*call->spec, head, access)) return problem;
  if (!PercentDecode(match.id, false, &call->id)) {
    return Bad("The agent's id holds a % that two hexadecimal digits do not follow.");
  }
  if (auto problem = ReadQuery(target.query, call)) return problem;
  if (auto problem = ReadFields(head, call)) return problem;
  return CheckMediaTypes(head, *call->spec);
}

}  // namespace muster::api
