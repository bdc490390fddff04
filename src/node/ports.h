// What a node needs from the world around it; the real and the virtual world both provide it.
#pragma once

#include "base/time.h"
#include "node/reply.h"
#include "schedule/scheduler.h"

namespace muster::node {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual base::Now Read() const = 0;
};

// Receives each request's one reply, on the thread that ran it. Must not block, and must not call
// the node. Directory memory in the reply may be read during the call only.
class ReplySink {
 public:
  virtual ~ReplySink() = default;
  virtual void Deliver(const ReplyTo& to, const Reply& reply) = 0;
};

// Wakes a Worker that waits for events (any thread).
class Waker {
 public:
  virtual ~Waker() = default;
  virtual void Wake(schedule::WorkerIndex worker) = 0;
};

// A Worker's own source of requests (the connections that its thread owns).
class EventSource {
 public:
  virtual ~EventSource() = default;
  // Handles what is ready, adding requests to `inbox`, then returns. Waits at most `wait` if
  // nothing is ready; returns early after Wake.
  virtual void Poll(base::Duration wait, Inbox* inbox) = 0;
  // Sends what Deliver left for this thread's connections.
  virtual void Flush() = 0;
  virtual void Wake() = 0;  // any thread
  // Stops accepting; true once no connection has anything in flight.
  virtual bool Drain() = 0;
};

}  // namespace muster::node
