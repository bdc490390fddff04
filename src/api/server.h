// The HTTP server: a reactor per Worker, and the node's port to them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/access.h"
#include "api/options.h"
#include "api/reactor.h"
#include "node/node.h"
#include "node/ports.h"

namespace muster::api {

// Made before the node, which needs it as its sink and waker; Attach gives it the node. Must
// outlive the node's last call.
class Server : public node::ReplySink, public node::Waker {
 public:
  Server(const Options& options, std::uint32_t workers, const node::Clock* clock,
         const Access* access);
  ~Server() override;

  // Once, before Listen.
  void Attach(node::Node* node);
  // `address` is `host:port`, `[ipv6]:port`; port 0: the kernel chooses, the same for all reactors.
  // Raises the process's limit of open files as connections_max asks.
  absl::Status Listen(const std::string& address);
  std::uint16_t port() const { return port_; }
  // "127.0.0.1:7700", as it really listens.
  const std::string& listening_on() const { return listening_on_; }

  node::EventSource* source(schedule::WorkerIndex worker);

  void Deliver(const node::ReplyTo& to, const node::Reply& reply) override;
  void Wake(schedule::WorkerIndex worker) override;

  // The text of GET /metrics. Any thread, after Attach.
  void AppendMetrics(std::string* out) const;

 private:
  class Metrics;
  struct Thread;

  const Options options_;
  const std::uint32_t workers_;
  const node::Clock* clock_;
  const Access* access_;
  node::Node* node_ = nullptr;
  std::unique_ptr<Metrics> metrics_;
  std::atomic<std::uint64_t> open_total_{0};
  std::vector<std::unique_ptr<Thread>> threads_;
  std::uint16_t port_ = 0;
  std::string listening_on_;
};

// True if `address` (as for Listen) can be reached from this machine alone. InvalidArgument: it is
// not `host:port` with a numeric host.
absl::StatusOr<bool> IsLoopback(const std::string& address);

}  // namespace muster::api
