// The answers of one connection, put into request order, and its unsent bytes.
//
// A place is opened per request, in order; answers may come in any order. The answer of the oldest
// open request is written straight into the output, others wait in their place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/route.h"
#include "base/time.h"

namespace muster::api {

class ReplyQueue {
 public:
  using Sequence = std::uint32_t;

  struct Place {
    bool open = false;
    bool submitted = false;  // waits for the node
    RunClass run_class = RunClass::kAlone;
    std::uint64_t subject = 0;  // hash of the agent's id
    std::string text;
    std::string log_line;  // empty: not logged
    base::MonoTime started_at{};
  };

  // At most 2^20 may be open.
  Sequence Open(RunClass run_class, std::uint64_t subject);
  bool IsOpen(Sequence sequence) const;
  Place& place(Sequence sequence);
  // The request of `sequence` now waits for the node.
  void MarkSubmitted(Sequence sequence);

  // Where its whole response is appended; nothing else may be called before End. End gives the
  // response's status.
  std::string* Begin(Sequence sequence);
  int End(Sequence sequence);

  // May a request of this class and subject run now, beside those that wait for the node?
  // Registrations of one subject keep their order.
  bool MayRun(RunClass run_class, std::uint64_t subject) const;

  std::size_t open() const { return next_ - head_; }
  std::size_t submitted() const { return submitted_; }

  // Bytes outside any response (100 Continue); only while open() is 0.
  void AppendRaw(std::string_view bytes) { output_.append(bytes); }
  std::string_view unsent() const { return std::string_view(output_).substr(sent_); }
  void Sent(std::size_t bytes);
  void Clear();

 private:
  void Grow();

  std::vector<Place> places_;
  std::uint32_t mask_ = 0;  // places_.size() - 1, a power of two; 0 while empty
  Sequence head_ = 0;
  Sequence next_ = 0;
  std::size_t submitted_ = 0;
  std::size_t begun_at_ = 0;
  std::string output_;
  std::size_t sent_ = 0;
};

}  // namespace muster::api
