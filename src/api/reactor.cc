#include "api/reactor.h"

#include <spdlog/spdlog.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <utility>
#include <vector>

#include "api/deadline_lists.h"
#include "api/reply_key.h"
#include "api/session.h"
#include "base/check.h"
#include "base/strings.h"

namespace muster::api {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Error = boost::system::error_code;
using ReusePort = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

constexpr int kEventsPerPoll = 256;         // then the node has its turn
constexpr std::size_t kInboxEnough = 4096;  // requests, likewise
constexpr std::size_t kLingerBytesMax = 1 << 20;
constexpr base::Duration kWaitMax = std::chrono::milliseconds(500);
constexpr base::Duration kAcceptPause = std::chrono::milliseconds(100);

enum Deadline : std::uint32_t { kIdle, kHeader, kBody, kWrite, kLinger, kNone };
static_assert(kNone == DeadlineLists::kKinds);

}  // namespace

struct Reactor::Loop {
  struct Connection {
    Connection(asio::io_context* context, const Options* options, Dispatcher* dispatcher)
        : socket(*context), session(options, dispatcher) {}
    tcp::socket socket;
    Session session;
    std::uint32_t index = 0;
    std::uint32_t generation = 0;
    std::uint32_t deadline_of = 0;  // the request that the deadline was set for
    bool open = false;
    bool reading = false;
    bool writing = false;    // waits for room in the socket
    bool dirty = false;      // in dirty_
    bool resuming = false;   // in resuming_
    bool lingering = false;  // all is sent; waits for the client to close
    std::size_t lingered = 0;
  };

