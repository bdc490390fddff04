// One HTTP connection's conversation, without its socket: bytes in, requests out; answers in, bytes
// out. Pipelined requests are answered in their order, and run beside each other only where MayRun
// says so; what may not run yet is not read further, and neither is what has no room to be
// answered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/call.h"
#include "api/dispatcher.h"
#include "api/options.h"
#include "api/reply_key.h"
#include "api/reply_queue.h"
#include "api/request_parser.h"
#include "api/upload.h"

namespace muster::api {

// Where a session stands among its reactor's; goes into every node::ReplyTo.
struct SessionPlace {
  std::uint32_t worker = 0;
  std::uint32_t connection = 0;
  std::uint32_t generation = 0;
};

class Session {
 public:
  Session(const Options* options, Dispatcher* dispatcher);

  // For a new connection; buffers are kept.
  void Begin(const SessionPlace& place);
  // The connection is gone; replies that come late have no place any more.
  void Abandon();

  // Room to receive into; valid until the next call here. Only while WantsInput.
  std::span<char> PrepareInput();
  void Received(std::size_t bytes);
  void ReceivedEnd();  // the client sends no more; what it asked is still answered
  bool ReceivedAll() const { return received_end_; }
  // Goes on with what was received, as far as it may. Call after Received, ReceivedEnd and answers.
  void Process();
  bool WantsInput() const;

  // A reply of the node. The whole response is appended to what BeginReply gives; null: too late.
  std::string* BeginReply(const ReplyKey& key);
  void EndReply(const ReplyKey& key);
  void SettleLine(const ReplyKey& key, LineOutcome outcome);

  std::string_view unsent() const { return replies_.unsent(); }
  void Sent(std::size_t bytes) { replies_.Sent(bytes); }
  // Nothing more will be received, answered or sent.
  bool Finished() const;
  // Nothing is in progress: no request has begun, no answer is owed or unsent.
  bool Idle() const;
  bool WaitsForNode() const { return replies_.submitted() > 0 || upload_.in_flight() > 0; }

  // What the session waits for its client to do.
  enum class Waiting : std::uint8_t { kNothing, kRequest, kHeader, kBody };
  Waiting waiting() const;
  // Changes with every request; and is an upload, whose client has its time piece by piece, going
  // on?
  std::uint32_t request_number() const { return request_number_; }
  bool uploading() const { return stage_ == Stage::kUpload; }
  // The client took too long for it: answers 408 where a request has begun, and ends.
  void TimeOut();
  // The response to the present or next request will be the last.
  void BeginDrain() { draining_ = true; }

  std::uint32_t generation() const { return place_.generation; }

 private:
  enum class Stage : std::uint8_t { kHead, kBody, kReady, kUpload, kEnded };

  bool Step();
  bool ReadOn();
  void SkipEmptyLines();
  bool OnNeedMore();
  void OnHead();
  void OnPiece(std::string_view piece);
  void OnUpload();
  bool StartCall();
  bool FeedUpload();
  bool EndUpload();
  void SendContinue();
  // Answers with `problem` and ends the connection: the rest of its input can't be trusted.
  void Fail(const Problem& problem);
  void NextRequest();
  ReplyQueue::Sequence OpenPlace(RunClass run_class, std::uint64_t subject);
  void CloseReply(ReplyQueue::Sequence sequence);
  node::ReplyTo ReplyToOf(std::uint32_t sequence, ReplyFlags flags) const;
  LineOutcome SubmitLine(Upload::Slot slot, std::string_view line, std::string* id);

  std::string_view input() const { return {input_.get() + begin_, end_ - begin_}; }

  const Options* options_;
  Dispatcher* dispatcher_;
  SessionPlace place_;
  RequestParser parser_;
  ReplyQueue replies_;
  Upload upload_;
  Call call_;
  ReplyFlags flags_;
  Stage stage_ = Stage::kHead;
  bool first_request_ = true;
  std::uint32_t request_number_ = 0;
  bool needs_input_ = true;  // stopped for want of bytes, not of room
  bool received_end_ = false;
  bool draining_ = false;
  bool wants_continue_ = false;
  std::optional<Problem> rejection_;  // of the present request, whose body is read and dropped
  std::string body_;
  std::string_view whole_body_;    // the body, if it lies in the input in one piece
  std::string_view upload_piece_;  // of the input, not yet taken by the upload
  bool upload_begun_ = false;
  bool upload_body_done_ = false;
  ReplyQueue::Sequence upload_sequence_ = 0;
  std::unique_ptr<char[]> input_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace muster::api
