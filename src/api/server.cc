#include "api/server.h"

#include <utility>

#include "api/listening_socket.h"
#include "api/mailbox.h"
#include "api/metrics.h"
#include "api/render.h"
#include "api/reply_key.h"
#include "base/check.h"

namespace muster::api {

// What one Worker's thread does with the network: its reactor, and its mail for the others.
struct Server::Thread : public node::EventSource {
  Thread(Server* owner, std::uint32_t worker, std::unique_ptr<Reactor> loop, std::uint32_t workers)
      : server(owner), index(worker), reactor(std::move(loop)), outboxes(workers) {}

  void Poll(base::Duration wait, node::Inbox* inbox) override {
    current = this;
    reactor->Poll(wait, inbox);
  }
  void Flush() override {
    for (const std::uint32_t target : posted) {
      server->threads_[target]->reactor->Post(&outboxes[target]);
    }
    posted.clear();
    reactor->Flush();
  }
  void Wake() override { reactor->Wake(); }
  bool Drain() override { return reactor->Drain(); }

  Mail* Outbox(std::uint32_t target) {
    if (outboxes[target].empty()) posted.push_back(target);
    return &outboxes[target];
  }

  // The Worker that this thread is, if it is one.
  static thread_local Thread* current;

  Server* server;
  std::uint32_t index;
  std::unique_ptr<Reactor> reactor;
  Renderer renderer;
  std::vector<Mail> outboxes;
  std::vector<std::uint32_t> posted;
};
thread_local Server::Thread* Server::Thread::current = nullptr;

class Server::Metrics : public MetricsPage {
 public:
  explicit Metrics(const Server* server) : server_(server) {}
  void AppendMetrics(std::string* out) const override { server_->AppendMetrics(out); }

 private:
  const Server* server_;
};

Server::Server(const Options& options, std::uint32_t workers, const node::Clock* clock,
               const Access* access)
    : options_(options),
      workers_(workers),
      clock_(clock),
      access_(access),
      metrics_(std::make_unique<Metrics>(this)) {}

Server::~Server() {
  if (Thread::current != nullptr && Thread::current->server == this) Thread::current = nullptr;
}

void Server::Attach(node::Node* node) {
  MUSTER_CHECK(node_ == nullptr, "a server has one node");
  node_ = node;
  for (std::uint32_t i = 0; i < workers_; ++i) {
    threads_.push_back(
        std::make_unique<Thread>(this, i,
                                 std::make_unique<Reactor>(i, &options_, clock_, access_, node,
                                                           metrics_.get(), &open_total_),
                                 workers_));
  }
}

absl::Status Server::Listen(const std::string& address) {
  MUSTER_CHECK(node_ != nullptr, "a server listens once it has its node");
  absl::StatusOr<HostPort> at = ParseHostPort(address);
  if (!at.ok()) return at.status();
  if (const absl::Status free = CheckNobodyListens(*at); !free.ok()) return free;
  AllowConnections(options_.connections_max);
  port_ = at->port;
  for (const auto& thread : threads_) {
    const absl::StatusOr<std::uint16_t> port = thread->reactor->Listen(at->host, port_);
    if (!port.ok()) return port.status();
    port_ = *port;
  }
  listening_on_ = Text({at->host, port_});
  return absl::OkStatus();
}

node::EventSource* Server::source(schedule::WorkerIndex worker) { return threads_[worker].get(); }

void Server::Wake(schedule::WorkerIndex worker) { threads_[worker]->reactor->Wake(); }

void Server::Deliver(const node::ReplyTo& to, const node::Reply& reply) {
  Thread* here = Thread::current;
  if (here != nullptr && here->server != this) here = nullptr;
  const ReplyKey key = Unpack(to.request);
  Reactor& target = *threads_[to.worker]->reactor;
  if (here != nullptr && here->index == to.worker) {
    if (key.flags.upload_line) return target.DeliverLine(to, OutcomeOf(reply));
    return target.Deliver(
        to, [&](ReplyFlags flags, std::string* out) { here->renderer.Render(reply, flags, out); });
  }
  Mail own;
  Mail* mail = here != nullptr ? here->Outbox(to.worker) : &own;
  if (key.flags.upload_line) {
    mail->AddLine(to, OutcomeOf(reply));
  } else if (here != nullptr) {
    here->renderer.Render(reply, key.flags, mail->Begin());
    mail->Seal(to);
  } else {
    Renderer().Render(reply, key.flags, mail->Begin());
    mail->Seal(to);
  }
  if (here == nullptr) target.Post(mail);
}

void Server::AppendMetrics(std::string* out) const {
  MetricsInput input;
  node_->FillSnapshot(&input.node);
  node_->FillSchedulerSnapshot(&input.scheduler);
  input.phase = node_->phase();
  for (const auto& thread : threads_) input.reactors.push_back(&thread->reactor->counters());
  AppendMetricsText(input, out);
}

absl::StatusOr<bool> IsLoopback(const std::string& address) {
  const absl::StatusOr<HostPort> at = ParseHostPort(address);
  if (!at.ok()) return at.status();
  return IsLoopbackHost(at->host);
}

}  // namespace muster::api
