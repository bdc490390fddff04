// A node as a child: this program's own `serve` on a free port of loopback.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/time.h"

namespace muster::app {

class ServerProcess {
 public:
  // With its data in `home`/data, its log in `home`/log, and these flags of `serve` beside. Returns
  // once it is ready; where it doesn't start, the error has the end of its log.
  static absl::StatusOr<std::unique_ptr<ServerProcess>> Start(
      const std::string& home, const std::vector<std::string>& flags);

  // Ends it in order. It also ends if this process does.
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  std::uint16_t port() const { return port_; }
  std::string url() const;
  base::Duration start_time() const { return start_time_; }  // from its start until it was ready
  std::uint64_t MemoryBytes() const;                         // resident
  double CpuSeconds() const;                                 // used so far, by all its threads

  // SIGTERM, then waits; the exit code, or -1 if it had to be killed.
  int Stop();

 private:
  ServerProcess() = default;
  absl::Status Spawn(const std::vector<std::string>& flags);
  absl::Status AwaitReady();
  absl::Status Ended(const std::string& what) const;

  std::string home_;
  pid_t process_ = -1;
  std::uint16_t port_ = 0;
  base::Duration start_time_{0};
};

}  // namespace muster::app
