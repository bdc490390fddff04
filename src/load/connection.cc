#include "load/connection.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "base/strings.h"

namespace muster::load {

namespace {

constexpr std::size_t kReadBytes = 64 * 1024;

absl::Status Failed(std::string_view what) {
  return absl::UnavailableError(base::StrCat(what, ": ", std::strerror(errno)));
}

}  // namespace

Connection::~Connection() { Close(); }

void Connection::Close() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

absl::Status Connection::Open(const std::string& host, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) {
    return base::InvalidArgument(base::StrCat("`", host, "` is no numeric IPv4 address"));
  }
  descriptor_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor_ < 0) return Failed("no socket");
  if (connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const absl::Status status = Failed(base::StrCat("no connection to ", host, ":", port));
    Close();
    return status;
  }
  const int on = 1;
  setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  fcntl(descriptor_, F_SETFL, fcntl(descriptor_, F_GETFL) | O_NONBLOCK);
  return absl::OkStatus();
}

UnderWay Connection::Pop() {
  MUSTER_CHECK(size_ > 0, "a response answers a request");
  const UnderWay request = ring_[first_];
  first_ = (first_ + 1) % ring_.size();
  --size_;
  return request;
}

bool Connection::Flush(std::uint64_t* sent_bytes) {
  while (sent_ < output_.size()) {
    const ssize_t sent =
        send(descriptor_, output_.data() + sent_, output_.size() - sent_, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    sent_ += static_cast<std::size_t>(sent);
    *sent_bytes += static_cast<std::uint64_t>(sent);
  }
  output_.clear();
  sent_ = 0;
  return true;
}

bool Connection::Receive(std::uint64_t* received_bytes) {
  if (consumed_ == input_.size()) {
    input_.clear();
    consumed_ = 0;
  } else if (consumed_ > kReadBytes) {
    input_.erase(0, consumed_);
    consumed_ = 0;
  }
  static thread_local char buffer[kReadBytes];
  while (true) {
    const ssize_t got = recv(descriptor_, buffer, sizeof buffer, 0);
    if (got == 0) return false;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    input_.append(buffer, static_cast<std::size_t>(got));
    *received_bytes += static_cast<std::uint64_t>(got);
    if (static_cast<std::size_t>(got) < sizeof buffer) return true;
  }
}

}  // namespace muster::load
