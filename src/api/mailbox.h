// Replies for connections of another reactor's thread, already rendered.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "api/upload.h"
#include "base/mutex.h"
#include "node/request.h"

namespace muster::api {

// A bundle of replies; cleared, it keeps its buffers.
class Mail {
 public:
  // The whole response is appended to what this returns, then Seal is called.
  std::string* Begin() { return &bytes_; }
  void Seal(const node::ReplyTo& to);
  void AddLine(const node::ReplyTo& to, LineOutcome outcome);

  bool empty() const { return letters_.empty() && lines_.empty(); }
  void Clear();
  // Moves everything of `other` behind what is here; `other` is empty then.
  void Take(Mail* other);

  struct Letter {
    node::ReplyTo to;
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  struct Line {
    node::ReplyTo to;
    LineOutcome outcome;
  };
  const std::vector<Letter>& letters() const { return letters_; }
  std::vector<Line>& lines() { return lines_; }
  std::string_view text(const Letter& letter) const {
    return std::string_view(bytes_).substr(letter.begin, letter.end - letter.begin);
  }

 private:
  std::string bytes_;
  std::size_t sealed_ = 0;
  std::vector<Letter> letters_;
  std::vector<Line> lines_;
};

// Thread-safe.
class Mailbox {
 public:
  // True if it was empty: its owner is to be woken.
  bool Post(Mail* mail);
  // `mail` (empty) is swapped with what has come.
  void Collect(Mail* mail);

 private:
  base::Mutex mutex_;
  Mail mail_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace muster::api
