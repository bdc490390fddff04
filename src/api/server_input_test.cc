// Bad and hostile input: each gets the documented error, and nothing is lost or changed.
#include <rapidcheck.h>

#include "api/server.h"
#include "api/testing/test_server.h"
#include "base/strings.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace muster::api {
namespace {

using testing::HasSubstr;

constexpr char kCard[] = R"({"card":{"name":"A"}})";

class ServerInput : public testing::Test {
 protected:
  ServerInput() { client_.Do("PUT", "/v1/agents/a", kCard); }
  int Report(std::string_view json) {
    return client_.Do("POST", "/v1/agents/a/reports", json).status;
  }

  TestServer server_;
  TestConnection client_{&server_};
};

TEST_F(ServerInput, BadReportsChangeNothing) {
  EXPECT_EQ(Report(R"({"states":{"load":0.5}})"), 200);
  const std::string deep(50'000, '[');
  const std::string cases[] = {"",
                               "{",
                               "[]",
                               "null",
                               deep,
                               R"({"states":)" + deep,
                               R"({"states":{"load":NaN}})",
                               R"({"states":{"load":1e999}})",
                               R"({"states":{"load":1.5}})",
                               R"({"states":{"load":"high"}})",
                               R"({"states":{"load":0.1,"nothing":1}})",
                               R"({"states":{"availability":"asleep"}})",
                               "{\"states\":{\"availability\":\"\xff\"}}",
                               R"({"states":{"availability":"\ud800"}})",
                               R"({"states":{"load":0.1},"states":{"load":0.2}})",
                               R"({"states":{"load":0.1,"load":0.2}})",
                               R"({"incarnation":-1,"states":{"load":0.1}})",
                               R"({"generated_at":"now","states":{"load":0.1}})",
                               R"({"generated_at":"2027-01-16T08:00:00Z","states":{"load":0.1}})",
                               std::string("{\"states\":{\"load\":0.1}}\0", 24),
                               R"({"states":{"load":0.1}} x)"};
  for (const std::string& json : cases) {
    EXPECT_EQ(Report(json), 400) << json.substr(0, 80);
  }
  EXPECT_EQ(Report(std::string(100'000, '[')), 413);
  EXPECT_EQ(Report(R"({"note":")" + std::string(70'000, 'a') + "\"}"), 413);
  EXPECT_EQ(Report(R"({"generated_at":"2027-01-14T08:00:00Z","states":{"load":0.1}})"), 200);
  const HttpResponse agent = client_.Do("GET", "/v1/agents/a");
  EXPECT_THAT(agent.body, HasSubstr(R"("load":{"value":0.5,)")) << agent.body;
}

TEST_F(ServerInput, ProblemsNameTheField) {
  const HttpResponse response =
      client_.Do("POST", "/v1/agents/a/reports", R"({"states":{"load":1.5}})");
  EXPECT_EQ(response.Field("Content-Type"), "application/problem+json");
  EXPECT_THAT(response.body, HasSubstr(R"("type":"/problems/bad-request")"));
  EXPECT_THAT(response.body, HasSubstr(R"("pointer":"/states/load")"));
}

TEST_F(ServerInput, BadQueries) {
  for (const char* json :
       {"", "[]", R"({"limit":0})", R"({"limit":-1})", R"({"limit":100000})",
        R"({"filter":"load <"})", R"({"filter":"nothing = 1"})", R"({"order_by":"nothing"})",
        R"({"freshness":"always"})", R"({"near":{"latitude":91,"longitude":0,"radius":1}})",
        R"({"deadline":"-1s"})", R"({"unknown":1})", R"({"rank":{"load":1},"order_by":"load"})"}) {
    const HttpResponse response = client_.Do("POST", "/v1/agents:discover", json);
    EXPECT_EQ(response.status, 400) << json << response.body;
  }
  const HttpResponse none =
      client_.Do("POST", "/v1/agents:discover", R"({"filter":"id = \"nobody\""})");
  EXPECT_EQ(none.status, 200);
  EXPECT_THAT(none.body, HasSubstr(R"("agents":[])"));
}

TEST_F(ServerInput, BadRegistrations) {
  for (const char* json :
       {"", "{}", R"({"card":{}})", R"({"card":{"name":""}})", R"({"card":3})",
        R"({"card":{"name":"a"},"labels":{"x":1}})", R"({"card":{"name":"a"},"lease":"soon"})"}) {
    EXPECT_EQ(client_.Do("PUT", "/v1/agents/b", json).status, 400) << json;
  }
  const std::string big = R"({"card":{"name":"a","x":")" + std::string(300 * 1024, 'x') + "\"}}";
  EXPECT_EQ(client_.Do("PUT", "/v1/agents/b", big).status, 413);
  EXPECT_EQ(client_.Do("GET", "/v1/agents/b").status, 404);
}

TEST_F(ServerInput, AnOversizedBodyIsRefusedBeforeItIsRead) {
  client_.Send("PUT /v1/agents/b HTTP/1.1\r\nHost: x\r\nContent-Length: 900000000000\r\n\r\n{");
  const HttpResponse response = client_.Receive();
  EXPECT_EQ(response.status, 413);
  EXPECT_EQ(response.Field("Connection"), "close");
  EXPECT_EQ(client_.Do("GET", "/livez").status, 0);
}

TEST_F(ServerInput, AnOversizedChunkedBodyIsCutOff) {
  client_.Send("PUT /v1/agents/b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  const std::string chunk = "10000\r\n" + std::string(65536, 'x') + "\r\n";
  for (int i = 0; i < 40; ++i) {
    if (!client_.Send(chunk)) break;
  }
  EXPECT_EQ(client_.Receive().status, 413);
}

TEST_F(ServerInput, MalformedHttpEndsTheConnection) {
  for (const char* bytes :
       {"\r\n\r\n\r\n", "GET\r\n\r\n", "\x16\x03\x01\x02\x00",
        "POST /v1/reports HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"}) {
    TestConnection client(&server_);
    client.Send(bytes);
    client.SendEnd();
    const HttpResponse response = client.Receive();
    EXPECT_TRUE(response.status == 400 || response.status == 505 || response.status == 0)
        << bytes << response.status;
    EXPECT_TRUE(client.Closed()) << bytes;
  }
  EXPECT_EQ(client_.Do("GET", "/livez").status, 200);
}

TEST_F(ServerInput, AHeaderOverTheLimit) {
  const HttpResponse response =
      client_.Do("GET", "/livez", "", base::StrCat("X: ", std::string(20'000, 'x'), "\r\n"));
  EXPECT_EQ(response.status, 431);
  EXPECT_TRUE(client_.Closed());
}

TEST_F(ServerInput, ArbitraryBytesNeverStopTheServer) {
  EXPECT_TRUE(rc::check("bytes", [this](const std::string& bytes) {
    TestConnection client(&server_);
    client.Send("POST /v1/reports HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    client.Send(bytes);
    client.SendEnd();
    const int status = client.Receive().status;
    RC_ASSERT(status == 400 || status == 200);
    RC_ASSERT(client.Closed());
    RC_ASSERT(client_.Do("GET", "/livez").status == 200);
  }));
}

}  // namespace
}  // namespace muster::api
