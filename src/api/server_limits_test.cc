// Slow, silent, numerous and unauthorised clients, on virtual time.
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "api/server.h"
#include "api/testing/test_server.h"
#include "base/strings.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace muster::api {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

constexpr char kCard[] = R"({"card":{"name":"A"}})";

TEST(ServerTimes, ASilentConnectionIsClosedAfterTheIdleTime) {
  TestServer server;
  TestConnection client(&server);
  EXPECT_EQ(client.Do("GET", "/livez").status, 200);
  server.clock().Advance(seconds(74));
  EXPECT_EQ(client.Do("GET", "/livez").status, 200);
  server.clock().Advance(seconds(76));
  EXPECT_TRUE(client.Closed());
}

TEST(ServerTimes, ATrickledHeaderGets408InTheEnd) {
  TestServer server;
  TestConnection client(&server);
  client.Send("GET /livez HTTP/1.1\r\n");
  for (int i = 0; i < 9; ++i) {
    server.Step();
    server.clock().Advance(seconds(1));
    client.Send("X: y\r\n");
  }
  server.Step();
  server.clock().Advance(seconds(2));
  const HttpResponse response = client.Receive();
  EXPECT_EQ(response.status, 408);
  EXPECT_EQ(response.Field("Connection"), "close");
  EXPECT_TRUE(client.Closed());
}

TEST(ServerTimes, ASlowBodyGets408) {
  TestServer server;
  TestConnection client(&server);
  client.Send("PUT /v1/agents/a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
  server.Step();
  server.clock().Advance(seconds(31));
  EXPECT_EQ(client.Receive().status, 408);
}

TEST(ServerTimes, AnUploadHasItsTimeFromPieceToPiece) {
  TestServer server;
  TestConnection client(&server);
  client.Send("POST /v1/reports HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 5; ++i) {
    client.Send("1\r\n\n\r\n");
    server.Step();
    server.clock().Advance(seconds(29));
  }
  client.Send("0\r\n\r\n");
  EXPECT_EQ(client.Receive().status, 200);
}

TEST(ServerTimes, HalfOpenConnectionsAreDroppedAndHarmNobody) {
  Options options;
  options.connections_max = 300;
  TestServer server(options);
  std::vector<std::unique_ptr<TestConnection>> slow;
  for (int i = 0; i < 290; ++i) {
    slow.push_back(std::make_unique<TestConnection>(&server));
    slow.back()->Send("GET /v1/agents HTTP/1.1\r\nX: ");
  }
  TestConnection good(&server);
  EXPECT_EQ(good.Do("GET", "/livez").status, 200);
  server.Step();
  server.clock().Advance(seconds(11));
  for (auto& connection : slow) EXPECT_EQ(connection->Receive().status, 408);
  EXPECT_EQ(good.Do("GET", "/livez").status, 200);
}

TEST(ServerLimits, OneConnectionTooManyIsTold) {
  Options options;
  options.connections_max = 2;
  TestServer server(options);
  TestConnection first(&server);
  auto second = std::make_unique<TestConnection>(&server);
  TestConnection third(&server);
  const HttpResponse refused = third.Receive();
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.Field("Retry-After"), "1");
  EXPECT_TRUE(third.Closed());
  EXPECT_EQ(first.Do("GET", "/livez").status, 200);
  second.reset();
  for (int i = 0; i < 5; ++i) server.Step();
  TestConnection fourth(&server);
  EXPECT_EQ(fourth.Do("GET", "/livez").status, 200);
}

TEST(ServerLimits, AClientThatDoesNotReadIsNotServedFurtherAndThenCut) {
  TestServer server;
  TestConnection client(&server, 4096);
  std::string many;
  for (int i = 0; i < 100; ++i) many += Request("GET", "/openapi.json");
  client.Send(many);
  for (int i = 0; i < 20; ++i) server.Step();
  server.clock().Advance(seconds(31));
  for (int i = 0; i < 5; ++i) server.Step();
  int answered = 0;
  while (client.Receive().status == 200) ++answered;
  EXPECT_LT(answered, 100);
}

