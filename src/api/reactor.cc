#include "api/reactor.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "api/deadline_lists.h"
#include "api/event_poll.h"
#include "api/listening_socket.h"
#include "api/reply_key.h"
#include "api/session.h"
#include "base/check.h"

namespace muster::api {
namespace {

constexpr std::size_t kLingerBytesMax = 1 << 20;
constexpr base::Duration kWaitMax = std::chrono::milliseconds(500);
constexpr int kAcceptsPerEvent = 64;
constexpr EventPoll::Token kListenerToken = EventPoll::kWakeToken - 1;
constexpr base::Duration kAcceptPause = std::chrono::milliseconds(100);

enum Deadline : std::uint32_t { kIdle, kHeader, kBody, kWrite, kLinger, kNone };
static_assert(kNone == DeadlineLists::kKinds);

}  // namespace

struct Reactor::Loop {
  struct Connection {
    Connection(const Options* options, Dispatcher* dispatcher) : session(options, dispatcher) {}
    int socket = -1;
    Session session;
    std::uint32_t index = 0;
    std::uint32_t generation = 0;
    std::uint32_t deadline_of = 0;  // the request that the deadline was set for
    bool open = false;
    bool reading = false;    // is told when there is something to receive
    bool writing = false;    // waits for room in the socket
    bool dirty = false;      // in dirty
    bool resuming = false;   // in resuming
    bool lingering = false;  // all is sent; waits for the client to close
    std::size_t lingered = 0;
    EventPoll::Token token() const { return (EventPoll::Token{generation} << 32) | index; }
  };

  Loop(std::uint32_t worker, const Options* opts, const node::Clock* clk, const Access* access,
       node::Node* node, const MetricsPage* metrics, Counters* counts,
       std::atomic<std::uint64_t>* total)
      : index(worker),
        options(opts),
        clock(clk),
        counters(counts),
        open_total(total),
        dispatcher(access, node, metrics, counts) {
    now = clock->Read();
  }
  ~Loop() {
    for (const auto& connection : connections) {
      if (connection->open) close(connection->socket);
    }
    StopListening();
  }

  void StopListening();
  void Accept();
  void OnAcceptFailed(int error);
  void OnAccept(int socket);
  void RefuseConnection(int socket);
  Connection* NewConnection();
  void OnEvent(const EventPoll::Event& event);
  void Read(Connection* connection);
  void OnLingering(Connection* connection);
  void SetInterest(Connection* connection, bool reading, bool writing);
  void GoOn(Connection* connection);
  void MarkDirty(Connection* connection);
  void MarkResuming(Connection* connection);
  void Resume();
  void Send(Connection* connection);
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
  EventPoll poll;
  int listener = -1;
  Dispatcher dispatcher;
  base::Now now;
  bool now_fresh = false;
  node::Inbox* inbox = nullptr;
  base::MonoTime accept_again_at{};
  std::vector<std::unique_ptr<Connection>> connections;
  std::vector<std::uint32_t> free_connections;
  std::vector<Connection*> dirty;
  std::vector<Connection*> sending;  // Flush's copy of dirty
  std::vector<Connection*> resuming;
  std::vector<Connection*> resumed;
  DeadlineLists deadlines;
  std::vector<std::uint32_t> expired;
  Mail inbound;
};

void Reactor::Loop::Freshen() {
  if (now_fresh) return;
  now = clock->Read();
  now_fresh = true;
  dispatcher.BeginPoll(now, inbox);
}

void Reactor::Loop::StopListening() {
  if (listener >= 0) close(listener);
  listener = -1;
}

void Reactor::Loop::Accept() {
  for (int i = 0; i < kAcceptsPerEvent; ++i) {
    const int socket = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) {
      if (errno != EAGAIN && errno != ECONNABORTED && errno != EINTR) OnAcceptFailed(errno);
      return;
    }
    OnAccept(socket);
  }
}

// No descriptors or no memory: the kernel keeps the connection; others may end meanwhile.
void Reactor::Loop::OnAcceptFailed(int error) {
  if (accept_again_at == base::MonoTime{}) {
    spdlog::warn(
        "A connection can't be accepted: {}. Raise the limit of open files (ulimit -n) or lower "
        "http.connections_max.",
        std::strerror(error));
  }
  counters->connections_refused.Add();
  accept_again_at = now.mono + kAcceptPause;
  poll.Change(listener, kListenerToken, false, false);
}

void Reactor::Loop::RefuseConnection(int socket) {
  counters->connections_refused.Add();
  std::string answer;
  ReplyFlags flags;
  flags.close = true;
  dispatcher.Answer(
      Problem{
          503, "The node has as many connections as it is allowed.", std::chrono::seconds(1), {}},
      flags, &answer);
  // If it can't be told, it sees the close alone.
  static_cast<void>(send(socket, answer.data(), answer.size(), MSG_NOSIGNAL));
  shutdown(socket, SHUT_RDWR);
  close(socket);
}

