// Turns understood requests into requests to the node, and answers by itself what needs no queue.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/access.h"
#include "api/call.h"
#include "api/counters.h"
#include "api/response.h"
#include "api/upload.h"
#include "base/time.h"
#include "model/report.h"
#include "node/node.h"
#include "node/request.h"

namespace muster::api {

// Gives the text of GET /metrics.
class MetricsPage {
 public:
  virtual ~MetricsPage() = default;
  virtual void AppendMetrics(std::string* out) const = 0;
};

// One per reactor; used by its thread alone.
class Dispatcher {
 public:
  Dispatcher(const Access* access, node::Node* node, const MetricsPage* metrics,
             Counters* counters);

  // Before the requests of one Poll: the present, and where they go.
  void BeginPoll(base::Now now, node::Inbox* inbox);

  std::optional<Problem> Understand(const RequestHead& head, Call* call);

  // Hands the call to the node (true), or appends its whole response to `*target()` (false).
  using Target = absl::FunctionRef<std::string*()>;
  bool Start(const Call& call, std::string_view body, node::ReplyTo to, ReplyFlags flags,
             Target target);
  // One line of an upload.
  LineOutcome StartLine(std::string_view line, node::Ack ack, node::ReplyTo to, std::string* id);

  void Answer(const Problem& problem, ReplyFlags flags, std::string* out) const;
  void AnswerUpload(const Upload& upload, ReplyFlags flags, std::string* out) const;
  void LogAccess(std::string_view line, int status, base::MonoTime started_at) const;

  base::Now now() const { return now_; }
  Counters* counters() { return counters_; }

 private:
  // Nothing: handed to the node.
  std::optional<Problem> Submit(const Call& call, std::string_view body, node::ReplyTo to);
  std::optional<Problem> SubmitReport(const Call& call, std::string_view body, node::ReplyTo to);
  std::optional<Problem> SubmitRegistration(const Call& call, std::string_view body,
                                            node::ReplyTo to);
  std::optional<Problem> SubmitDiscover(const Call& call, std::string_view body, node::ReplyTo to);
  std::optional<Problem> SubmitById(const Call& call, node::ReplyTo to);
  std::optional<Problem> SubmitList(const Call& call, node::ReplyTo to);
  absl::Status ParseReport(std::string_view id, std::string_view json, model::Report* report);
  node::Request& Add(const Call& call, node::RequestBody body, std::size_t bytes, node::ReplyTo to);

  bool AnsweredHere(Route route) const;
  void AnswerHere(const Call& call, std::string_view body, ReplyFlags flags, std::string* out);
  void AnswerReady(ReplyFlags flags, std::string* out) const;
  void AnswerScheduler(ReplyFlags flags, std::string* out) const;
  void Reconfigure(std::string_view body, ReplyFlags flags, std::string* out);
  void AnswerText(std::string_view text, ContentType type, ReplyFlags flags,
                  std::string* out) const;

  AccessReader access_;
  node::Node* node_;
  const MetricsPage* metrics_;
  Counters* counters_;
  const model::Limits limits_;
  model::ReportParser report_parser_;
  std::shared_ptr<const model::StateCatalog> catalog_;
  std::uint64_t catalog_version_ = 0;
  base::Now now_;
  base::WallTime last_arrival_{};
  node::Inbox* inbox_ = nullptr;
};

}  // namespace muster::api
