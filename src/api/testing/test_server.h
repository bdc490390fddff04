// A whole node behind HTTP in one test thread: virtual clock, storage in memory, real sockets on
// loopback. Nothing happens but in Step, so a test decides when the server runs and how late it is.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/access.h"
#include "api/server.h"
#include "base/time.h"
#include "journal/memory_storage.h"
#include "node/node.h"

namespace muster::api {

class TestClock : public node::Clock {
 public:
  base::Now Read() const override { return now_; }
  void Advance(base::Duration d) {
    now_.mono += d;
    now_.wall += d;
  }

 private:
  base::Now now_{base::MonoFromNanos(1'000'000'000'000),
                 base::WallFromUnixNanos(1'800'000'000'000'000'000)};
};

struct HttpResponse {
  int status = 0;
  std::string head;  // status line and fields
  std::string body;

  // The value of a field, by its exact name; empty: none.
  std::string Field(std::string_view name) const;
};

class TestServer {
 public:
  explicit TestServer(Options options = {}, node::Options node_options = {},
                      const Access* access = nullptr);

  // One turn of the Worker: receive, submit, run all, send.
  void Step();
  TestClock& clock() { return clock_; }
  node::Node& node() { return *node_; }
  Server& server() { return server_; }
  journal::MemoryStorage& storage() { return storage_; }

 private:
  Access open_access_;
  TestClock clock_;
  journal::MemoryStorage storage_;
  Server server_;
  node::Inbox inbox_;
  std::unique_ptr<node::Node> node_;
};

// A client's end of one connection.
class TestConnection {
 public:
  explicit TestConnection(TestServer* server, int receive_buffer_bytes = 0);
  ~TestConnection();
  TestConnection(const TestConnection&) = delete;
  TestConnection& operator=(const TestConnection&) = delete;

  // Sends all, letting the server run as needed; false once the server has closed.
  bool Send(std::string_view bytes);
  void SendEnd();  // half-closes
  void Reset();    // closes so that the server sees a reset
  // The next response, letting the server run until it is there; status 0: the server closed first,
  // or gave none in `steps` turns.
  HttpResponse Receive(bool head_only = false, int steps = 400);
  // True if the server has closed (within some turns) and sent nothing more.
  bool Closed(int steps = 50);
  // Sends `method target` with `body` and gives the response.
  HttpResponse Do(std::string_view method, std::string_view target, std::string_view body = {},
                  std::string_view fields = {});

 private:
  // Moves what has come into received_; false: closed.
  bool Pull();
  bool TakeResponse(bool head_only, HttpResponse* response);

  TestServer* server_;
  int socket_ = -1;
  bool closed_ = false;
  std::string received_;
};

// A whole request with its length.
std::string Request(std::string_view method, std::string_view target, std::string_view body = {},
                    std::string_view fields = {});

}  // namespace muster::api
