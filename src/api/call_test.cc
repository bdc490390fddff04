#include "api/call.h"

#include <rapidcheck.h>

#include "api/target.h"
#include "gtest/gtest.h"

namespace muster::api {
namespace {

RequestHead Head(Method method, std::string target) {
  RequestHead head;
  head.method = method;
  head.target = std::move(target);
  head.has_host = true;
  return head;
}

class ReadCallTest : public testing::Test {
 protected:
  int Status(const RequestHead& head) {
    problem_ = ReadCall(head, &reader_, &call_);
    return problem_ ? problem_->status : 200;
  }
  int Status(Method method, std::string target) { return Status(Head(method, std::move(target))); }

  Access access_;
  AccessReader reader_{&access_};
  Call call_;
  std::optional<Problem> problem_;
};

struct Routed {
  Method method;
  const char* target;
  int status;
  Route route;
  const char* id;
};

TEST_F(ReadCallTest, PathsAreMatchedExactly) {
  using M = Method;
  const Routed cases[] = {
      {M::kPut, "/v1/agents/a", 200, Route::kRegister, "a"},
      {M::kGet, "/v1/agents/a", 200, Route::kGetAgent, "a"},
      {M::kHead, "/v1/agents/a", 200, Route::kGetAgent, "a"},
      {M::kDelete, "/v1/agents/a", 200, Route::kDeregister, "a"},
      {M::kPost, "/v1/agents/a/reports", 200, Route::kReport, "a"},
      {M::kGet, "/v1/agents/a/events", 200, Route::kEvents, "a"},
      {M::kPost, "/v1/reports", 200, Route::kUpload, ""},
      {M::kPost, "/v1/agents:discover", 200, Route::kDiscover, ""},
      {M::kGet, "/v1/agents", 200, Route::kList, ""},
      {M::kGet, "/v1/agents?page_size=3", 200, Route::kList, ""},
      {M::kGet, "/v1/agents:watch", 200, Route::kWatch, ""},
      {M::kGet, "/v1/scheduler", 200, Route::kScheduler, ""},
      {M::kPatch, "/v1/scheduler", 200, Route::kReconfigure, ""},
      {M::kGet, "/metrics", 200, Route::kMetrics, ""},
      {M::kGet, "/livez", 200, Route::kLive, ""},
      {M::kGet, "/readyz", 200, Route::kReady, ""},
      {M::kGet, "/openapi.json", 200, Route::kOpenApi, ""},
      {M::kGet, "http://node:7700/v1/agents/a", 200, Route::kGetAgent, "a"},
      // Ids: anything but an empty segment; a coded slash is a part of the id.
      {M::kGet, "/v1/agents/a%2Fb", 200, Route::kGetAgent, "a/b"},
      {M::kGet, "/v1/agents/%F0%9F%A4%96", 200, Route::kGetAgent, "\xF0\x9F\xA4\x96"},
      {M::kGet, "/v1/agents/a+b", 200, Route::kGetAgent, "a+b"},
      {M::kGet, "/v1/agents/..", 200, Route::kGetAgent, ".."},
      {M::kGet, "/v1/agents/%2e%2e", 200, Route::kGetAgent, ".."},
      {M::kGet, "/v1/agents/reports", 200, Route::kGetAgent, "reports"},
      // Tricks lead nowhere.
      {M::kGet, "/", 404, Route::kList, ""},
      {M::kGet, "/v1", 404, Route::kList, ""},
      {M::kGet, "/v1/agents/", 404, Route::kList, ""},
      {M::kGet, "/v1//agents", 404, Route::kList, ""},
      {M::kGet, "//v1/agents", 404, Route::kList, ""},
      {M::kGet, "/V1/agents", 404, Route::kList, ""},
      {M::kGet, "/v1/Agents", 404, Route::kList, ""},
      {M::kGet, "/v1/./agents", 404, Route::kList, ""},
      {M::kGet, "/v1/%61gents", 404, Route::kList, ""},
      {M::kGet, "/v1/agents/a/", 404, Route::kList, ""},
      {M::kGet, "/v1/agents//events", 404, Route::kList, ""},
      {M::kGet, "/v1/agents/a/b/events", 404, Route::kList, ""},
      {M::kGet, "/v1/agents/a/../b", 404, Route::kList, ""},
      {M::kPost, "/v1/agents%3Adiscover", 404, Route::kList, ""},
      {M::kGet, "/livez/", 404, Route::kList, ""},
      {M::kOptions, "*", 400, Route::kList, ""},
      {M::kOther, "node:7700", 400, Route::kList, ""},
      // A known path with another method.
      {M::kPost, "/v1/agents/a", 405, Route::kList, ""},
      {M::kGet, "/v1/agents:discover", 405, Route::kList, ""},
      {M::kDelete, "/v1/scheduler", 405, Route::kList, ""},
      {M::kOptions, "/v1/agents", 405, Route::kList, ""},
      {M::kOther, "/livez", 405, Route::kList, ""},
  };
  for (const Routed& c : cases) {
    SCOPED_TRACE(std::string(Name(c.method)) + " " + c.target);
    EXPECT_EQ(Status(c.method, c.target), c.status);
    if (c.status != 200) continue;
    EXPECT_EQ(call_.spec->route, c.route);
    EXPECT_EQ(call_.id, c.id);
  }
}

TEST_F(ReadCallTest, AllowNamesTheMethods) {
  EXPECT_EQ(Status(Method::kPost, "/v1/agents/a"), 405);
  EXPECT_EQ(problem_->headers, "Allow: PUT, GET, HEAD, DELETE\r\n");
  EXPECT_EQ(Status(Method::kPut, "/v1/scheduler"), 405);
  EXPECT_EQ(problem_->headers, "Allow: GET, HEAD, PATCH\r\n");
}

TEST_F(ReadCallTest, ParametersAreDecodedAndChecked) {
  EXPECT_EQ(Status(Method::kGet,
                   "/v1/agents?filter=load+%3C%200.5&order_by=load&page_size=7&page_token=abc&"
                   "fields=url,skills&include_lapsed=true"),
            200);
  EXPECT_EQ(call_.filter, "load < 0.5");
  EXPECT_EQ(call_.order_by, "load");
  EXPECT_EQ(call_.page_size, 7u);
  EXPECT_EQ(call_.page_token, "abc");
  EXPECT_EQ(call_.fields, "url,skills");
  EXPECT_TRUE(call_.include_lapsed);

  for (const char* bad :
       {"?page_size=0", "?page_size=-1", "?page_size=x", "?page_size=99999999999",
        "?page_size=", "?include_lapsed=yes", "?filter=a&filter=b", "?nothing=1", "?ack=durable",
        "?filter=%", "?filter=%4", "?filter=%zz", "?filter=%ff", "?Filter=a"}) {
    EXPECT_EQ(Status(Method::kGet, std::string("/v1/agents") + bad), 400) << bad;
  }
  EXPECT_EQ(Status(Method::kGet, "/v1/agents/%f"), 400);
}

TEST_F(ReadCallTest, Acknowledgements) {
  EXPECT_EQ(Status(Method::kPut, "/v1/agents/a?ack=queued"), 200);
  EXPECT_EQ(call_.ack, node::Ack::kQueued);
  EXPECT_EQ(Status(Method::kPost, "/v1/reports?ack=durable"), 200);
  EXPECT_EQ(call_.ack, node::Ack::kDurable);
  EXPECT_EQ(Status(Method::kPost, "/v1/agents/a/reports"), 200);
  EXPECT_FALSE(call_.ack.has_value());
  EXPECT_EQ(Status(Method::kPut, "/v1/agents/a?ack=maybe"), 400);
}

TEST_F(ReadCallTest, DeadlineAndIfMatch) {
  RequestHead head = Head(Method::kPut, "/v1/agents/a");
  head.deadline = "150ms";
  head.if_match = "\"42\"";
  EXPECT_EQ(Status(head), 200);
  EXPECT_EQ(call_.deadline, std::chrono::milliseconds(150));
  EXPECT_EQ(call_.if_match, 42u);
  for (const char* bad : {"0s", "-1s", "soon", "150"}) {
    head.deadline = bad;
    EXPECT_EQ(Status(head), 400) << bad;
  }
  head.deadline.clear();
  for (const char* bad : {"42", "*", "\"a\"", "\"\"", "W/\"42\"", "\"1\", \"2\"", "\"-1\""}) {
    head.if_match = bad;
    EXPECT_EQ(Status(head), 400) << bad;
  }
  head.if_match.clear();
  head.if_none_match = "*";
  EXPECT_EQ(Status(head), 400);
}

TEST_F(ReadCallTest, MediaTypes) {
  RequestHead head = Head(Method::kPost, "/v1/agents:discover");
  head.content_length = 2;
  for (const char* good : {"", "application/json", "Application/JSON; charset=utf-8"}) {
    head.content_type = good;
    EXPECT_EQ(Status(head), 200) << good;
  }
  head.content_type = "application/x-www-form-urlencoded";
  EXPECT_EQ(Status(head), 415);
  head.content_type.clear();
  for (const char* good : {"*/*", "application/json", "text/html, application/*;q=0.5"}) {
    head.accept = good;
    EXPECT_EQ(Status(head), 200) << good;
  }
  head.accept = "text/html";
  EXPECT_EQ(Status(head), 406);
  head = Head(Method::kGet, "/metrics");
  head.accept = "application/openmetrics-text, text/plain;version=0.0.4;q=0.5";
  EXPECT_EQ(Status(head), 200);
  head = Head(Method::kGet, "/livez");
  head.content_length = 3;
  EXPECT_EQ(Status(head), 400);
}

TEST_F(ReadCallTest, HostIsRequiredOfHttp11) {
  RequestHead head = Head(Method::kGet, "/livez");
  head.has_host = false;
  EXPECT_EQ(Status(head), 400);
  head.http11 = false;
  EXPECT_EQ(Status(head), 200);
}

TEST(PercentCoding, ComesBackAsItWas) {
  EXPECT_TRUE(rc::check("round trip", [](const std::string& text) {
    std::string encoded;
    PercentEncode(text, &encoded);
    RC_ASSERT(encoded.find_first_of("/?#% +&=") == std::string::npos ||
              encoded.find('%') != std::string::npos);
    RC_ASSERT(encoded.find_first_of("/?# +&=") == std::string::npos);
    std::string decoded;
    RC_ASSERT(PercentDecode(encoded, false, &decoded));
    RC_ASSERT(decoded == text);
  }));
}

}  // namespace
}  // namespace muster::api
