#include "api/target.h"

#include "api/ascii.h"

namespace muster::api {
namespace {

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

bool SplitTarget(std::string_view target, Target* split) {
  if (StartsWithIgnoreCase(target, "http://") || StartsWithIgnoreCase(target, "https://")) {
    const std::size_t authority = target.find("//") + 2;
    const std::size_t path = target.find('/', authority);
    if (path == std::string_view::npos || path == authority) return false;
    target.remove_prefix(path);
  }
  if (target.empty() || target.front() != '/') return false;
  const std::size_t question = target.find('?');
  split->path = target.substr(0, question);
  split->query =
      question == std::string_view::npos ? std::string_view() : target.substr(question + 1);
  return true;
}

bool PercentDecode(std::string_view text, bool plus_is_space, std::string* decoded) {
  decoded->clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size()) return false;
      const int high = HexValue(text[i + 1]);
      const int low = HexValue(text[i + 2]);
      if (high < 0 || low < 0) return false;
      decoded->push_back(static_cast<char>(high * 16 + low));
      i += 2;
    } else {
      decoded->push_back(plus_is_space && text[i] == '+' ? ' ' : text[i]);
    }
  }
  return true;
}

void PercentEncode(std::string_view text, std::string* encoded) {
  constexpr char kHex[] = "0123456789ABCDEF";
  for (const char c : text) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.' || c == '_' ||
        c == '~') {
      encoded->push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded->push_back('%');
      encoded->push_back(kHex[byte >> 4]);
      encoded->push_back(kHex[byte & 15]);
    }
  }
}

}  // namespace muster::api