  Loop(std::uint32_t worker, const Options* opts, const node::Clock* clk, const Access* access,
       node::Node* node, const MetricsPage* metrics, Counters* counts,
       std::atomic<std::uint64_t>* total)
      : index(worker),
        options(opts),
        clock(clk),
        counters(counts),
        open_total(total),
        context(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE),
        acceptor(context),
        waker(context, eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
        dispatcher(access, node, metrics, counts) {
    MUSTER_CHECK(waker.is_open(), "a reactor has an eventfd: the process has descriptors left");
    now = clock->Read();
    AwaitWake();
  }

  void AwaitWake();
  void Accept();
  void OnAccept(tcp::socket peer);
  void RefuseConnection(tcp::socket* peer);
  Connection* NewConnection();
  void StartRead(Connection* connection);
  void OnRead(Connection* connection, const Error& error, std::size_t bytes);
  void GoOn(Connection* connection);
  void MarkDirty(Connection* connection);
  void MarkResuming(Connection* connection);
  void Resume();
  void Send(Connection* connection);
  void AwaitRoom(Connection* connection);
  void EndConnection(Connection* connection);
  void Close(Connection* connection);
  void UpdateDeadline(Connection* connection);
  Deadline WantedDeadline(const Connection& connection) const;
  base::Duration TimeFor(Deadline deadline) const;
  void Expire();
  void RunEvents(base::Duration wait);
  Connection* Find(const node::ReplyTo& to, const ReplyKey& key);
  void Freshen();
  void Flush();
  void OnReplied(Connection* connection);

  const std::uint32_t index;
  const Options* options;
  const node::Clock* clock;
  Counters* counters;
  std::atomic<std::uint64_t>* open_total;
  asio::io_context context;
  tcp::acceptor acceptor;
  asio::posix::stream_descriptor waker;
  std::uint64_t wakes = 0;
  std::atomic<bool> wake_pending{false};
  Dispatcher dispatcher;
  base::Now now;
  bool now_fresh = false;
  node::Inbox* inbox = nullptr;
  bool draining = false;
  bool accepting = false;
  base::MonoTime accept_again_at{};
  std::vector<std::unique_ptr<Connection>> connections;
  std::vector<std::uint32_t> free_connections;
  std::vector<Connection*> dirty;
  std::vector<Connection*> sending;  // Flush's copy of dirty
  std::vector<Connection*> resuming;
  std::vector<Connection*> resumed;
  DeadlineLists deadlines;
  std::vector<std::uint32_t> expired;
  std::vector<char> discarded = std::vector<char>(4096);
  Mail inbound;
};

void Reactor::Loop::AwaitWake() {
  waker.async_read_some(asio::buffer(&wakes, sizeof wakes),
                        [this](const Error& error, std::size_t) {
                          if (error == asio::error::operation_aborted) return;
                          wake_pending.store(false, std::memory_order_release);
                          AwaitWake();
                        });
}

void Reactor::Loop::Freshen() {
  if (now_fresh) return;
  now = clock->Read();
  now_fresh = true;
  dispatcher.BeginPoll(now, inbox);
}

void Reactor::Loop::Accept() {
  accepting = true;
  acceptor.async_accept([this](const Error& error, tcp::socket peer) {
    accepting = false;
    if (error == asio::error::operation_aborted || draining) return;
    Freshen();
    if (error) {
      // No descriptors or no memory: the kernel keeps the connection; others may end meanwhile.
      if (accept_again_at == base::MonoTime{}) {
        spdlog::warn(
            "A connection can't be accepted: {}. Raise the limit of open files (ulimit "
            "-n) or lower http.connections_max.",
            error.message());
      }
      counters->connections_refused.Add();
      accept_again_at = now.mono + kAcceptPause;
      return;
    }
    accept_again_at = {};
    OnAccept(std::move(peer));
    Accept();
  });
}

void Reactor::Loop::RefuseConnection(tcp::socket* peer) {
  counters->connections_refused.Add();
  std::string answer;
  ReplyFlags flags;
  flags.close = true;
  dispatcher.Answer(
      Problem{
          503, "The node has as many connections as it is allowed.", std::chrono::seconds(1), {}},
      flags, &answer);
  Error ignored;
  peer->write_some(asio::buffer(answer.data(), answer.size()), ignored);
  peer->shutdown(tcp::socket::shutdown_both, ignored);
  peer->close(ignored);
}

void Reactor::Loop::OnAccept(tcp::socket peer) {
  Error error;
  peer.non_blocking(true, error);
  if (open_total->load(std::memory_order_relaxed) >= options->connections_max) {
    RefuseConnection(&peer);
    return;
  }
  peer.set_option(tcp::no_delay(true), error);
  open_total->fetch_add(1, std::memory_order_relaxed);
  counters->connections_accepted.Add();
  counters->connections_open.Add();
  Connection* connection = NewConnection();
  connection->socket = std::move(peer);
  connection->session.Begin(SessionPlace{index, connection->index, connection->generation});
  StartRead(connection);
  UpdateDeadline(connection);
}

Reactor::Loop::Connection* Reactor::Loop::NewConnection() {
  if (free_connections.empty()) {
    free_connections.push_back(static_cast<std::uint32_t>(connections.size()));
    connections.push_back(std::make_unique<Connection>(&context, options, &dispatcher));
    connections.back()->index = free_connections.back();
  }
  Connection* connection = connections[free_connections.back()].get();
  free_connections.pop_back();
  connection->open = true;
  connection->reading = connection->writing = connection->lingering = false;
  connection->lingered = 0;
  return connection;
}

void Reactor::Loop::StartRead(Connection* connection) {
  connection->reading = true;
  const std::span<char> room =
      connection->lingering ? std::span<char>(discarded) : connection->session.PrepareInput();
  connection->socket.async_read_some(asio::buffer(room.data(), room.size()),
                                     [this, connection, generation = connection->generation](
                                         const Error& error, std::size_t bytes) {
                                       if (generation == connection->generation)
                                         OnRead(connection, error, bytes);
                                     });
}

void Reactor::Loop::OnRead(Connection* connection, const Error& error, std::size_t bytes) {
  Freshen();
  connection->reading = false;
  if (connection->lingering) {
    connection->lingered += bytes;
    if (error || connection->lingered > kLingerBytesMax) {
      Close(connection);
    } else {
      StartRead(connection);
    }
    return;
  }
  if (error == asio::error::eof) {
    connection->session.ReceivedEnd();
  } else if (error) {
    counters->connections_broken.Add();
    Close(connection);
    return;
  } else {
    connection->session.Received(bytes);
  }
  GoOn(connection);
}

void Reactor::Loop::GoOn(Connection* connection) {
  Session& session = connection->session;
  session.Process();
  if (!session.unsent().empty() || session.Finished()) MarkDirty(connection);
  if (session.WantsInput() && !connection->reading) StartRead(connection);
  UpdateDeadline(connection);
}

void Reactor::Loop::MarkDirty(Connection* connection) {
  if (connection->dirty) return;
  connection->dirty = true;
  dirty.push_back(connection);
}

void Reactor::Loop::MarkResuming(Connection* connection) {
  if (connection->resuming) return;
  connection->resuming = true;
  resuming.push_back(connection);
}

void Reactor::Loop::Resume() {
  if (resuming.empty()) return;
  Freshen();
  std::swap(resuming, resumed);
  for (Connection* connection : resumed) {
    connection->resuming = false;
    if (connection->open && !connection->lingering) GoOn(connection);
  }
  resumed.clear();
}

void Reactor::Loop::Flush() {
  std::swap(dirty, sending);
  for (Connection* connection : sending) {
    connection->dirty = false;
    if (connection->open && !connection->lingering) Send(connection);
  }
  sending.clear();
}

void Reactor::Loop::Send(Connection* connection) {
  Session& session = connection->session;
  if (connection->writing) return;
  while (!session.unsent().empty()) {
    const std::string_view unsent = session.unsent();
    Error error;
    const std::size_t sent =
        connection->socket.write_some(asio::buffer(unsent.data(), unsent.size()), error);
    if (error == asio::error::would_block || error == asio::error::try_again) {
      AwaitRoom(connection);
      return;
    }
    if (error) {
      counters->connections_broken.Add();
      Close(connection);
      return;
    }
    counters->sent_bytes.Add(sent);
    session.Sent(sent);
  }
  if (session.Finished()) {
    EndConnection(connection);
    return;
  }
  if (!session.WantsInput()) MarkResuming(connection);
  UpdateDeadline(connection);
}

void Reactor::Loop::AwaitRoom(Connection* connection) {
  connection->writing = true;
  UpdateDeadline(connection);
  connection->socket.async_wait(
      tcp::socket::wait_write,
      [this, connection, generation = connection->generation](const Error& error) {
        if (generation != connection->generation) return;
        Freshen();
        connection->writing = false;
        if (error) {
          Close(connection);
        } else {
          Send(connection);
        }
      });
}

// All is answered and sent. The client's unread bytes are still taken in for a while: closing at
// once would reset the connection, and could take the last answer away from the client.
void Reactor::Loop::EndConnection(Connection* connection) {
  Error error;
  connection->socket.shutdown(tcp::socket::shutdown_send, error);
  if (error || connection->session.ReceivedAll()) {
    Close(connection);
    return;
  }
  connection->lingering = true;
  UpdateDeadline(connection);
  if (!connection->reading) StartRead(connection);
}

void Reactor::Loop::Close(Connection* connection) {
  if (!connection->open) return;
  connection->open = false;
  connection->generation = (connection->generation + 1) & kGenerationMask;
  Error ignored;
  connection->socket.close(ignored);
  deadlines.Clear(connection->index);
  connection->session.Abandon();
  free_connections.push_back(connection->index);
  counters->connections_open.Subtract();
  open_total->fetch_sub(1, std::memory_order_relaxed);
}

Deadline Reactor::Loop::WantedDeadline(const Connection& connection) const {
  if (connection.lingering) return kLinger;
  if (connection.writing) return kWrite;
  switch (connection.session.waiting()) {
    case Session::Waiting::kRequest:
      return kIdle;
    case Session::Waiting::kHeader:
      return kHeader;
    case Session::Waiting::kBody:
      return kBody;
    case Session::Waiting::kNothing:
      break;
  }
  return kNone;
}

base::Duration Reactor::Loop::TimeFor(Deadline deadline) const {
  switch (deadline) {
    case kIdle:
      return options->idle_time_max;
    case kHeader:
      return options->header_time_max;
    case kBody:
      return options->body_time_max;
    case kWrite:
      return options->write_time_max;
    case kLinger:
    case kNone:
      break;
  }
  return options->linger_time_max;
}

void Reactor::Loop::UpdateDeadline(Connection* connection) {
  const Deadline wanted = WantedDeadline(*connection);
  if (wanted == kNone) {
    deadlines.Clear(connection->index);
    return;
  }
  const std::uint32_t request = connection->session.request_number();
  const bool fixed = wanted == kLinger || wanted == kHeader ||
                     (wanted == kBody && !connection->session.uploading());
  const bool same = deadlines.kind(connection->index) == static_cast<std::uint32_t>(wanted) &&
                    connection->deadline_of == request;
  if (fixed && same) return;
  connection->deadline_of = request;
  deadlines.Set(connection->index, wanted, now.mono + TimeFor(wanted));
}

void Reactor::Loop::Expire() {
  expired.clear();
  deadlines.Expire(now.mono, &expired);
  for (const std::uint32_t member : expired) {
    Connection* connection = connections[member].get();
    counters->connections_timed_out.Add();
    if (connection->lingering || connection->writing) {
      Close(connection);
      continue;
    }
    connection->session.TimeOut();
    MarkDirty(connection);
    UpdateDeadline(connection);
  }
}

void Reactor::Loop::RunEvents(base::Duration wait) {
  std::size_t ran =
      wait > base::Duration(0) ? context.run_one_for(std::min(wait, kWaitMax)) : context.poll_one();
  for (int i = 1; ran > 0 && i < kEventsPerPoll && inbox->size() < kInboxEnough; ++i) {
    ran = context.poll_one();
  }
}

Reactor::Loop::Connection* Reactor::Loop::Find(const node::ReplyTo& to, const ReplyKey& key) {
  if (to.connection >= connections.size()) return nullptr;
  Connection* connection = connections[to.connection].get();
  return connection->open && connection->generation == key.generation ? connection : nullptr;
}

void Reactor::Loop::OnReplied(Connection* connection) {
  MarkDirty(connection);
  if (!connection->session.WantsInput()) MarkResuming(connection);
}

Reactor::Reactor(std::uint32_t index, const Options* options, const node::Clock* clock,
                 const Access* access, node::Node* node, const MetricsPage* metrics,
                 std::atomic<std::uint64_t>* open_total)
    : loop_(std::make_unique<Loop>(index, options, clock, access, node, metrics, &counters_,
                                   open_total)) {}
Reactor::~Reactor() = default;

absl::StatusOr<std::uint16_t> Reactor::Listen(const std::string& address, std::uint16_t port) {
  Error error;
  const asio::ip::address host = asio::ip::make_address(address, error);
  if (error) return base::InvalidArgument(base::StrCat(address, " is no IP address."));
  const tcp::endpoint endpoint(host, port);
  tcp::acceptor& acceptor = loop_->acceptor;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.set_option(ReusePort(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(4096, error);
  if (error) {
    return absl::UnavailableError(
        base::StrCat("Can't listen on ", address, " port ", port, ": ", error.message(), "."));
  }
  loop_->Accept();
  return acceptor.local_endpoint().port();
}

void Reactor::Poll(base::Duration wait, node::Inbox* inbox) {
  Loop& loop = *loop_;
  if (!loop.dirty.empty()) loop.Flush();
  loop.inbox = inbox;
  loop.now_fresh = false;
  CollectMail();
  loop.Resume();
  if (!inbox->empty() || !loop.dirty.empty()) wait = base::Duration(0);
  loop.now_fresh = loop.now_fresh && wait == base::Duration(0);
  loop.RunEvents(wait);
  loop.Freshen();
  CollectMail();
  loop.Resume();
  loop.Expire();
  if (!loop.accepting && !loop.draining && loop.acceptor.is_open() &&
      loop.now.mono >= loop.accept_again_at) {
    loop.Accept();
  }
}

void Reactor::Flush() { loop_->Flush(); }

void Reactor::Wake() {
  if (loop_->wake_pending.exchange(true, std::memory_order_acq_rel)) return;
  const std::uint64_t one = 1;
  const ssize_t written = write(loop_->waker.native_handle(), &one, sizeof one);
  MUSTER_CHECK(written == sizeof one || errno == EAGAIN, "an eventfd can be written");
}

bool Reactor::Drain() {
  Loop& loop = *loop_;
  Error ignored;
  loop.draining = true;
  loop.acceptor.close(ignored);
  bool drained = true;
  for (const auto& connection : loop.connections) {
    if (!connection->open || connection->lingering) continue;
    connection->session.BeginDrain();
    if (connection->session.Idle()) {
      loop.Close(connection.get());
    } else {
      drained = false;
    }
  }
  return drained;
}

void Reactor::Deliver(const node::ReplyTo& to, Render render) {
  const ReplyKey key = Unpack(to.request);
  Loop::Connection* connection = loop_->Find(to, key);
  if (connection == nullptr) return;
  std::string* out = connection->session.BeginReply(key);
  if (out == nullptr) return;
  render(key.flags, out);
  connection->session.EndReply(key);
  loop_->OnReplied(connection);
}

void Reactor::DeliverLine(const node::ReplyTo& to, LineOutcome outcome) {
  const ReplyKey key = Unpack(to.request);
  Loop::Connection* connection = loop_->Find(to, key);
  if (connection == nullptr) return;
  connection->session.SettleLine(key, std::move(outcome));
  loop_->OnReplied(connection);
}

void Reactor::Post(Mail* mail) {
  if (mailbox_.Post(mail)) {
    Wake();
  }
}

void Reactor::CollectMail() {
  Mail& mail = loop_->inbound;
  mailbox_.Collect(&mail);
  if (mail.empty()) return;
  for (const Mail::Letter& letter : mail.letters()) {
    Deliver(letter.to, [&](ReplyFlags, std::string* out) { out->append(mail.text(letter)); });
  }
  for (Mail::Line& line : mail.lines()) DeliverLine(line.to, std::move(line.outcome));
  mail.Clear();
}

}  // namespace muster::api
