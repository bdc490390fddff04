// The Workers as threads: each owns an event source and runs what the scheduler gives it.
//
// A Worker that has parsed a request usually runs it itself, so that no hand-off between threads is
// paid for. Worker 0 also ticks the node.
#pragma once

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "base/time.h"
#include "node/node.h"
#include "node/ports.h"

namespace muster::runtime {

class Workers {
 public:
  // One source a Worker; both outlive this object.
  Workers(node::Node* node, const node::Clock* clock, std::vector<node::EventSource*> sources);
  ~Workers();  // Stop with no time to drain
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void Start();

  // Not ready, no new connections, what waits is finished and answered, the threads end. False if
  // `timeout` passed first: what still waited was given up. Durable writes are safe either way.
  bool Stop(base::Duration timeout);

 private:
  void Run(schedule::WorkerIndex index);
  bool MayEnd(schedule::WorkerIndex index);

  node::Node& node_;
  const node::Clock& clock_;
  const std::vector<node::EventSource*> sources_;
  std::vector<std::thread> threads_;
  std::atomic<bool> draining_{false};
  std::atomic<bool> abandoned_{false};
  std::atomic<std::int64_t> give_up_at_{0};
};

}  // namespace muster::runtime
