#include "base/json_writer.h"

#include <charconv>
#include <cmath>
#include <cstring>

#include "base/check.h"

namespace muster::base {
namespace {

constexpr char kHex[] = "0123456789abcdef";

bool NeedsEscape(unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }

// Eight bytes at once. A byte is marked in its top bit where taking 1 from it borrows; what a
// borrow marks beyond is looked at again one by one, so that only misses would matter, and there
// are none.
bool AnyNeedsEscape(std::uint64_t bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kTops = 0x8080808080808080;
  const std::uint64_t quotes = bytes ^ (kOnes * '"');
  const std::uint64_t slashes = bytes ^ (kOnes * '\\');
  const std::uint64_t below = (bytes - kOnes * 0x20) & ~bytes;
  return (((quotes - kOnes) & ~quotes) | ((slashes - kOnes) & ~slashes) | below) & kTops;
}

// The first byte at or after `from` that must be escaped, or the end.
std::size_t FindEscape(std::string_view text, std::size_t from) {
  for (; from + 8 <= text.size(); from += 8) {
    std::uint64_t bytes;
    std::memcpy(&bytes, text.data() + from, sizeof bytes);
    if (!AnyNeedsEscape(bytes)) continue;
    for (std::size_t i = from; i < from + 8; ++i) {
      if (NeedsEscape(static_cast<unsigned char>(text[i]))) return i;
    }
  }
  while (from < text.size() && !NeedsEscape(static_cast<unsigned char>(text[from]))) ++from;
  return from;
}

void AppendEscape(std::string* out, unsigned char c) {
  switch (c) {
    case '"':
      out->append("\\\"");
      return;
    case '\\':
      out->append("\\\\");
      return;
    case '\n':
      out->append("\\n");
      return;
    case '\r':
      out->append("\\r");
      return;
    case '\t':
      out->append("\\t");
      return;
    default:
      out->append("\\u00");
      out->push_back(kHex[c >> 4]);
      out->push_back(kHex[c & 15]);
  }
}

template <typename Number>
void AppendNumber(std::string* out, Number value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out->append(digits, static_cast<std::size_t>(end - digits));
}

}  // namespace

void AppendJsonString(std::string* out, std::string_view value) {
  out->push_back('"');
  std::size_t copied = 0;
  for (std::size_t at = FindEscape(value, 0); at < value.size(); at = FindEscape(value, copied)) {
    out->append(value.substr(copied, at - copied));
    AppendEscape(out, static_cast<unsigned char>(value[at]));
    copied = at + 1;
  }
  out->append(value.substr(copied));
  out->push_back('"');
}

void JsonWriter::Separate() {
  if (needs_comma_) out_->push_back(',');
  needs_comma_ = true;
}

void JsonWriter::BeginObject() {
  Separate();
  out_->push_back('{');
  needs_comma_ = false;
}

void JsonWriter::EndObject() {
  out_->push_back('}');
  needs_comma_ = true;
}

void JsonWriter::BeginArray() {
  Separate();
  out_->push_back('[');
  needs_comma_ = false;
}

void JsonWriter::EndArray() {
  out_->push_back(']');
  needs_comma_ = true;
}

void JsonWriter::Key(std::string_view key) {
  Separate();
  AppendJsonString(out_, key);
  out_->push_back(':');
  needs_comma_ = false;
}

void JsonWriter::String(std::string_view value) {
  Separate();
  AppendJsonString(out_, value);
}

void JsonWriter::Number(double value) {
  MUSTER_CHECK(std::isfinite(value), "JSON has no NaN and no infinity");
  Separate();
  AppendNumber(out_, value);
}

void JsonWriter::Integer(std::int64_t value) {
  Separate();
  AppendNumber(out_, value);
}

void JsonWriter::Unsigned(std::uint64_t value) {
  Separate();
  AppendNumber(out_, value);
}

void JsonWriter::Bool(bool value) {
  Separate();
  out_->append(value ? "true" : "false");
}

void JsonWriter::Null() {
  Separate();
  out_->append("null");
}

void JsonWriter::Raw(std::string_view json) {
  Separate();
  out_->append(json);
}

}  // namespace muster::base
