// The part of HTTP/1.1 (RFC 9110, 9112) that Muster speaks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace muster::api {

enum class Method : std::uint8_t { kGet, kHead, kPut, kPost, kDelete, kPatch, kOptions, kOther };

std::string_view Name(Method method);
// The reason phrase; "Status" for a code that Muster never sends.
std::string_view ReasonPhrase(int status);

// What is kept of a request's head. Its buffers are reused from request to request.
struct RequestHead {
  Method method = Method::kGet;
  bool http11 = true;
  bool keep_alive = true;
  bool chunked = false;
  bool expect_continue = false;
  bool has_host = false;
  std::optional<std::uint64_t> content_length;
  std::string target;
  std::string authorization;
  std::string accept;
  std::string content_type;
  std::string if_match;
  std::string if_none_match;
  std::string deadline;  // Muster-Deadline

  bool has_body() const { return chunked || content_length.value_or(0) > 0; }
  void Clear();
};

}  // namespace muster::api
