#include "load/response_reader.h"

#include <charconv>

namespace muster::load {

namespace {

constexpr std::size_t kHeaderMax = 64 * 1024;
constexpr std::string_view kLengthName = "\r\ncontent-length:";

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool StartsWithName(std::string_view line) {
  if (line.size() < kLengthName.size()) return false;
  for (std::size_t i = 0; i < kLengthName.size(); ++i) {
    if (Lower(line[i]) != kLengthName[i]) return false;
  }
  return true;
}

bool ParseLength(std::string_view header, std::size_t* length) {
  for (std::size_t at = header.find('\r'); at != std::string_view::npos;
       at = header.find('\r', at + 2)) {
    std::string_view line = header.substr(at);
    if (!StartsWithName(line)) continue;
    line.remove_prefix(kLengthName.size());
    while (!line.empty() && line[0] == ' ') line.remove_prefix(1);
    return std::from_chars(line.data(), line.data() + line.size(), *length).ec == std::errc();
  }
  return false;
}

}  // namespace

ReadResult ReadResponse(std::string_view bytes, ResponseFrame* frame) {
  const std::size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) {
    return bytes.size() > kHeaderMax ? ReadResult::kBroken : ReadResult::kIncomplete;
  }
  const std::string_view header = bytes.substr(0, end + 2);
  if (!header.starts_with("HTTP/1.1 ") || header.size() < 14) return ReadResult::kBroken;
  const auto status = std::from_chars(header.data() + 9, header.data() + 12, frame->status);
  std::size_t length = 0;
  if (status.ec != std::errc() || !ParseLength(header, &length) || length > (1u << 30)) {
    return ReadResult::kBroken;
  }
  frame->body_at = end + 4;
  frame->size = frame->body_at + length;
  return bytes.size() >= frame->size ? ReadResult::kComplete : ReadResult::kIncomplete;
}

}  // namespace muster::load
