#include "api/session.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/hash/hash.h"
#include "api/http.h"
#include "base/check.h"
#include "base/strings.h"

namespace muster::api {
namespace {

constexpr std::size_t kInputInitial = 4 * 1024;
constexpr std::size_t kBodyKept = 64 * 1024;

Problem TooLarge(std::size_t limit) {
  return Problem{
      413, base::StrCat("The body may have at most ", limit, " bytes."), base::Duration(0), {}};
}

}  // namespace

Session::Session(const Options* options, Dispatcher* dispatcher)
    : options_(options),
      dispatcher_(dispatcher),
      parser_(options->header_bytes_max),
      upload_(options) {}

void Session::Begin(const SessionPlace& place) {
  place_ = place;
  replies_.Clear();
  flags_ = ReplyFlags{};
  first_request_ = true;
  received_end_ = draining_ = false;
  begin_ = end_ = 0;
  upload_ = Upload(options_);
  NextRequest();
}

void Session::Abandon() {
  replies_.Clear();
  stage_ = Stage::kEnded;
  if (capacity_ > kBodyKept) {
    input_.reset();
    capacity_ = 0;
  }
}

std::span<char> Session::PrepareInput() {
  MUSTER_CHECK(begin_ == end_ || needs_input_, "input that is in use stays where it is");
  if (begin_ == end_) {
    begin_ = end_ = 0;
  } else if (end_ == capacity_ && begin_ > 0) {
    std::memmove(input_.get(), input_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == capacity_) {
    const std::size_t bigger =
        std::min(std::max(capacity_ * 2, kInputInitial), options_->input_bytes_max);
    auto grown = std::make_unique_for_overwrite<char[]>(bigger);
    if (end_ > 0) std::memcpy(grown.get(), input_.get(), end_);
    input_ = std::move(grown);
    capacity_ = bigger;
  }
  return {input_.get() + end_, capacity_ - end_};
}

void Session::Received(std::size_t bytes) {
  end_ += bytes;
  dispatcher_->counters()->received_bytes.Add(bytes);
}

void Session::ReceivedEnd() { received_end_ = true; }

bool Session::WantsInput() const {
  return needs_input_ && !received_end_ && stage_ != Stage::kEnded;
}

bool Session::Finished() const {
  return stage_ == Stage::kEnded && replies_.open() == 0 && replies_.unsent().empty() &&
         upload_.in_flight() == 0;
}

bool Session::Idle() const {
  return stage_ == Stage::kHead && !parser_.started() && replies_.open() == 0 &&
         replies_.unsent().empty();
}

Session::Waiting Session::waiting() const {
  if (!needs_input_ || stage_ == Stage::kEnded || stage_ == Stage::kReady) return Waiting::kNothing;
  if (stage_ != Stage::kHead) return Waiting::kBody;
  if (parser_.started() || first_request_) return Waiting::kHeader;
  return replies_.open() > 0 ? Waiting::kNothing : Waiting::kRequest;
}

void Session::TimeOut() {
  if (stage_ == Stage::kHead && !parser_.started()) {
    stage_ = Stage::kEnded;
    return;
  }
  Fail(Problem{408,
               stage_ == Stage::kHead ? "The request's header did not arrive in time."
                                      : "The request's body did not arrive in time.",
               base::Duration(0),
               {}});
}

void Session::Process() {
  while (Step()) {
  }
}

bool Session::Step() {
  switch (stage_) {
    case Stage::kHead:
    case Stage::kBody:
      return ReadOn();
    case Stage::kReady:
      return StartCall();
    case Stage::kUpload:
      return FeedUpload();
    case Stage::kEnded:
      return false;
  }
  return false;
}

bool Session::ReadOn() {
  needs_input_ = false;
  if (stage_ == Stage::kHead && (replies_.open() >= options_->pipelined_max ||
                                 replies_.unsent().size() > options_->output_bytes_max)) {
    return false;
  }
  if (wants_continue_ && replies_.open() > 0) return false;
  if (wants_continue_) SendContinue();
  if (stage_ == Stage::kHead && !parser_.started()) SkipEmptyLines();
  std::size_t consumed = 0;
  const RequestParser::Event event = parser_.Next(input(), &consumed);
  begin_ += consumed;
  switch (event) {
    case RequestParser::Event::kNeedMore:
      return OnNeedMore();
    case RequestParser::Event::kHead:
      OnHead();
      return true;
    case RequestParser::Event::kBody:
      OnPiece(parser_.piece());
      return true;
    case RequestParser::Event::kDone:
      stage_ = Stage::kReady;
      return true;
    case RequestParser::Event::kError:
      Fail(parser_.problem());
      return false;
  }
  return false;
}

// Before a request line they are to be ignored (RFC 9112 section 2.2).
void Session::SkipEmptyLines() {
  while (begin_ < end_ && (input_[begin_] == '\r' || input_[begin_] == '\n')) ++begin_;
}

bool Session::OnNeedMore() {
  needs_input_ = true;
  if (received_end_) {
    if (stage_ == Stage::kHead && !parser_.started()) {
      stage_ = Stage::kEnded;
      return false;
    }
    dispatcher_->counters()->connections_broken.Add();
    Fail(Problem{400, "The connection ended in the middle of a request.", base::Duration(0), {}});
  } else if (end_ - begin_ >= options_->input_bytes_max) {
    Fail(Problem{stage_ == Stage::kHead ? 431 : 400,
                 "A header field, a chunk's head or a trailer is larger than this server accepts.",
                 base::Duration(0),
                 {}});
  }
  return false;
}

void Session::OnHead() {
  const RequestHead& head = parser_.head();
  first_request_ = false;
  flags_ = ReplyFlags{};
  flags_.head_only = head.method == Method::kHead;
  flags_.close = !head.keep_alive || draining_;
  flags_.keep_alive = !head.http11 && !flags_.close;
  stage_ = Stage::kBody;
  rejection_ = dispatcher_->Understand(head, &call_);
  if (rejection_) {
    const bool droppable = !head.has_body() || (!head.expect_continue && !head.chunked &&
                                                *head.content_length <= options_->body_bytes_max);
    if (!droppable) Fail(*rejection_);
    return;
  }
  wants_continue_ = head.expect_continue && head.has_body() && input().empty();
  if (call_.spec->body == BodyKind::kNdjson) {
    stage_ = Stage::kUpload;
  } else if (head.content_length.value_or(0) > options_->body_bytes_max) {
    Fail(TooLarge(options_->body_bytes_max));
  }
}

void Session::SendContinue() {
  wants_continue_ = false;
  replies_.AppendRaw("HTTP/1.1 100 Continue\r\n\r\n");
}

void Session::OnPiece(std::string_view piece) {
  if (rejection_) return;
  if (body_.empty() && piece.size() == parser_.head().content_length) {
    whole_body_ = piece;
    return;
  }
  if (body_.size() + piece.size() > options_->body_bytes_max) {
    Fail(TooLarge(options_->body_bytes_max));
    return;
  }
  if (body_.empty()) body_.reserve(parser_.head().content_length.value_or(0));
  body_.append(piece);
}

bool Session::StartCall() {
  needs_input_ = false;
  if (rejection_) {
    const ReplyQueue::Sequence sequence = OpenPlace(RunClass::kAlone, 0);
    dispatcher_->Answer(*rejection_, flags_, replies_.Begin(sequence));
    CloseReply(sequence);
    NextRequest();
    return true;
  }
  const std::uint64_t subject =
      call_.spec->run_class == RunClass::kRegistrations ? absl::HashOf(call_.id) : 0;
  if (!replies_.MayRun(call_.spec->run_class, subject)) return false;
  const ReplyQueue::Sequence sequence = OpenPlace(call_.spec->run_class, subject);
  const node::ReplyTo to = ReplyToOf(sequence, flags_);
  const std::string_view body = whole_body_.empty() ? std::string_view(body_) : whole_body_;
  if (dispatcher_->Start(call_, body, to, flags_, [&] { return replies_.Begin(sequence); })) {
    replies_.MarkSubmitted(sequence);
  } else {
    CloseReply(sequence);
  }
  NextRequest();
  return true;
}

node::ReplyTo Session::ReplyToOf(std::uint32_t sequence, ReplyFlags flags) const {
  return {place_.worker, place_.connection, Pack(ReplyKey{sequence, place_.generation, flags})};
}

ReplyQueue::Sequence Session::OpenPlace(RunClass run_class, std::uint64_t subject) {
  const ReplyQueue::Sequence sequence = replies_.Open(run_class, subject);
  if (options_->access_log) {
    ReplyQueue::Place& place = replies_.place(sequence);
    place.log_line = base::StrCat(Name(parser_.head().method), " ", parser_.head().target);
    place.started_at = dispatcher_->now().mono;
  }
  return sequence;
}

void Session::CloseReply(ReplyQueue::Sequence sequence) {
  ReplyQueue::Place& place = replies_.place(sequence);
  const int status = replies_.End(sequence);
  dispatcher_->counters()->responses[static_cast<std::size_t>(status)].Add();
  if (options_->access_log) dispatcher_->LogAccess(place.log_line, status, place.started_at);
}

void Session::NextRequest() {
  parser_.Reset();
  ++request_number_;
  if (body_.capacity() > kBodyKept) {
    std::string().swap(body_);
  } else {
    body_.clear();
  }
  whole_body_ = upload_piece_ = {};
  rejection_.reset();
  wants_continue_ = upload_begun_ = upload_body_done_ = false;
  needs_input_ = !flags_.close;
  stage_ = flags_.close ? Stage::kEnded : Stage::kHead;
}

void Session::Fail(const Problem& problem) {
  flags_.close = true;
  if (stage_ != Stage::kUpload || !upload_begun_) {
    upload_sequence_ = OpenPlace(RunClass::kAlone, 0);
  }
  dispatcher_->Answer(problem, flags_, replies_.Begin(upload_sequence_));
  CloseReply(upload_sequence_);
  NextRequest();
}

std::string* Session::BeginReply(const ReplyKey& key) {
  return replies_.IsOpen(key.sequence) ? replies_.Begin(key.sequence) : nullptr;
}

void Session::EndReply(const ReplyKey& key) { CloseReply(key.sequence); }

}  // namespace muster::api
