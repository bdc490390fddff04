// One Worker thread's event loop: its listening socket (SO_REUSEPORT), its connections, their
// deadlines, and the mail that other threads have for them.
//
// All calls but Wake, Post and the counters are of the thread that owns it; until Poll is called
// first, that may be any one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/access.h"
#include "api/counters.h"
#include "api/dispatcher.h"
#include "api/mailbox.h"
#include "api/options.h"
#include "base/time.h"
#include "node/node.h"
#include "node/ports.h"

namespace muster::api {

class Reactor : public node::EventSource {
 public:
  // `open_total` counts the connections of all reactors of a server.
  Reactor(std::uint32_t index, const Options* options, const node::Clock* clock,
          const Access* access, node::Node* node, const MetricsPage* metrics,
          std::atomic<std::uint64_t>* open_total);
  ~Reactor() override;

  // Port 0: the kernel chooses. Gives the port.
  absl::StatusOr<std::uint16_t> Listen(const std::string& address, std::uint16_t port);

  void Poll(base::Duration wait, node::Inbox* inbox) override;
  void Flush() override;
  void Wake() override;
  bool Drain() override;

  // A reply for a connection of this reactor, on its own thread. `render` appends the whole
  // response.
  using Render = absl::FunctionRef<void(ReplyFlags flags, std::string* out)>;
  void Deliver(const node::ReplyTo& to, Render render);
  void DeliverLine(const node::ReplyTo& to, LineOutcome outcome);
  // From any thread.
  void Post(Mail* mail);

  const Counters& counters() const { return counters_; }

 private:
  struct Loop;
  void CollectMail();

  Counters counters_;
  Mailbox mailbox_;
  std::unique_ptr<Loop> loop_;
};

}  // namespace muster::api
