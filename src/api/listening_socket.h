// Sockets that listen, and the addresses that they are given by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace muster::api {

struct HostPort {
  std::string host;  // a numeric address, IPv6 without brackets
  std::uint16_t port = 0;
};
// `host:port` or `[ipv6]:port`; the host is numeric or `localhost`. InvalidArgument: it is not.
absl::StatusOr<HostPort> ParseHostPort(const std::string& address);
bool IsLoopbackHost(const std::string& host);
// "127.0.0.1:7700", "[::1]:7700".
std::string Text(const HostPort& at);

struct ListeningSocket {
  int socket = -1;
  std::uint16_t port = 0;
};
// Non-blocking, with SO_REUSEPORT, so that each reactor has one of its own on the same port. Port
// 0: the kernel chooses. Unavailable says why not.
absl::StatusOr<ListeningSocket> OpenListeningSocket(const std::string& host, std::uint16_t port);

// Unavailable if somebody listens there, whom SO_REUSEPORT would let us share the port with in
// silence.
absl::Status CheckNobodyListens(const HostPort& at);

// Raises this process's limit of open files so far that `connections` fit beside the store's own,
// or as far as it may be raised, which is logged if it isn't far enough.
void AllowConnections(std::size_t connections);

}  // namespace muster::api
