#include "api/listening_socket.h"

#include <netinet/in.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/strings.h"

namespace muster::api {
namespace {

using boost::asio::ip::tcp;

constexpr int kBacklog = 4096;
constexpr std::size_t kOtherFiles = 1024;  // the store's tables, logs, sockets of our own

absl::Status CantListen(const HostPort& at, int error) {
  return absl::UnavailableError(base::StrCat(
      "Can't listen on ", Text(at), ": ", static_cast<const char*>(std::strerror(error)),
      ". If another program listens there, stop it or choose another port."));
}

// A bound socket; on failure -1, and errno says why.
int OpenBound(const HostPort& at, bool share_port) {
  const tcp::endpoint endpoint(boost::asio::ip::make_address(at.host), at.port);
  const int opened =
      socket(endpoint.protocol().family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
  if (opened < 0) return -1;
  const int on = 1;
  bool done = setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0;
  if (share_port) {
    done = done && setsockopt(opened, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0;
  }
  if (done && bind(opened, endpoint.data(), static_cast<socklen_t>(endpoint.size())) == 0) {
    return opened;
  }
  const int error = errno;
  close(opened);
  errno = error;
  return -1;
}

}  // namespace

absl::StatusOr<HostPort> ParseHostPort(const std::string& address) {
  const auto wrong = [&] {
    return base::InvalidArgument(
        base::StrCat("\"", address,
                     "\" is no address to listen on. Write host:port with a numeric host, such as "
                     "127.0.0.1:7700 or [::1]:7700."));
  };
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return wrong();
  HostPort parsed{address.substr(0, colon), 0};
  const char* end = address.data() + address.size();
  const auto [stop, error] = std::from_chars(address.data() + colon + 1, end, parsed.port);
  if (error != std::errc() || stop != end) return wrong();
  if (parsed.host == "localhost") parsed.host = "127.0.0.1";
  if (parsed.host.size() > 2 && parsed.host.front() == '[' && parsed.host.back() == ']') {
    parsed.host = parsed.host.substr(1, parsed.host.size() - 2);
  }
  boost::system::error_code no_address;
  boost::asio::ip::make_address(parsed.host, no_address);
  if (no_address) return wrong();
  return parsed;
}

bool IsLoopbackHost(const std::string& host) {
  return boost::asio::ip::make_address(host).is_loopback();
}

std::string Text(const HostPort& at) {
  const bool is_ipv6 = at.host.find(':') != std::string::npos;
  return is_ipv6 ? base::StrCat("[", at.host, "]:", at.port) : base::StrCat(at.host, ":", at.port);
}

absl::StatusOr<ListeningSocket> OpenListeningSocket(const std::string& host, std::uint16_t port) {
  const HostPort at{host, port};
  const int opened = OpenBound(at, true);
  if (opened < 0) return CantListen(at, errno);
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  if (listen(opened, kBacklog) != 0 ||
      getsockname(opened, reinterpret_cast<sockaddr*>(&bound), &size) != 0) {
    const int error = errno;
    close(opened);
    return CantListen(at, error);
  }
  // The port stands at the same place for both families.
  const auto* address = reinterpret_cast<const sockaddr_in*>(&bound);
  return ListeningSocket{opened, ntohs(address->sin_port)};
}

absl::Status CheckNobodyListens(const HostPort& at) {
  const int probe = OpenBound(at, false);
  if (probe < 0) return CantListen(at, errno);
  close(probe);
  return absl::OkStatus();
}

void AllowConnections(std::size_t connections) {
  const rlim_t wanted = connections + kOtherFiles;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < wanted) {
    spdlog::warn(
        "Only {} files may be open at once, too few for http.connections_max = {}: further "
        "connections will wait. Raise the hard limit (ulimit -Hn) or lower the option.",
        limit.rlim_cur, connections);
  }
}

}  // namespace muster::api
