// What it costs to read a report's request: Beast's parser behind RequestParser, against the least
// that any parser must do, which is to find the end of the header and of each line.
#include <benchmark/benchmark.h>

#include <string>

#include "api/call.h"
#include "api/request_parser.h"

namespace muster::api {
namespace {

std::string Report() {
  const std::string body =
      R"({"incarnation":41,"sequence":1007,"states":{"load":0.42,"queue_depth":3,"latency":0.12}})";
  return "POST /v1/agents/translator-1007/reports HTTP/1.1\r\nHost: 127.0.0.1:7700\r\n"
         "Content-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

void BM_RequestParser(benchmark::State& state) {
  const std::string request = Report();
  RequestParser parser(16 * 1024);
  for (auto _ : state) {
    std::size_t at = 0;
    RequestParser::Event event;
    do {
      std::size_t consumed = 0;
      event = parser.Next(std::string_view(request).substr(at), &consumed);
      at += consumed;
    } while (event != RequestParser::Event::kDone);
    benchmark::DoNotOptimize(parser.head().target.data());
    parser.Reset();
  }
}
BENCHMARK(BM_RequestParser);

void BM_LineEndsAlone(benchmark::State& state) {
  const std::string request = Report();
  for (auto _ : state) {
    std::string_view rest = request;
    std::size_t lines = 0;
    while (true) {
      const std::size_t end = rest.find("\r\n");
      if (end == std::string_view::npos || end == 0) break;
      rest.remove_prefix(end + 2);
      ++lines;
    }
    benchmark::DoNotOptimize(lines);
  }
}
BENCHMARK(BM_LineEndsAlone);

void BM_ReadCall(benchmark::State& state) {
  RequestHead head;
  head.method = Method::kPost;
  head.has_host = true;
  head.content_length = 80;
  head.content_type = "application/json";
  head.target = "/v1/agents/translator-1007/reports";
  Access access;
  AccessReader reader(&access);
  Call call;
  for (auto _ : state) {
    auto problem = ReadCall(head, &reader, &call);
    benchmark::DoNotOptimize(problem.has_value());
  }
}
BENCHMARK(BM_ReadCall);

}  // namespace
}  // namespace muster::api
