#include "api/dispatcher.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "api/ascii.h"
#include "api/openapi.h"
#include "api/render.h"
#include "api/scheduler_json.h"
#include "base/check.h"
#include "base/strings.h"

namespace muster::api {
namespace {

constexpr std::uint32_t kEventsPerPageDefault = 100;
constexpr std::uint32_t kEventsPerPageMax = 1000;
constexpr std::uint32_t kAgentsPerPageDefault = 100;
constexpr std::size_t kOptionsBytesMax = 64 * 1024;

Problem Bad(std::string detail) { return Problem{400, std::move(detail), base::Duration(0), {}}; }

std::optional<Problem> ReadCursor(const Call& call, std::string* cursor) {
  if (CursorOf(call.page_token, cursor)) return std::nullopt;
  return Bad("The page_token is not one that this node gave. Begin again without it.");
}

std::optional<Problem> CheckPageSize(const Call& call, std::uint32_t size_max) {
  if (call.page_size.value_or(1) <= size_max) return std::nullopt;
  return Bad(base::StrCat("The parameter page_size may be at most ", size_max, "."));
}

}  // namespace

Dispatcher::Dispatcher(const Access* access, node::Node* node, const MetricsPage* metrics,
                       Counters* counters)
    : access_(access),
      node_(node),
      metrics_(metrics),
      counters_(counters),
      limits_(node->options().limits),
      report_parser_(limits_),
      catalog_(node->catalog()),
      catalog_version_(node->catalog_version()) {}

void Dispatcher::BeginPoll(base::Now now, node::Inbox* inbox) {
  now_ = now;
  inbox_ = inbox;
}

std::optional<Problem> Dispatcher::Understand(const RequestHead& head, Call* call) {
  return ReadCall(head, &access_, call);
}

bool Dispatcher::AnsweredHere(Route route) const {
  switch (route) {
    case Route::kWatch:
    case Route::kScheduler:
    case Route::kReconfigure:
    case Route::kMetrics:
    case Route::kLive:
    case Route::kReady:
    case Route::kOpenApi:
      return true;
    default:
      return false;
  }
}

bool Dispatcher::Start(const Call& call, std::string_view body, node::ReplyTo to, ReplyFlags flags,
                       Target target) {
  counters_->requests[static_cast<std::size_t>(call.spec->route)].Add();
  if (AnsweredHere(call.spec->route)) {
    AnswerHere(call, body, flags, target());
    return false;
  }
  const std::optional<Problem> problem = Submit(call, body, to);
  if (!problem) return true;
  Answer(*problem, flags, target());
  return false;
}

std::optional<Problem> Dispatcher::Submit(const Call& call, std::string_view body,
                                          node::ReplyTo to) {
  switch (call.spec->route) {
    case Route::kReport:
      return SubmitReport(call, body, to);
    case Route::kRegister:
      return SubmitRegistration(call, body, to);
    case Route::kDiscover:
      return SubmitDiscover(call, body, to);
    case Route::kList:
      return SubmitList(call, to);
    default:
      return SubmitById(call, to);
  }
}

node::Request& Dispatcher::Add(const Call& call, node::RequestBody body, std::size_t bytes,
                               node::ReplyTo to) {
  node::Request& request = inbox_->Add();
  request.body = std::move(body);
  request.ack = call.ack.value_or(node::Ack::kDurable);
  request.reply_to = to;
  request.deadline = call.deadline;
  request.bytes = static_cast<std::uint32_t>(bytes + call.id.size() + sizeof(node::Request));
  return request;
}

absl::Status Dispatcher::ParseReport(std::string_view id, std::string_view json,
                                     model::Report* report) {
  const std::uint64_t version = node_->catalog_version();
  if (version != catalog_version_) {
    catalog_ = node_->catalog();
    catalog_version_ = version;
  }
  absl::Status parsed = report_parser_.Parse(id, json, *catalog_, report);
  if (parsed.ok() && !report->generated_at) {
    // Reports without an instant are as old as their arrival, each a little younger than the one
    // before it on its connection, so that a later one is never taken for a repetition.
    constexpr base::Duration kTick(1);
    const base::Duration ahead = last_arrival_ - now_.wall;
    const bool same_moment = ahead >= base::Duration(0) && ahead < std::chrono::milliseconds(1);
    last_arrival_ = same_moment ? last_arrival_ + kTick : now_.wall;
    report->generated_at = last_arrival_;
  }
  return parsed;
}

std::optional<Problem> Dispatcher::SubmitReport(const Call& call, std::string_view body,
                                                node::ReplyTo to) {
  if (body.size() > limits_.report_bytes_max) {
    return Problem{413,
                   base::StrCat("A report may have at most ", limits_.report_bytes_max, " bytes."),
                   base::Duration(0),
                   {}};
  }
  node::ReportRequest& request = inbox_->AddReport();
  if (const absl::Status parsed = ParseReport(call.id, body, &request.report); !parsed.ok()) {
    inbox_->DropLastReport();
    return FromStatus(parsed);
  }
  request.ack = call.ack.value_or(node::Ack::kApplied);
  request.deadline = call.deadline;
  request.reply_to = to;
  request.bytes = static_cast<std::uint32_t>(body.size() + sizeof(node::ReportRequest));
  return std::nullopt;
}

LineOutcome Dispatcher::StartLine(std::string_view line, node::Ack ack, node::ReplyTo to,
                                  std::string* id) {
  counters_->upload_lines.Add();
  node::ReportRequest& request = inbox_->AddReport();
  request.report.agent_id.clear();
  const absl::Status parsed = ParseReport({}, line, &request.report);
  id->assign(request.report.agent_id);
  if (!parsed.ok()) {
    inbox_->DropLastReport();
    return {LineOutcome::Kind::kRejected, FromStatus(parsed)};
  }
  request.ack = ack;
  request.deadline.reset();
  request.reply_to = to;
  request.bytes = static_cast<std::uint32_t>(line.size() + sizeof(node::ReportRequest));
  return {LineOutcome::Kind::kPending, {}};
}

std::optional<Problem> Dispatcher::SubmitRegistration(const Call& call, std::string_view body,
                                                      node::ReplyTo to) {
  absl::StatusOr<model::Registration> registration =
      model::ParseRegistration(call.id, body, limits_);
  if (!registration.ok()) return FromStatus(registration.status());
  Add(call, node::RegisterRequest{*std::move(registration), call.if_match}, body.size(), to);
  return std::nullopt;
}

std::optional<Problem> Dispatcher::SubmitDiscover(const Call& call, std::string_view body,
                                                  node::ReplyTo to) {
  absl::StatusOr<model::Query> query = model::ParseQuery(body, limits_);
  if (!query.ok()) return FromStatus(query.status());
  Add(call, node::DiscoverRequest{*std::move(query)}, body.size(), to);
  return std::nullopt;
}

std::optional<Problem> Dispatcher::SubmitById(const Call& call, node::ReplyTo to) {
  if (const absl::Status id = model::CheckAgentId(call.id, limits_); !id.ok()) {
    return FromStatus(id);
  }
  if (call.spec->route == Route::kGetAgent) {
    Add(call, node::GetRequest{call.id}, 0, to);
  } else if (call.spec->route == Route::kDeregister) {
    Add(call, node::DeregisterRequest{call.id, call.if_match}, 0, to);
  } else {
    MUSTER_CHECK(call.spec->route == Route::kEvents, "every other route is submitted elsewhere");
    node::EventsRequest events{call.id, {}, call.page_size.value_or(kEventsPerPageDefault)};
    if (auto problem = CheckPageSize(call, kEventsPerPageMax)) return problem;
    if (auto problem = ReadCursor(call, &events.cursor)) return problem;
    Add(call, std::move(events), 0, to);
  }
  return std::nullopt;
}

std::optional<Problem> Dispatcher::SubmitList(const Call& call, node::ReplyTo to) {
  if (call.filter.size() > limits_.filter_bytes_max) {
    return Bad(base::StrCat("The filter is longer than ", limits_.filter_bytes_max, " bytes."));
  }
  if (auto problem = CheckPageSize(call, limits_.query_limit_max)) return problem;
  node::ListRequest list;
  if (auto problem = ReadCursor(call, &list.cursor)) return problem;
  list.query.filter = call.filter;
  list.query.order_by = call.order_by;
  list.query.limit =
      call.page_size.value_or(std::min(kAgentsPerPageDefault, limits_.query_limit_max));
  list.query.include_lapsed = call.include_lapsed;
  list.query.freshness = model::Freshness::kAny;
  for (const std::string_view field : Split(call.fields, ",")) {
    list.query.fields.emplace_back(field);
  }
  Add(call, std::move(list), call.filter.size() + call.order_by.size(), to);
  return std::nullopt;
}

void Dispatcher::LogAccess(std::string_view line, int status, base::MonoTime started_at) const {
  const base::Duration took = now_.mono - started_at;
  spdlog::info("{} {} {:.3f}ms", line, status, base::ToSeconds(took) * 1e3);
}

void Dispatcher::Answer(const Problem& problem, ReplyFlags flags, std::string* out) const {
  WriteProblem(problem, flags, node_->revision(), now_.wall, out);
}

void Dispatcher::AnswerUpload(const Upload& upload, ReplyFlags flags, std::string* out) const {
  ResponseWriter response(out, 200, ContentType::kJson, flags, node_->revision(), now_.wall);
  if (upload.retry_after() > base::Duration(0)) {
    response.Header("Retry-After", std::to_string(RetryAfterSeconds(upload.retry_after())));
  }
  upload.AppendResult(response.BeginBody());
  response.Finish();
}

void Dispatcher::AnswerText(std::string_view text, ContentType type, ReplyFlags flags,
                            std::string* out) const {
  ResponseWriter response(out, 200, type, flags, node_->revision(), now_.wall);
  response.BeginBody()->append(text);
  response.Finish();
}

void Dispatcher::AnswerHere(const Call& call, std::string_view body, ReplyFlags flags,
                            std::string* out) {
  switch (call.spec->route) {
    case Route::kLive:
      return AnswerText("alive\n", ContentType::kText, flags, out);
    case Route::kReady:
      return AnswerReady(flags, out);
    case Route::kOpenApi:
      return AnswerText(OpenApiDocument(), ContentType::kJson, flags, out);
    case Route::kScheduler:
      return AnswerScheduler(flags, out);
    case Route::kReconfigure:
      return Reconfigure(body, flags, out);
    case Route::kMetrics: {
      std::string page;
      metrics_->AppendMetrics(&page);
      return AnswerText(page, ContentType::kPrometheus, flags, out);
    }
    default:
      return Answer(Problem{501,
                            "Watching arrives with a later version. Until then, poll "
                            "GET /v1/agents or POST /v1/agents:discover.",
                            base::Duration(0),
                            {}},
                    flags, out);
  }
}

void Dispatcher::AnswerReady(ReplyFlags flags, std::string* out) const {
  switch (node_->phase()) {
    case node::Phase::kServing:
      return AnswerText("ready\n", ContentType::kText, flags, out);
    case node::Phase::kWarming:
      return Answer(
          Problem{
              503, "The node is loading its store and not yet ready.", std::chrono::seconds(1), {}},
          flags, out);
    case node::Phase::kDraining:
    case node::Phase::kStopped:
      return Answer(
          Problem{503, "The node is shutting down. Use another one.", std::chrono::seconds(1), {}},
          flags, out);
  }
}

void Dispatcher::AnswerScheduler(ReplyFlags flags, std::string* out) const {
  schedule::Snapshot snapshot;
  node_->FillSchedulerSnapshot(&snapshot);
  ResponseWriter response(out, 200, ContentType::kJson, flags, node_->revision(), now_.wall);
  AppendScheduler(snapshot, node_->schedule_options(), now_, response.BeginBody());
  response.Finish();
}

void Dispatcher::Reconfigure(std::string_view body, ReplyFlags flags, std::string* out) {
  if (body.size() > kOptionsBytesMax) {
    return Answer(Problem{413,
                          base::StrCat("Options may have at most ", kOptionsBytesMax, " bytes."),
                          base::Duration(0),
                          {}},
                  flags, out);
  }
  schedule::Options wanted = node_->schedule_options();
  absl::Status done = MergeSchedulerOptions(body, &wanted);
  if (done.ok()) done = node_->ReconfigureScheduler(wanted);
  if (!done.ok()) return Answer(FromStatus(done), flags, out);
  AnswerScheduler(flags, out);
}

}  // namespace muster::api
