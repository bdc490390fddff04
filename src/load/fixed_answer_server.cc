#include "load/fixed_answer_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string_view>
#include <unordered_map>

#include "base/strings.h"

namespace muster::load {

namespace {

constexpr int kWaitMillis = 20;
constexpr std::string_view kLength = "Content-Length: ";

// Bytes of the first request in `bytes`; 0: it is not complete.
std::size_t RequestSize(std::string_view bytes) {
  const std::size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return 0;
  std::size_t length = 0;
  const std::size_t at = bytes.substr(0, end).find(kLength);
  if (at != std::string_view::npos) {
    std::from_chars(bytes.data() + at + kLength.size(), bytes.data() + end, length);
  }
  const std::size_t size = end + 4 + length;
  return bytes.size() >= size ? size : 0;
}

int Listen(std::uint16_t port, std::uint16_t* chosen) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (listener < 0 || bind(listener, generic, size) != 0 || listen(listener, 1024) != 0 ||
      getsockname(listener, generic, &size) != 0) {
    if (listener >= 0) close(listener);
    return -1;
  }
  *chosen = ntohs(address.sin_port);
  return listener;
}

struct Peer {
  std::string input, output;
};

// What is there is read to its end, since the events are edges. False: the connection is over.
bool Receive(int descriptor, Peer* peer) {
  static thread_local char buffer[64 * 1024];
  while (true) {
    const ssize_t got = recv(descriptor, buffer, sizeof buffer, 0);
    if (got == 0) return false;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN;
    peer->input.append(buffer, static_cast<std::size_t>(got));
    if (static_cast<std::size_t>(got) < sizeof buffer) return true;
  }
}

bool Answer(int descriptor, const std::string& response, Peer* peer) {
  if (!Receive(descriptor, peer)) return false;
  std::size_t consumed = 0;
  while (const std::size_t size = RequestSize(std::string_view(peer->input).substr(consumed))) {
    peer->output += response;
    consumed += size;
  }
  peer->input.erase(0, consumed);
  while (!peer->output.empty()) {
    const ssize_t sent = send(descriptor, peer->output.data(), peer->output.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno == EAGAIN;
    peer->output.erase(0, static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

FixedAnswerServer::~FixedAnswerServer() { Stop(); }

absl::Status FixedAnswerServer::Start(std::uint32_t threads, std::string answer) {
  response_ = base::StrCat("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ",
                           answer.size(), "\r\n\r\n", answer);
  for (std::uint32_t i = 0; i < threads; ++i) {
    const int listener = Listen(port_, &port_);
    if (listener < 0) return absl::UnavailableError("no port to listen on is left");
    threads_.emplace_back([this, listener] { Serve(listener); });
  }
  return absl::OkStatus();
}

void FixedAnswerServer::Stop() {
  is_stopping_.store(true);
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void FixedAnswerServer::Serve(int listener) {
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  std::unordered_map<int, Peer> peers;
  const auto watch = [&](int descriptor, std::uint32_t what) {
    epoll_event event{};
    event.events = what;
    event.data.fd = descriptor;
    epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
  };
  watch(listener, EPOLLIN);
  epoll_event events[256];
  while (!is_stopping_.load(std::memory_order_relaxed)) {
    const int count = epoll_wait(epoll, events, 256, kWaitMillis);
    for (int i = 0; i < count; ++i) {
      const int descriptor = events[i].data.fd;
      if (descriptor == listener) {
        const int peer = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (peer < 0) continue;
        const int on = 1;
        setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        peers.emplace(peer, Peer());
        watch(peer, EPOLLIN | EPOLLOUT | EPOLLET);
      } else if (!Answer(descriptor, response_, &peers[descriptor])) {
        close(descriptor);
        peers.erase(descriptor);
      }
    }
  }
  for (const auto& [descriptor, peer] : peers) close(descriptor);
  close(listener);
  close(epoll);
}

}  // namespace muster::load
