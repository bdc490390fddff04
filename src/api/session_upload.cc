// The part of a session that streams NDJSON uploads.
#include <utility>

#include "api/session.h"
#include "base/check.h"

namespace muster::api {

// Goes on with the upload; false: it waits for input, for answers, or is over.
bool Session::FeedUpload() {
  needs_input_ = false;
  if (!upload_begun_) {
    if (!replies_.MayRun(RunClass::kAlone, 0)) return false;
    upload_sequence_ = OpenPlace(RunClass::kAlone, 0);
    upload_begun_ = true;
    upload_.Begin();
    dispatcher_->counters()->requests[static_cast<std::size_t>(Route::kUpload)].Add();
  }
  const auto submit = [this](Upload::Slot slot, std::string_view line, std::string* id) {
    return SubmitLine(slot, line, id);
  };
  if (!upload_piece_.empty()) {
    upload_piece_.remove_prefix(upload_.Take(upload_piece_, submit));
    if (!upload_piece_.empty()) return false;
  }
  if (upload_body_done_) return EndUpload();
  if (wants_continue_ && replies_.open() > 1) return false;
  std::size_t consumed = 0;
  const RequestParser::Event event = parser_.Next(input(), &consumed);
  begin_ += consumed;
  switch (event) {
    case RequestParser::Event::kNeedMore:
      if (wants_continue_) SendContinue();
      return OnNeedMore();
    case RequestParser::Event::kBody:
      wants_continue_ = false;
      upload_piece_ = parser_.piece();
      return true;
    case RequestParser::Event::kDone:
      upload_body_done_ = true;
      return true;
    case RequestParser::Event::kError:
      Fail(parser_.problem());
      return false;
    case RequestParser::Event::kHead:
      break;
  }
  MUSTER_CHECK(false, "a request has one head");
  return false;
}

bool Session::EndUpload() {
  if (!upload_.CanTake()) return false;
  upload_.End([this](Upload::Slot slot, std::string_view line, std::string* id) {
    return SubmitLine(slot, line, id);
  });
  if (upload_.in_flight() > 0) return false;
  dispatcher_->AnswerUpload(upload_, flags_, replies_.Begin(upload_sequence_));
  CloseReply(upload_sequence_);
  NextRequest();
  return true;
}

LineOutcome Session::SubmitLine(Upload::Slot slot, std::string_view line, std::string* id) {
  ReplyFlags flags;
  flags.upload_line = true;
  return dispatcher_->StartLine(line, call_.ack.value_or(node::Ack::kApplied),
                                ReplyToOf(slot, flags), id);
}

void Session::SettleLine(const ReplyKey& key, LineOutcome outcome) {
  upload_.Settle(key.sequence, std::move(outcome));
}

}  // namespace muster::api
