#include "api/request_parser.h"

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace muster::api {
namespace {

using Event = RequestParser::Event;

struct Parsed {
  RequestHead head;
  std::string body;
  bool complete = false;
  bool failed = false;
  Problem problem;
  std::size_t consumed = 0;
};

// Reads one request from `input`, given to the parser in the pieces that `cuts` ends.
Parsed ParseInPieces(std::string_view input, const std::vector<std::size_t>& cuts) {
  RequestParser parser(8 * 1024);
  Parsed parsed;
  for (const std::size_t cut : cuts) {
    while (true) {
      std::size_t consumed = 0;
      const std::string_view piece = input.substr(parsed.consumed, cut - parsed.consumed);
      const Event event = parser.Next(piece, &consumed);
      if (event == Event::kHead) parsed.head = parser.head();
      if (event == Event::kBody) parsed.body.append(parser.piece());
      if (event == Event::kError) {
        parsed.failed = true;
        parsed.problem = parser.problem();
        return parsed;
      }
      parsed.consumed += consumed;
      if (event == Event::kDone) {
        parsed.complete = true;
        return parsed;
      }
      if (event == Event::kNeedMore) break;
    }
  }
  return parsed;
}

Parsed Parse(std::string_view input) { return ParseInPieces(input, {input.size()}); }

TEST(RequestParser, KeepsTheFieldsThatAreUsed) {
  const Parsed parsed = Parse(
      "PUT /v1/agents/a?ack=durable HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer abc\r\n"
      "Content-Type: application/json\r\nIf-Match: \"7\"\r\nmuster-deadline: 150ms\r\n"
      "Accept: text/plain\r\nAccept: application/json\r\nX-Other: y\r\nContent-Length: "
      "2\r\n\r\n{}");
  ASSERT_TRUE(parsed.complete);
  EXPECT_EQ(parsed.head.method, Method::kPut);
  EXPECT_EQ(parsed.head.target, "/v1/agents/a?ack=durable");
  EXPECT_EQ(parsed.head.authorization, "Bearer abc");
  EXPECT_EQ(parsed.head.content_type, "application/json");
  EXPECT_EQ(parsed.head.if_match, "\"7\"");
  EXPECT_EQ(parsed.head.deadline, "150ms");
  EXPECT_EQ(parsed.head.accept, "text/plain, application/json");
  EXPECT_EQ(parsed.head.content_length, 2u);
  EXPECT_TRUE(parsed.head.keep_alive);
  EXPECT_EQ(parsed.body, "{}");
}

TEST(RequestParser, KeepAliveFollowsVersionAndConnection) {
  EXPECT_TRUE(Parse("GET / HTTP/1.1\r\nHost: x\r\n\r\n").head.keep_alive);
  EXPECT_FALSE(Parse("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").head.keep_alive);
  EXPECT_FALSE(Parse("GET / HTTP/1.0\r\n\r\n").head.keep_alive);
  EXPECT_TRUE(Parse("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").head.keep_alive);
}

TEST(RequestParser, JoinsChunksAndDropsTrailers) {
  const Parsed parsed = Parse(
      "POST /v1/reports HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3;note=1\r\nabc\r\n2\r\nde\r\n0\r\nAuthorization: Bearer late\r\n\r\n");
  ASSERT_TRUE(parsed.complete);
  EXPECT_TRUE(parsed.head.chunked);
  EXPECT_EQ(parsed.body, "abcde");
  EXPECT_EQ(parsed.head.authorization, "");
}

TEST(RequestParser, PipelinedRequestsAreReadOneByOne) {
  const std::string two = "GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n";
  RequestParser parser(8 * 1024);
  std::size_t at = 0;
  std::size_t consumed = 0;
  EXPECT_EQ(parser.Next(two, &consumed), Event::kHead);
  at += consumed;
  EXPECT_EQ(parser.head().target, "/a");
  EXPECT_EQ(parser.Next(std::string_view(two).substr(at), &consumed), Event::kDone);
  EXPECT_EQ(consumed, 0u);
  parser.Reset();
  EXPECT_FALSE(parser.started());
  EXPECT_EQ(parser.Next(std::string_view(two).substr(at), &consumed), Event::kHead);
  EXPECT_EQ(parser.head().target, "/b");
}

struct Refused {
  const char* name;
  std::string input;
  int status;
};

class RequestParserRefusals : public testing::TestWithParam<Refused> {};

TEST_P(RequestParserRefusals, AreAnsweredWith) {
  const Parsed parsed = Parse(GetParam().input);
  ASSERT_TRUE(parsed.failed);
  EXPECT_EQ(parsed.problem.status, GetParam().status) << parsed.problem.detail;
  EXPECT_FALSE(parsed.problem.detail.empty());
}

const char kPost[] = "POST /v1/reports HTTP/1.1\r\nHost: x\r\n";
INSTANTIATE_TEST_SUITE_P(
    All, RequestParserRefusals,
    testing::Values(
        Refused{"NotHttp", "hello there\r\n\r\n", 400},
        Refused{"NoMethod", " / HTTP/1.1\r\n\r\n", 400},
        Refused{"Http2", "GET / HTTP/2.0\r\n\r\n", 505},
        Refused{"Http09", "GET / HTTP/0.9\r\n\r\n", 505},
        Refused{"TargetWithControl", "GET /\x01 HTTP/1.1\r\n\r\n", 400},
        Refused{"LengthAndChunked",
                std::string(kPost) + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
                400},
        Refused{"ChunkedAndLength",
                std::string(kPost) + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
                400},
        Refused{"TwoLengths", std::string(kPost) + "Content-Length: 3\r\nContent-Length: 4\r\n\r\n",
                400},
        Refused{"NegativeLength", std::string(kPost) + "Content-Length: -1\r\n\r\n", 400},
        Refused{"HugeLength", std::string(kPost) + "Content-Length: 99999999999999999999\r\n\r\n",
                400},
        Refused{"UnknownCoding", std::string(kPost) + "Transfer-Encoding: gzip\r\n\r\n", 501},
        Refused{"CodingBeforeChunked",
                std::string(kPost) + "Transfer-Encoding: gzip, chunked\r\n\r\n", 501},
        Refused{"CompressedBody", std::string(kPost) + "Content-Encoding: gzip\r\n\r\n", 415},
        Refused{"BadChunkSize", std::string(kPost) + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                400},
        Refused{"TwoTokens",
                "GET / HTTP/1.1\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n",
                400},
        Refused{"TwoHosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
        Refused{"UnknownExpectation", "GET / HTTP/1.1\r\nHost: a\r\nExpect: magic\r\n\r\n", 417},
        Refused{"SpaceBeforeColon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
        Refused{"NulInField", std::string("GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n", 28), 400},
        Refused{"FoldedField", "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 400},
        Refused{"HeaderTooLarge", "GET / HTTP/1.1\r\nX: " + std::string(9000, 'a') + "\r\n\r\n",
                431}),
    [](const testing::TestParamInfo<Refused>& param) { return param.param.name; });

// However a request is cut on its way, the same is read.
TEST(RequestParser, CutsOnTheWayChangeNothing) {
  const std::string input =
      "POST /v1/agents:discover?x=%20 HTTP/1.1\r\nHost: node\r\nTransfer-Encoding: chunked\r\n"
      "Content-Type: application/json\r\n\r\n5\r\n{\"a\":\r\n3\r\n1}\n\r\n0\r\n\r\n";
  const Parsed whole = Parse(input);
  ASSERT_TRUE(whole.complete);
  EXPECT_TRUE(rc::check("cuts", [&] {
    auto cuts = *rc::gen::container<std::vector<std::size_t>>(
        rc::gen::inRange<std::size_t>(1, input.size()));
    std::sort(cuts.begin(), cuts.end());
    cuts.push_back(input.size());
    const Parsed parsed = ParseInPieces(input, cuts);
    RC_ASSERT(parsed.complete);
    RC_ASSERT(parsed.body == whole.body);
    RC_ASSERT(parsed.head.target == whole.head.target);
    RC_ASSERT(parsed.head.content_type == whole.head.content_type);
    RC_ASSERT(parsed.consumed == input.size());
  }));
}

TEST(RequestParser, TheHeadersLimitHoldsForAllItsPiecesTogether) {
  std::string input = "GET / HTTP/1.1\r\n";
  std::vector<std::size_t> cuts;
  for (int i = 0; i < 4000; ++i) {
    input += "X: y\r\n";
    if (i % 100 == 0) cuts.push_back(input.size());
  }
  input += "\r\n";
  cuts.push_back(input.size());
  const Parsed parsed = ParseInPieces(input, cuts);
  ASSERT_TRUE(parsed.failed);
  EXPECT_EQ(parsed.problem.status, 431);
}

}  // namespace
}  // namespace muster::api