TEST(ServerLimits, AReaderThatIsMerelySlowGetsEverything) {
  TestServer server;
  TestConnection client(&server, 4096);
  std::string many;
  for (int i = 0; i < 300; ++i) many += Request("GET", "/openapi.json");
  client.Send(many);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(client.Receive(false, 10'000).status, 200) << i;
  EXPECT_EQ(client.Do("GET", "/livez").status, 200);
}

TEST(ServerLimits, ManyPipelinedRequestsWaitTheirTurn) {
  Options options;
  options.pipelined_max = 4;
  TestServer server(options);
  TestConnection client(&server);
  client.Do("PUT", "/v1/agents/a", kCard);
  std::string many;
  for (int i = 0; i < 200; ++i) many += Request("GET", "/v1/agents/a");
  client.Send(many);
  for (int i = 0; i < 200; ++i) ASSERT_EQ(client.Receive().status, 200) << i;
}

TEST(ServerLimits, AResetConnectionIsForgotten) {
  TestServer server;
  for (int i = 0; i < 20; ++i) {
    TestConnection client(&server);
    client.Send(Request("PUT", "/v1/agents/a", kCard) + Request("GET", "/v1/agents/a"));
    client.Reset();
  }
  TestConnection client(&server);
  EXPECT_THAT(client.Do("GET", "/metrics").body, HasSubstr("muster_http_connections 1\n"));
}

TEST(ServerLog, OneLineARequestIfAskedFor) {
  std::ostringstream lines;
  const auto before = spdlog::default_logger();
  const auto sink = std::make_shared<spdlog::sinks::ostream_sink_st>(lines);
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("test", sink));
  Options options;
  options.access_log = true;
  TestServer server(options);
  TestConnection client(&server);
  client.Do("PUT", "/v1/agents/a", kCard);
  client.Do("GET", "/nothing?token=1");
  spdlog::set_default_logger(before);
  EXPECT_THAT(lines.str(), HasSubstr("PUT /v1/agents/a 201 0.000ms"));
  EXPECT_THAT(lines.str(), HasSubstr("GET /nothing?token=1 404 0.000ms"));
}

class ServerAccess : public testing::Test {
 protected:
  ServerAccess() {
    std::ofstream(path_) << "dash read token-for-reading-1\nagent report token-for-report-1\n"
                            "ops register token-for-register\nroot admin token-for-admin-001\n";
    EXPECT_TRUE(access_.Load(path_).ok());
  }
  ~ServerAccess() override { std::remove(path_.c_str()); }
  HttpResponse Do(std::string_view method, std::string_view target, std::string_view token,
                  std::string_view body = {}) {
    return client_.Do(method, target, body, base::StrCat("Authorization: Bearer ", token, "\r\n"));
  }

  std::string path_ = testing::TempDir() + "muster_server_access_" +
                      testing::UnitTest::GetInstance()->current_test_info()->name();
  Access access_;
  TestServer server_{Options{}, node::Options{}, &access_};
  TestConnection client_{&server_};
};

TEST_F(ServerAccess, EveryCallAsksForItsScope) {
  EXPECT_EQ(client_.Do("GET", "/livez").status, 200);
  EXPECT_EQ(client_.Do("GET", "/readyz").status, 200);
  const HttpResponse nobody = client_.Do("GET", "/v1/agents/a");
  EXPECT_EQ(nobody.status, 401);
  EXPECT_EQ(nobody.Field("WWW-Authenticate"), "Bearer realm=\"muster\"");
  EXPECT_EQ(client_.Do("GET", "/metrics").status, 401);
  EXPECT_EQ(Do("GET", "/metrics", "token-for-reading-1").status, 200);
  EXPECT_EQ(Do("GET", "/v1/agents/a", "token-for-nothing-1").status, 401);
  EXPECT_EQ(Do("PUT", "/v1/agents/a", "token-for-register", kCard).status, 201);
  EXPECT_EQ(Do("GET", "/v1/agents/a", "token-for-reading-1").status, 200);
  EXPECT_EQ(
      Do("POST", "/v1/agents/a/reports", "token-for-report-1", R"({"states":{"load":0}})").status,
      200);
  EXPECT_EQ(Do("PATCH", "/v1/scheduler", "token-for-admin-001", "{}").status, 200);
  EXPECT_EQ(Do("DELETE", "/v1/agents/a", "token-for-admin-001").status, 200);
  const HttpResponse forbidden = Do("PUT", "/v1/agents/b", "token-for-reading-1", kCard);
  EXPECT_EQ(forbidden.status, 403);
  EXPECT_THAT(forbidden.body, HasSubstr("scope `register`"));
  EXPECT_EQ(Do("POST", "/v1/reports", "token-for-register", "\n").status, 403);
  EXPECT_EQ(Do("PATCH", "/v1/scheduler", "token-for-register", "{}").status, 403);
}

TEST_F(ServerAccess, AReloadReachesOpenConnections) {
  EXPECT_EQ(Do("GET", "/v1/agents", "token-for-reading-1").status, 200);
  std::ofstream(path_) << "dash read token-for-reading-2\n";
  ASSERT_TRUE(access_.Reload().ok());
  EXPECT_EQ(Do("GET", "/v1/agents", "token-for-reading-1").status, 401);
  EXPECT_EQ(Do("GET", "/v1/agents", "token-for-reading-2").status, 200);
}

TEST(ServerListen, MistakesAndTakenPortsAreSaid) {
  TestServer taken;
  journal::MemoryStorage storage;
  TestClock clock;
  Access access;
  Server server({}, 1, &clock, &access);
  node::Node node({}, &storage, &clock, &server, &server);
  server.Attach(&node);
  for (const char* bad : {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:99999", "node:1",
                          "[::1:1", ":80"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(server.Listen(bad))) << bad;
  }
  const absl::Status second = server.Listen(taken.server().listening_on());
  EXPECT_TRUE(absl::IsUnavailable(second)) << second;
  EXPECT_THAT(std::string(base::Message(second)), HasSubstr("another program"));
}

TEST(ServerListen, LoopbackIsRecognised) {
  EXPECT_TRUE(*IsLoopback("127.0.0.1:7700"));
  EXPECT_TRUE(*IsLoopback("127.3.2.1:7700"));
  EXPECT_TRUE(*IsLoopback("[::1]:7700"));
  EXPECT_TRUE(*IsLoopback("localhost:7700"));
  EXPECT_FALSE(*IsLoopback("0.0.0.0:7700"));
  EXPECT_FALSE(*IsLoopback("[::]:7700"));
  EXPECT_FALSE(IsLoopback("7700").ok());
}

}  // namespace
}  // namespace muster::api
