// Waits for many sockets at once (epoll, level-triggered), and for a wake from another thread.
//
// A request costs one receive, one send and a part of one wait: nothing is tried that could fail
// for want of data, as a proactor's speculative reads are. docs/decisions/0009-epoll.md has the
// figures.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/time.h"

namespace muster::api {

class EventPoll {
 public:
  using Token = std::uint64_t;  // the caller's, to know a socket again; kWakeToken is taken
  static constexpr Token kWakeToken = ~Token{0};

  struct Event {
    Token token = 0;
    bool readable = false;
    bool writable = false;
    bool broken = false;  // an error or a full close is pending; told whatever was asked for
  };

  EventPoll();
  ~EventPoll();
  EventPoll(const EventPoll&) = delete;
  EventPoll& operator=(const EventPoll&) = delete;

  // A socket that is closed leaves by itself.
  void Add(int socket, Token token, bool read);
  void Change(int socket, Token token, bool read, bool write);

  // What is ready, after at most `wait` (rounded up to milliseconds). Valid until the next call.
  // A wake ends the wait and is not an event.
  std::span<const Event> Wait(base::Duration wait);

  void Wake();  // any thread

 private:
  void TakeWake();

  int epoll_ = -1;
  int wake_ = -1;
  std::atomic<bool> wake_pending_{false};
  std::vector<Event> events_;
};

}  // namespace muster::api
