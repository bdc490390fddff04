#include "app/config/option_sections.h"

namespace muster::app {

namespace {

std::vector<Option> HttpSizes() {
  return {
      {"http.header_bytes_max", "bytes",
       "Request line and header fields of one request; more is "
       "answered with 431.",
       [](Settings* s) -> Slot { return &s->http.header_bytes_max; }, 256, 1 << 20},
      {"http.body_bytes_max", "bytes",
       "Body of one request, NDJSON uploads excepted; more is "
       "answered with 413.",
       [](Settings* s) -> Slot { return &s->http.body_bytes_max; }, 1024, 1 << 30},
      {"http.ndjson_line_bytes_max", "bytes",
       "One line of an NDJSON upload; a longer one is "
       "rejected alone.",
       [](Settings* s) -> Slot { return &s->http.ndjson_line_bytes_max; }, 64, 1 << 26},
      {"http.ndjson_lines_in_flight_max", "lines",
       "Lines of one upload that wait for their result; "
       "no more are read until some are answered.",
       [](Settings* s) -> Slot { return &s->http.ndjson_lines_in_flight_max; }, 1, 1e6},
      {"http.ndjson_errors_max", "lines",
       "Rejected lines that an upload's answer names; the rest "
       "are counted.",
       [](Settings* s) -> Slot { return &s->http.ndjson_errors_max; }, 0, 1e5},
      {"http.input_bytes_max", "bytes",
       "Bytes of received requests that are buffered before they "
       "are parsed, per connection.",
       [](Settings* s) -> Slot { return &s->http.input_bytes_max; }, 4096, 1 << 26},
      {"http.output_bytes_max", "bytes",
       "Unsent answers per connection beyond which none of its "
       "further requests is begun.",
       [](Settings* s) -> Slot { return &s->http.output_bytes_max; }, 4096, 1 << 30},
      {"http.pipelined_max", "requests",
       "Requests of one connection that may wait for their answer "
       "at once.",
       [](Settings* s) -> Slot { return &s->http.pipelined_max; }, 1, 65536},
      {"http.connections_max", "connections",
       "Open connections of the whole server; one more is "
       "answered 503 and closed.",
       [](Settings* s) -> Slot { return &s->http.connections_max; }, 1, 1e6},
  };
}

}  // namespace

std::vector<Option> HttpOptions() {
  std::vector<Option> options = HttpSizes();
  const std::vector<Option> times = {
      {"http.idle_time_max", "", "Silence between two requests before a connection is closed.",
       [](Settings* s) -> Slot { return &s->http.idle_time_max; }, 0.01, 86400},
      {"http.header_time_max", "",
       "From a request's first byte to the end of its header; then 408.",
       [](Settings* s) -> Slot { return &s->http.header_time_max; }, 0.01, 3600},
      {"http.body_time_max", "",
       "From the end of the header to the end of the body, or between two "
       "pieces of an upload; then 408.",
       [](Settings* s) -> Slot { return &s->http.body_time_max; }, 0.01, 3600},
      {"http.write_time_max", "",
       "Without progress in sending an answer before a connection is cut.",
       [](Settings* s) -> Slot { return &s->http.write_time_max; }, 0.01, 3600},
      {"http.linger_time_max", "",
       "After the last answer of a connection that is being closed, "
       "until the client closes it too.",
       [](Settings* s) -> Slot { return &s->http.linger_time_max; }, 0.01, 3600},
      {"http.access_log", "", "Logs one line a request.",
       [](Settings* s) -> Slot { return &s->http.access_log; }},
  };
  options.insert(options.end(), times.begin(), times.end());
  return options;
}

}  // namespace muster::app
