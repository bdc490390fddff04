// A small blocking HTTP/1.1 client for command-line programs: one connection, kept alive.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/time.h"

namespace muster::api {

struct ClientOptions {
  std::string url = "http://127.0.0.1:7700";  // http://host[:port], no path
  std::string token;                          // empty: none is sent
  base::Duration connect_time_max = std::chrono::seconds(5);
  base::Duration answer_time_max = std::chrono::seconds(30);
  std::size_t body_bytes_max = 256 * 1024 * 1024;
};

struct ClientResponse {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  // The first of this name, whatever its case; empty: none.
  std::string_view Header(std::string_view name) const;
};

// Not thread-safe.
class Client {
 public:
  // InvalidArgument: the URL is not of the form above.
  static absl::StatusOr<Client> Make(const ClientOptions& options);
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;
  ~Client();

  using Headers = std::vector<std::pair<std::string, std::string>>;

  // Sends one request (`target` is a path with its query, percent-encoded) and waits for its
  // answer, whatever its status is. A connection that the server has closed meanwhile is made anew,
  // once, if nothing of the answer had come. Unavailable: no connection; DeadlineExceeded: no
  // answer in time; the message says to whom.
  absl::StatusOr<ClientResponse> Send(std::string_view method, std::string_view target,
                                      std::string_view body = {},
                                      std::string_view content_type = "application/json",
                                      const Headers& headers = {});

 private:
  struct Connection;
  explicit Client(std::unique_ptr<Connection> connection);
  std::unique_ptr<Connection> connection_;
};

}  // namespace muster::api
