// The HTTP shell's limits and switches; each is an option of the configuration (section `http`).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/time.h"

namespace muster::api {

struct Options {
  // Request line and header fields of one request, bytes; more is 431.
  std::size_t header_bytes_max = 16 * 1024;
  // Body of one request, bytes, NDJSON uploads excepted; more is 413.
  std::size_t body_bytes_max = 1024 * 1024;
  // One line of an NDJSON upload, bytes; a longer one is rejected alone, with 413.
  std::size_t ndjson_line_bytes_max = 64 * 1024;
  // Lines of one upload that wait for their result; more are not read until some are answered.
  std::size_t ndjson_lines_in_flight_max = 1024;
  // Rejected lines that an upload's answer names; the rest are counted.
  std::size_t ndjson_errors_max = 100;
  // Bytes of a received request that are buffered before they are parsed, per connection.
  std::size_t input_bytes_max = 64 * 1024;
  // Answered but unsent bytes per connection beyond which no further request of it is begun.
  std::size_t output_bytes_max = 256 * 1024;
  // Requests of one connection that may wait for their answer at once.
  std::size_t pipelined_max = 128;
  // Connections of the whole server; one more is answered 503 and closed.
  std::size_t connections_max = 10'000;

  // Silence between two requests before a connection is closed.
  base::Duration idle_time_max = std::chrono::seconds(75);
  // From a request's first byte (or the connection's start) to the end of its header; then 408.
  base::Duration header_time_max = std::chrono::seconds(10);
  // From the end of the header to the end of the body, or between two pieces of an upload; then
  // 408.
  base::Duration body_time_max = std::chrono::seconds(30);
  // Without progress in sending an answer before a connection is cut.
  base::Duration write_time_max = std::chrono::seconds(30);
  // After the last answer of a connection that is being closed, until the client closes it too.
  base::Duration linger_time_max = std::chrono::seconds(2);

  // One log line per request.
  bool access_log = false;
};

}  // namespace muster::api
