// The least that is to be read of an HTTP/1.1 response: its status and where it ends.
#pragma once

#include <cstddef>
#include <string_view>

namespace muster::load {

struct ResponseFrame {
  int status = 0;
  std::size_t body_at = 0;
  std::size_t size = 0;  // header and body
};

enum class ReadResult { kComplete, kIncomplete, kBroken };

// Looks for one response at the beginning of `bytes`. kBroken: what is there is no response with a
// Content-Length.
ReadResult ReadResponse(std::string_view bytes, ResponseFrame* frame);

}  // namespace muster::load
