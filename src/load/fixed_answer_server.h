// The ceiling of any server on this machine: a bare epoll loop that reads requests, finds where
// each ends, and answers fixed bytes. It decides, keeps and parses nothing else.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"

namespace muster::load {

class FixedAnswerServer {
 public:
  FixedAnswerServer() = default;
  ~FixedAnswerServer();
  FixedAnswerServer(const FixedAnswerServer&) = delete;
  FixedAnswerServer& operator=(const FixedAnswerServer&) = delete;

  // Listens on a port of 127.0.0.1 that the system chooses; `answer` is the body of every response.
  absl::Status Start(std::uint32_t threads, std::string answer);
  void Stop();
  std::uint16_t port() const { return port_; }

 private:
  void Serve(int listener);

  std::string response_;
  std::uint16_t port_ = 0;
  std::atomic<bool> is_stopping_{false};
  std::vector<std::thread> threads_;
};

}  // namespace muster::load
