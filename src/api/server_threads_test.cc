// Two Workers on two threads: replies that cross from one to the other, and a drain. For
// ThreadSanitizer above all.
#include <atomic>
#include <chrono>
#include <thread>

#include "api/client.h"
#include "api/server.h"
#include "base/strings.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/memory_storage.h"
#include "node/node.h"

namespace muster::api {
namespace {

using testing::HasSubstr;

class SteadyClock : public node::Clock {
 public:
  base::Now Read() const override {
    return {base::MonoTime(std::chrono::steady_clock::now().time_since_epoch()),
            base::WallTime(std::chrono::system_clock::now().time_since_epoch())};
  }
};

constexpr std::uint32_t kWorkers = 2;

node::Options TwoWorkers() {
  node::Options options;
  options.schedule.workers = kWorkers;
  return options;
}

class ServerThreads : public testing::Test {
 protected:
  ServerThreads() {
    EXPECT_TRUE(node_.Recover().ok());
    server_.Attach(&node_);
    EXPECT_TRUE(server_.Listen("127.0.0.1:0").ok());
    for (std::uint32_t i = 0; i < kWorkers; ++i) {
      threads_.emplace_back([this, i] { Run(i); });
    }
  }
  ~ServerThreads() override { Stop(); }

  void Stop() {
    stopping_ = true;
    for (std::uint32_t i = 0; i < kWorkers; ++i) server_.Wake(i);
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  void Run(std::uint32_t index) {
    node::EventSource* source = server_.source(index);
    node::Inbox inbox;
    bool busy = false;
    while (true) {
      const bool stopping = stopping_;
      const base::Duration wait = busy || stopping ? base::Duration(0) : node_.PrepareToWait(index);
      source->Poll(wait, &inbox);
      if (!busy) node_.StopWaiting(index);
      node_.Submit(index, &inbox);
      busy = node_.Work(index);
      source->Flush();
      if (stopping && !busy && source->Drain()) return;
    }
  }

  Client Connect() {
    ClientOptions options;
    options.url = base::StrCat("http://", server_.listening_on());
    return *Client::Make(options);
  }

  SteadyClock clock_;
  Access access_;
  journal::MemoryStorage storage_;
  Server server_{Options{}, kWorkers, &clock_, &access_};
  node::Node node_{TwoWorkers(), &storage_, &clock_, &server_, &server_};
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> threads_;
};

TEST_F(ServerThreads, ClientsOfBothWorkersAreAllAnswered) {
  std::atomic<int> failures{0};
  std::vector<std::thread> clients;
  for (int c = 0; c < 6; ++c) {
    clients.emplace_back([this, c, &failures] {
      Client client = Connect();
      const std::string path = base::StrCat("/v1/agents/agent-", c);
      const auto expect = [&](const absl::StatusOr<ClientResponse>& response, int status) {
        if (!response.ok() || response->status != status) ++failures;
      };
      expect(client.Send("PUT", path, R"({"card":{"name":"A"}})"), 201);
      for (int i = 0; i < 40; ++i) {
        expect(client.Send("POST", path + "/reports",
                           base::StrCat(R"({"states":{"load":0.)", i % 10, "}}")),
               200);
        expect(client.Send("GET", path), 200);
        expect(client.Send("POST", "/v1/agents:discover", R"({"filter":"load < 0.5"})"), 200);
        std::string lines;
        for (int line = 0; line < 50; ++line) {
          base::StrAppend(&lines, R"({"id":"agent-)", c, R"(","states":{"load":0.1}})", "\n");
        }
        expect(client.Send("POST", "/v1/reports", lines, "application/x-ndjson"), 200);
      }
      expect(client.Send("GET", "/metrics"), 200);
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(failures, 0);
}

TEST_F(ServerThreads, AReplyToAConnectionThatIsGoneIsDropped) {
  for (int i = 0; i < 30; ++i) {
    Client client = Connect();
    EXPECT_TRUE(client.Send("PUT", "/v1/agents/x", R"({"card":{"name":"A"}})").ok());
  }
  Client client = Connect();
  const auto metrics = client.Send("GET", "/metrics");
  ASSERT_TRUE(metrics.ok()) << metrics.status();
  EXPECT_THAT(metrics->body, HasSubstr("muster_registrations_total 1\n"));
}

TEST_F(ServerThreads, TheClientSpeaksPlainly) {
  Client client = Connect();
  const auto missing = client.Send("GET", "/v1/agents/none");
  ASSERT_TRUE(missing.ok());
  EXPECT_EQ(missing->status, 404);
  EXPECT_EQ(missing->Header("content-TYPE"), "application/problem+json");
  const auto head = client.Send("HEAD", "/openapi.json");
  ASSERT_TRUE(head.ok()) << head.status();
  EXPECT_EQ(head->body, "");
  EXPECT_TRUE(client.Send("GET", "/livez", {}, {}, {{"Connection", "close"}}).ok());
  EXPECT_TRUE(client.Send("GET", "/livez").ok());

  const std::string gone = base::StrCat("http://", server_.listening_on());
  Stop();
  const auto refused = client.Send("GET", "/livez");
  EXPECT_TRUE(absl::IsUnavailable(refused.status())) << refused.status();
  EXPECT_THAT(std::string(base::Message(refused.status())), HasSubstr(gone));
}

TEST(Client, UrlsThatAreNone) {
  for (const char* url : {"", "127.0.0.1:7700", "https://node", "http://", "http://node/path",
                          "http://node:port", "http://:80"}) {
    ClientOptions options;
    options.url = url;
    EXPECT_FALSE(Client::Make(options).ok()) << url;
  }
  for (const char* url : {"http://node", "http://node:7700/", "http://[::1]:7700", "HTTP://node"}) {
    ClientOptions options;
    options.url = url;
    EXPECT_TRUE(Client::Make(options).ok()) << url;
  }
}

}  // namespace
}  // namespace muster::api