void Reactor::Loop::OnAccept(int socket) {
  if (open_total->load(std::memory_order_relaxed) >= options->connections_max) {
    RefuseConnection(socket);
    return;
  }
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  open_total->fetch_add(1, std::memory_order_relaxed);
  counters->connections_accepted.Add();
  counters->connections_open.Add();
  Connection* connection = NewConnection();
  connection->socket = socket;
  connection->session.Begin(SessionPlace{index, connection->index, connection->generation});
  poll.Add(socket, connection->token(), true);
  UpdateDeadline(connection);
}

Reactor::Loop::Connection* Reactor::Loop::NewConnection() {
  if (free_connections.empty()) {
    free_connections.push_back(static_cast<std::uint32_t>(connections.size()));
    connections.push_back(std::make_unique<Connection>(options, &dispatcher));
    connections.back()->index = free_connections.back();
  }
  Connection* connection = connections[free_connections.back()].get();
  free_connections.pop_back();
  connection->open = true;
  connection->reading = true;
  connection->writing = connection->lingering = false;
  connection->lingered = 0;
  return connection;
}

void Reactor::Loop::SetInterest(Connection* connection, bool reading, bool writing) {
  if (connection->reading == reading && connection->writing == writing) return;
  connection->reading = reading;
  connection->writing = writing;
  poll.Change(connection->socket, connection->token(), reading, writing);
}

void Reactor::Loop::OnEvent(const EventPoll::Event& event) {
  if (event.token == kListenerToken) return Accept();
  const auto place = static_cast<std::uint32_t>(event.token);
  Connection* connection = connections[place].get();
  if (!connection->open || connection->token() != event.token) return;
  if (event.writable) {
    SetInterest(connection, connection->reading, false);
    Send(connection);
    if (!connection->open) return;
  }
  if (!event.readable && !event.broken) return;
  if (connection->lingering) return OnLingering(connection);
  if (connection->session.WantsInput()) return Read(connection);
  if (event.broken) return Close(connection);
  // Not now: asked for again when the session goes on.
  SetInterest(connection, false, connection->writing);
}

void Reactor::Loop::Read(Connection* connection) {
  const std::span<char> room = connection->session.PrepareInput();
  const ssize_t got = recv(connection->socket, room.data(), room.size(), 0);
  if (got > 0) {
    connection->session.Received(static_cast<std::size_t>(got));
  } else if (got == 0) {
    connection->session.ReceivedEnd();
  } else if (errno == EAGAIN || errno == EINTR) {
    return;
  } else {
    counters->connections_broken.Add();
    Close(connection);
    return;
  }
  GoOn(connection);
}

void Reactor::Loop::OnLingering(Connection* connection) {
  std::array<char, 4096> dropped;
  const ssize_t got = recv(connection->socket, dropped.data(), dropped.size(), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  connection->lingered += got > 0 ? static_cast<std::size_t>(got) : 0;
  if (got <= 0 || connection->lingered > kLingerBytesMax) Close(connection);
}

void Reactor::Loop::GoOn(Connection* connection) {
  Session& session = connection->session;
  session.Process();
  if (!session.unsent().empty() || session.Finished()) MarkDirty(connection);
  if (session.WantsInput()) SetInterest(connection, true, connection->writing);
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
    const ssize_t result = send(connection->socket, unsent.data(), unsent.size(), MSG_NOSIGNAL);
    if (result < 0 && (errno == EAGAIN || errno == EINTR)) {
      SetInterest(connection, connection->reading, true);
      UpdateDeadline(connection);
      return;
    }
    if (result < 0) {
      counters->connections_broken.Add();
      Close(connection);
      return;
    }
    const auto sent = static_cast<std::size_t>(result);
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

// All is answered and sent. The client's unread bytes are still taken in for a while: closing at
// once would reset the connection, and could take the last answer away from the client.
void Reactor::Loop::EndConnection(Connection* connection) {
  if (shutdown(connection->socket, SHUT_WR) != 0 || connection->session.ReceivedAll()) {
    Close(connection);
    return;
  }
  connection->lingering = true;
  UpdateDeadline(connection);
  SetInterest(connection, true, false);
}

void Reactor::Loop::Close(Connection* connection) {
  if (!connection->open) return;
  connection->open = false;
  connection->generation = (connection->generation + 1) & kGenerationMask;
  close(connection->socket);
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
  const std::span<const EventPoll::Event> events = poll.Wait(std::min(wait, kWaitMax));
  Freshen();
  for (const EventPoll::Event& event : events) OnEvent(event);
  if (accept_again_at != base::MonoTime{} && now.mono >= accept_again_at && listener >= 0) {
    accept_again_at = {};
    poll.Change(listener, kListenerToken, true, false);
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
  absl::StatusOr<ListeningSocket> listening = OpenListeningSocket(address, port);
  if (!listening.ok()) return listening.status();
  loop_->StopListening();
  loop_->listener = listening->socket;
  loop_->poll.Add(loop_->listener, kListenerToken, true);
  return listening->port;
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
  CollectMail();
  loop.Resume();
  loop.Expire();
}

void Reactor::Flush() { loop_->Flush(); }

void Reactor::Wake() { loop_->poll.Wake(); }

bool Reactor::Drain() {
  Loop& loop = *loop_;
  loop.StopListening();
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
