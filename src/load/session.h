// One generator thread's run: its connections, its arrivals, its measurements.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "load/connection.h"
#include "load/generator.h"

namespace muster::load {

class Session {
 public:
  // `thread` of options.threads.
  Session(const RunOptions& options, std::uint32_t thread);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  absl::Status Connect();
  // Sends from `start_at` on (nanoseconds of the monotonic clock); with `only_register`, this
  // thread's agents once, else until the time is over.
  void Run(std::int64_t start_at, bool only_register);
  const Result& result() const { return result_; }

 private:
  bool WantsMore(std::int64_t now) const;
  void TakeDue(std::int64_t now);
  void Fill(Connection* connection, std::int64_t now);
  void Start(Connection* connection, Kind kind, std::int64_t since);
  void Handle(Connection* connection);
  void TakeResponses(Connection* connection, std::int64_t now);
  void Record(const UnderWay& request, int status, std::string_view body, std::int64_t now);
  void SendOut(Connection* connection);
  void Lose(Connection* connection);
  bool IsIdle() const;
  std::int64_t WaitNanos(std::int64_t now) const;

  const RunOptions& options_;
  const std::uint32_t thread_;
  Workload workload_;
  Random random_;
  Result result_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::size_t next_connection_ = 0;
  int epoll_ = -1;

  std::int64_t measure_from_ = 0, stop_at_ = 0, give_up_at_ = 0;
  bool only_register_ = false;
  std::uint32_t next_agent_ = 0;
  double next_due_ = 0;  // open loop
  std::deque<UnderWay> due_;
};

std::int64_t MonotonicNanos();

}  // namespace muster::load
