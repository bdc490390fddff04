// The load generator: sends a workload to a server and measures how it answers.
//
// Closed loop: each of N connections keeps W requests under way; the latency of a request is that
// from its sending. Open loop: requests are due at instants that don't depend on the answers, and
// latency is measured from the instant at which a request was due, even where it could not be sent
// yet; so a server that stalls can't hide it (coordinated omission).
//
// Threads of its own, non-blocking sockets, epoll.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/time.h"
#include "load/result.h"
#include "load/workload.h"

namespace muster::load {

enum class Arrivals { kPoisson, kUniform };

struct RunOptions {
  std::string host = "127.0.0.1";  // numeric IPv4
  std::uint16_t port = 7700;
  WorkloadOptions workload;

  std::uint32_t threads = 1;
  std::uint32_t connections = 32;  // of all threads together
  std::uint32_t window = 8;        // requests under way on a connection at most
  double rate = 0;                 // open loop, requests a second in all; 0: closed loop
  Arrivals arrivals = Arrivals::kPoisson;
  // Open loop: what is due within this time is sent together, so that the generator does not wake
  // up for every request. Part of the measured latency.
  base::Duration gather = std::chrono::microseconds(100);

  base::Duration warm_up = std::chrono::seconds(1);
  base::Duration duration = std::chrono::seconds(5);
  // How long answers are awaited after the end.
  base::Duration patience = std::chrono::seconds(5);
};

// Unavailable: no connection, or all were lost.
absl::StatusOr<Result> Run(const RunOptions& options);

// Registers agents 0..options.workload.agents-1, pipelined, as fast as the server takes them. The
// result has them as kRegister. Errors as Run, and FailedPrecondition if any was refused.
absl::StatusOr<Result> RegisterAll(const RunOptions& options);

}  // namespace muster::load
