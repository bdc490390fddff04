// NDJSON uploads of any length.
#include "api/server.h"
#include "api/testing/test_server.h"
#include "base/strings.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace muster::api {
namespace {

using testing::HasSubstr;

constexpr char kUpload[] =
    "POST /v1/reports HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n";

class ServerUpload : public testing::Test {
 protected:
  ServerUpload() {
    for (const char* id : {"a", "b"}) {
      client_.Do("PUT", base::StrCat("/v1/agents/", id), R"({"card":{"name":"A"}})");
    }
  }
  std::string Load(std::string_view id) {
    const HttpResponse agent = client_.Do("GET", base::StrCat("/v1/agents/", id));
    const std::size_t at = agent.body.find("\"load\":{\"value\":");
    if (at == std::string::npos) return "none";
    return agent.body.substr(at + 16, agent.body.find(',', at) - at - 16);
  }
  void SendChunk(std::string_view text) {
    char size[20];
    std::snprintf(size, sizeof size, "%zx\r\n", text.size());
    client_.Send(base::StrCat(size, text, "\r\n"));
    for (int i = 0; i < 3; ++i) server_.Step();
  }

  TestServer server_;
  TestConnection client_{&server_};
};

TEST_F(ServerUpload, CountsAndNamesWhatWasRejected) {
  const HttpResponse response =
      client_.Do("POST", "/v1/reports",
                 R"({"id":"a","states":{"load":0.1}})"
                 "\n"
                 R"({"id":"b","states":{"load":0.2}})"
                 "\n\n"
                 R"({"id":"nobody","states":{"load":0.2}})"
                 "\n"
                 R"({"id":"a","states":{"load":7}})"
                 "\n"
                 R"({"states":{"load":0.2}})"
                 "\n"
                 "nonsense\n"
                 R"({"id":"a","generated_at":"2020-01-01T00:00:00Z","states":{"load":0.9}})");
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(response.body,
              HasSubstr(R"({"accepted":2,"superseded":1,"duplicate":0,"rejected":4,"errors":[)"));
  EXPECT_THAT(response.body, HasSubstr(R"("line":4,"id":"nobody","status":404)"));
  EXPECT_THAT(response.body, HasSubstr(R"("line":5,"id":"a","status":400)"));
  EXPECT_THAT(response.body, HasSubstr(R"("line":6,"status":400)"));
  EXPECT_THAT(response.body, HasSubstr(R"("line":7,"status":400)"));
  EXPECT_EQ(Load("a"), "0.1");
  EXPECT_EQ(Load("b"), "0.2");
}

TEST_F(ServerUpload, StreamsWithoutEndAndAppliesAsItGoes) {
  client_.Send(base::StrCat(kUpload, "Transfer-Encoding: chunked\r\n\r\n"));
  SendChunk(R"({"id":"a","states":{"load":0.1}})"
            "\n"
            R"({"id":"b","sta)");
  TestConnection other(&server_);
  EXPECT_THAT(other.Do("GET", "/v1/agents/a").body, HasSubstr(R"("load":{"value":0.1,)"));
  SendChunk(R"(tes":{"load":0.3}})"
            "\n");
  EXPECT_THAT(other.Do("GET", "/v1/agents/b").body, HasSubstr(R"("load":{"value":0.3,)"));
  client_.Send("0\r\n\r\n");
  EXPECT_THAT(client_.Receive().body, HasSubstr("\"accepted\":2"));
}

TEST_F(ServerUpload, ManyLinesPassThroughABoundedBuffer) {
  std::string body;
  for (int i = 0; i < 20'000; ++i) {
    base::StrAppend(&body, R"({"id":"a","states":{"load":0.)", i % 10, "}}\n");
  }
  const HttpResponse response = client_.Do("POST", "/v1/reports", body);
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(response.body, HasSubstr("\"rejected\":0,"));
  EXPECT_EQ(Load("a"), "0.9");
}

TEST_F(ServerUpload, WhatFollowsWaitsForTheUpload) {
  const std::string body = R"({"id":"a","states":{"load":0.6}})";
  client_.Send(base::StrCat(Request("GET", "/v1/agents/b"), kUpload, "Content-Length: ",
                            body.size(), "\r\n\r\n", body, Request("GET", "/v1/agents/a")));
  EXPECT_EQ(client_.Receive().status, 200);
  EXPECT_THAT(client_.Receive().body, HasSubstr("\"accepted\":1"));
  EXPECT_THAT(client_.Receive().body, HasSubstr(R"("load":{"value":0.6,)"));
}

TEST_F(ServerUpload, ABrokenUploadKeepsWhatItBrought) {
  client_.Send(base::StrCat(kUpload, "Transfer-Encoding: chunked\r\n\r\n"));
  SendChunk(R"({"id":"a","states":{"load":0.1}})"
            "\n");
  client_.Send("zz\r\n");
  EXPECT_EQ(client_.Receive().status, 400);
  TestConnection other(&server_);
  EXPECT_THAT(other.Do("GET", "/v1/agents/a").body, HasSubstr(R"("load":{"value":0.1,)"));
}

TEST_F(ServerUpload, QueuedIsAcceptedAtOnce) {
  const HttpResponse response = client_.Do("POST", "/v1/reports?ack=queued",
                                           R"({"id":"a","states":{"load":0.1}})"
                                           "\n");
  EXPECT_THAT(response.body, HasSubstr("\"accepted\":1"));
  EXPECT_EQ(
      client_.Do("POST", "/v1/agents/a/reports?ack=queued", R"({"states":{"load":0.2}})").status,
      202);
}

TEST_F(ServerUpload, ContinueIsSentToAnUploadThatWaitsForIt) {
  const std::string body = R"({"id":"a","states":{"load":0.6}})";
  client_.Send(
      base::StrCat(kUpload, "Expect: 100-continue\r\nContent-Length: ", body.size(), "\r\n\r\n"));
  EXPECT_EQ(client_.Receive().status, 100);
  client_.Send(body);
  EXPECT_THAT(client_.Receive().body, HasSubstr("\"accepted\":1"));
}

}  // namespace
}  // namespace muster::api
