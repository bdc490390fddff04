// The calls from end to end: a real node, real sockets, virtual time.
#include "api/server.h"

#include <simdjson.h>

#include "api/testing/test_server.h"
#include "base/strings.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace muster::api {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kCard[] =
    R"({"card":{"name":"Translator","url":"http://t"},"labels":{"region":"eu"}})";

bool IsJson(const std::string& text) {
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  return parser.parse(text).get(document) == simdjson::SUCCESS;
}

class ServerTest : public testing::Test {
 protected:
  TestServer server_;
  TestConnection client_{&server_};
};

TEST_F(ServerTest, AnAgentRegistersReportsAndIsFound) {
  HttpResponse response = client_.Do("PUT", "/v1/agents/t-1", kCard);
  EXPECT_EQ(response.status, 201) << response.body;
  EXPECT_THAT(response.body, HasSubstr(R"("change":"created")"));
  EXPECT_NE(response.Field("ETag"), "");
  response = client_.Do("PUT", "/v1/agents/t-1", kCard);
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(response.body, HasSubstr(R"("change":"unchanged")"));

  response = client_.Do("POST", "/v1/agents/t-1/reports",
                        R"({"states":{"load":0.4,"availability":"ready"}})");
  EXPECT_EQ(response.status, 200) << response.body;
  EXPECT_THAT(response.body, HasSubstr(R"("status":"applied","superseded":[])"));

  server_.clock().Advance(std::chrono::milliseconds(500));
  response = client_.Do("GET", "/v1/agents/t-1");
  EXPECT_EQ(response.status, 200) << response.body;
  EXPECT_TRUE(IsJson(response.body)) << response.body;
  EXPECT_THAT(response.body, HasSubstr(R"("load":{"value":0.4,"generated_at":)"));
  EXPECT_THAT(response.body, HasSubstr(R"("age":"500ms")"));
  EXPECT_THAT(response.body, HasSubstr(R"("card":{"name":"Translator","url":"http://t"})"));
  EXPECT_NE(response.Field("ETag"), "");

  response = client_.Do("POST", "/v1/agents:discover",
                        R"({"filter":"load < 0.7 AND labels.region = \"eu\"","fields":["url"]})");
  EXPECT_EQ(response.status, 200) << response.body;
  EXPECT_TRUE(IsJson(response.body)) << response.body;
  EXPECT_THAT(
      response.body,
      HasSubstr(R"({"agents":[{"id":"t-1","name":"Translator","card":{"url":"http://t"},)"));
  EXPECT_THAT(response.body, HasSubstr(R"("stale":false)"));
}

TEST_F(ServerTest, EveryResponseCarriesRevisionLengthAndDate) {
  for (const char* target : {"/livez", "/nothing", "/v1/agents", "/v1/agents/none", "/metrics"}) {
    const HttpResponse response = client_.Do("GET", target);
    EXPECT_NE(response.Field("Muster-Revision"), "") << target;
    EXPECT_EQ(response.Field("Content-Length"), std::to_string(response.body.size())) << target;
    EXPECT_EQ(response.Field("Date"), "Fri, 15 Jan 2027 08:00:00 GMT") << target;
  }
}

TEST_F(ServerTest, HeadHasTheLengthAndNoBody) {
  const HttpResponse get = client_.Do("GET", "/openapi.json");
  const HttpResponse head = client_.Do("HEAD", "/openapi.json");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.Field("Content-Length"), get.Field("Content-Length"));
  EXPECT_TRUE(IsJson(get.body));
  EXPECT_EQ(client_.Do("HEAD", "/v1/agents/none").status, 404);
  EXPECT_EQ(client_.Do("GET", "/livez").body, "alive\n");
}

TEST_F(ServerTest, RemovedAgentsAreGone) {
  client_.Do("PUT", "/v1/agents/a", kCard);
  EXPECT_EQ(client_.Do("DELETE", "/v1/agents/a").status, 200);
  EXPECT_EQ(client_.Do("GET", "/v1/agents/a").status, 410);
  EXPECT_EQ(client_.Do("POST", "/v1/agents/a/reports", R"({"states":{"load":1}})").status, 410);
  EXPECT_EQ(client_.Do("GET", "/v1/agents/never").status, 404);
}

TEST_F(ServerTest, IfMatchGuardsAReplace) {
  const HttpResponse created = client_.Do("PUT", "/v1/agents/a", kCard);
  const std::string other = R"({"card":{"name":"Other"}})";
  const std::string match = base::StrCat("If-Match: ", created.Field("ETag"), "\r\n");
  EXPECT_EQ(client_.Do("PUT", "/v1/agents/a", other, "If-Match: \"999999\"\r\n").status, 412);
  EXPECT_EQ(client_.Do("PUT", "/v1/agents/a", other, match).status, 200);
  EXPECT_EQ(client_.Do("PUT", "/v1/agents/a", kCard, match).status, 412);
}

TEST_F(ServerTest, IdsAreAnyUtf8) {
  for (const char* id : {"%F0%9F%A4%96", "a%2Fb", "..", "a%20b", "%22quoted%22", "a:discover"}) {
    const std::string path = base::StrCat("/v1/agents/", id);
    EXPECT_EQ(client_.Do("PUT", path, kCard).status, 201) << id;
    const HttpResponse response = client_.Do("GET", path);
    EXPECT_EQ(response.status, 200) << id;
    EXPECT_TRUE(IsJson(response.body)) << response.body;
  }
  for (const char* id : {"%00", "%FF", "a%0Ab", "%C0%AF"}) {
    EXPECT_EQ(client_.Do("PUT", base::StrCat("/v1/agents/", id), kCard).status, 400) << id;
    EXPECT_EQ(client_.Do("GET", base::StrCat("/v1/agents/", id)).status, 400) << id;
  }
}

TEST_F(ServerTest, PipelinedRequestsAreAnsweredInOrderAndAsIfOneByOne) {
  client_.Send(Request("PUT", "/v1/agents/p", kCard) +
               Request("POST", "/v1/agents/p/reports", R"({"states":{"load":0.1}})") +
               Request("POST", "/v1/agents/p/reports", R"({"states":{"load":0.2}})") +
               Request("GET", "/v1/agents/p") + Request("DELETE", "/v1/agents/p") +
               Request("PUT", "/v1/agents/p", kCard) + Request("GET", "/livez") +
               Request("GET", "/nothing"));
  EXPECT_EQ(client_.Receive().status, 201);
  EXPECT_EQ(client_.Receive().status, 200);
  const HttpResponse second = client_.Receive();
  EXPECT_THAT(second.body, HasSubstr(R"("status":"applied")"));
  EXPECT_THAT(client_.Receive().body, HasSubstr(R"("load":{"value":0.2,)"));
  EXPECT_EQ(client_.Receive().status, 200);
  EXPECT_EQ(client_.Receive().status, 201);
  EXPECT_EQ(client_.Receive().body, "alive\n");
  EXPECT_EQ(client_.Receive().status, 404);
}

TEST_F(ServerTest, AHalfClosedConnectionStillGetsItsAnswers) {
  client_.Send(Request("PUT", "/v1/agents/h", kCard) + Request("GET", "/v1/agents/h"));
  client_.SendEnd();
  EXPECT_EQ(client_.Receive().status, 201);
  EXPECT_EQ(client_.Receive().status, 200);
  EXPECT_TRUE(client_.Closed());
}

TEST_F(ServerTest, ConnectionCloseIsHonoured) {
  const HttpResponse response = client_.Do("GET", "/livez", "", "Connection: close\r\n");
  EXPECT_EQ(response.Field("Connection"), "close");
  EXPECT_TRUE(client_.Closed());
}

TEST_F(ServerTest, EmptyLinesBeforeARequestAreIgnored) {
  client_.Send("\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n\r\n");
  EXPECT_EQ(client_.Receive().status, 200);
  EXPECT_EQ(client_.Do("GET", "/livez").status, 200);
}

TEST_F(ServerTest, Http10) {
  client_.Send("GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(client_.Receive().Field("Connection"), "keep-alive");
  client_.Send("GET /livez HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client_.Receive().Field("Connection"), "close");
  EXPECT_TRUE(client_.Closed());
}

TEST_F(ServerTest, ContinueIsSentWhenTheBodyIsWanted) {
  client_.Send(
      base::StrCat("PUT /v1/agents/c HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                   "Content-Length: ",
                   sizeof kCard - 1, "\r\n\r\n"));
  EXPECT_EQ(client_.Receive().status, 100);
  client_.Send(kCard);
  EXPECT_EQ(client_.Receive().status, 201);
  client_.Send(
      "PUT /nothing HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
      "Content-Length: 5\r\n\r\n");
  const HttpResponse refused = client_.Receive();
  EXPECT_EQ(refused.status, 404);
  EXPECT_EQ(refused.Field("Connection"), "close");
}

TEST_F(ServerTest, ARefusedRequestWithABodyLeavesTheConnectionUsable) {
  EXPECT_EQ(client_.Do("POST", "/nothing", "{\"a\":1}").status, 404);
  EXPECT_EQ(client_.Do("POST", "/v1/agents/a", "{\"a\":1}").status, 405);
  EXPECT_EQ(client_.Do("POST", "/v1/agents:discover", "{}", "Content-Type: text/xml\r\n").status,
            415);
  EXPECT_EQ(client_.Do("GET", "/livez").status, 200);
}

TEST_F(ServerTest, ListsInPages) {
  for (int i = 0; i < 25; ++i) {
    client_.Do("PUT", base::StrCat("/v1/agents/l-", 10 + i), kCard);
  }
  std::string token;
  std::string seen;
  int pages = 0;
  do {
    const HttpResponse page =
        client_.Do("GET", base::StrCat("/v1/agents?page_size=10&fields=url&page_token=", token));
    ASSERT_EQ(page.status, 200) << page.body;
    ASSERT_TRUE(IsJson(page.body)) << page.body;
    EXPECT_THAT(page.body, HasSubstr(R"("card":{"url":"http://t"})"));
    const std::size_t at = page.body.find("\"next_page_token\":\"") + 19;
    token = page.body.substr(at, page.body.find('"', at) - at);
    seen += page.body;
    ++pages;
  } while (!token.empty());
  EXPECT_EQ(pages, 3);
  for (int i = 0; i < 25; ++i) {
    const std::string id = base::StrCat("\"id\":\"l-", 10 + i, "\"");
    EXPECT_NE(seen.find(id), std::string::npos);
    EXPECT_EQ(seen.find(id, seen.find(id) + 1), std::string::npos);
  }
  EXPECT_EQ(client_.Do("GET", "/v1/agents?page_token=!!!").status, 400);
  EXPECT_EQ(client_.Do("GET", "/v1/agents?page_token=AAAA").status, 400);
  EXPECT_EQ(client_.Do("GET", "/v1/agents?page_size=100000").status, 400);
  EXPECT_EQ(client_.Do("GET", "/v1/agents?filter=load+%3C").status, 400);
  EXPECT_EQ(client_.Do("GET", "/v1/agents?order_by=nothing").status, 400);
}

TEST_F(ServerTest, EventsAreKeptInOrder) {
  client_.Do("PUT", "/v1/agents/e",
             R"({"card":{"name":"E"},"states":{"incident":{"type":"string","kind":"event"}}})");
  for (int i = 0; i < 3; ++i) {
    const HttpResponse reported =
        client_.Do("POST", "/v1/agents/e/reports",
                   base::StrCat(R"({"sequence":)", i + 1,
                                R"(,"events":[{"name":"incident","data":{"n":)", i, "}}]}"));
    EXPECT_EQ(reported.status, 200) << reported.body;
  }
  const HttpResponse page = client_.Do("GET", "/v1/agents/e/events?page_size=2");
  ASSERT_EQ(page.status, 200) << page.body;
  EXPECT_TRUE(IsJson(page.body)) << page.body;
  EXPECT_LT(page.body.find(R"("data":{"n":0})"), page.body.find(R"("data":{"n":1})"));
  EXPECT_THAT(page.body, Not(HasSubstr(R"({"n":2})")));
  EXPECT_EQ(client_.Do("GET", "/v1/agents/e/events?page_size=1001").status, 400);
  EXPECT_EQ(client_.Do("GET", "/v1/agents/none/events").status, 404);
}

TEST_F(ServerTest, TheSchedulerIsShownAndReconfigured) {
  HttpResponse response = client_.Do("GET", "/v1/scheduler");
  EXPECT_EQ(response.status, 200);
  EXPECT_TRUE(IsJson(response.body)) << response.body;
  EXPECT_THAT(response.body, HasSubstr(R"("queues":{"update":{"tasks":0,)"));
  response = client_.Do("PATCH", "/v1/scheduler", R"({"update_share":0.25})");
  EXPECT_EQ(response.status, 200) << response.body;
  EXPECT_THAT(response.body, HasSubstr(R"("update_share":0.25)"));
  response = client_.Do("PATCH", "/v1/scheduler", R"({"update_share":0.5,"policy":"none"})");
  EXPECT_EQ(response.status, 400) << response.body;
  EXPECT_THAT(client_.Do("GET", "/v1/scheduler").body, HasSubstr(R"("update_share":0.25)"));
}

TEST_F(ServerTest, WatchingIsSaidToComeLater) {
  const HttpResponse response = client_.Do("GET", "/v1/agents:watch");
  EXPECT_EQ(response.status, 501);
  EXPECT_THAT(response.body, HasSubstr("later version"));
}

TEST_F(ServerTest, ProbesFollowThePhase) {
  EXPECT_EQ(client_.Do("GET", "/readyz").status, 200);
  server_.node().BeginDrain();
  const HttpResponse draining = client_.Do("GET", "/readyz");
  EXPECT_EQ(draining.status, 503);
  EXPECT_EQ(draining.Field("Retry-After"), "1");
  EXPECT_EQ(client_.Do("GET", "/livez").status, 200);
  EXPECT_EQ(client_.Do("GET", "/v1/agents/a").status, 503);
}

TEST_F(ServerTest, DrainingClosesIdleConnectionsAndAcceptsNoMore) {
  client_.Do("GET", "/livez");
  EXPECT_TRUE(server_.server().source(0)->Drain());
  EXPECT_TRUE(client_.Closed());
}

}  // namespace
}  // namespace muster::api
