#include "model/json_error.h"

#include <algorithm>

#include "base/strings.h"

namespace muster::model {
namespace {
constexpr std::size_t kKeyBytesShown = 64;

// The longest prefix of at most kKeyBytesShown bytes that ends between two UTF-8 characters.
std::string_view Shown(std::string_view key) {
  if (key.size() <= kKeyBytesShown) return key;
  std::size_t end = kKeyBytesShown;
  while (end > 0 && (static_cast<unsigned char>(key[end]) & 0xC0) == 0x80) --end;
  return key.substr(0, end);
}
}  // namespace

std::string PointerTo(std::string_view parent, std::string_view key) {
  std::string pointer(parent);
  pointer.push_back('/');
  for (const char c : Shown(key)) {
    if (c == '~') {
      pointer.append("~0");
    } else if (c == '/') {
      pointer.append("~1");
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      pointer.push_back('?');
    } else {
      pointer.push_back(c);
    }
  }
  return pointer;
}

absl::Status WrongField(std::string_view what, std::string_view pointer) {
  return base::InvalidArgument(base::StrCat(what, " [", pointer, "]"));
}

absl::Status UnknownField(std::string_view pointer, std::string_view expected) {
  return WrongField(base::StrCat("unknown field; expected one of ", expected), pointer);
}

absl::Status DuplicateField(std::string_view pointer) {
  return WrongField("this key stands here twice; send each once", pointer);
}

absl::Status JsonError(simdjson::error_code error, std::string_view expected,
                       std::string_view pointer) {
  switch (error) {
    case simdjson::INCORRECT_TYPE:
    case simdjson::NUMBER_OUT_OF_RANGE:
      return WrongField(base::StrCat("expected ", expected), pointer);
    case simdjson::NUMBER_ERROR:
      return WrongField("not a number that can be held (NaN, infinite, or malformed)", pointer);
    case simdjson::UTF8_ERROR:
      return WrongField("the JSON text is not valid UTF-8", "");
    case simdjson::DEPTH_ERROR:
      return WrongField("the JSON text is nested too deeply", pointer);
    case simdjson::STRING_ERROR:
      return WrongField("a string has a bad escape, such as a lone surrogate", pointer);
    case simdjson::EMPTY:
      return WrongField(base::StrCat("the JSON text is empty; expected ", expected), "");
    default:
      return WrongField(base::StrCat("malformed JSON: ", simdjson::error_message(error)), pointer);
  }
}

bool HasControlCharacter(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

}  // namespace muster::model
