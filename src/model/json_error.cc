#include "model/json_error.h"

#include <algorithm>

#include "base/strings.h"

namespace muster::model {
namespace {
constexpr std::size_t kKeyBytesShown = 64;
constexpr std::size_t kTokenBytesShown = 40;

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// What a person calls the value: its text if it is short, else its kind.
std::string Found(simdjson::ondemand::value value) {
  using simdjson::ondemand::json_type;
  json_type type;
  if (value.type().get(type) != simdjson::SUCCESS) type = json_type::null;
  if (type == json_type::object) return "an object";
  if (type == json_type::array) return "an array";
  const std::string_view token = value.raw_json_token();
  return std::string(
      Shown(token.substr(0, token.find_last_not_of(" \t\r\n") + 1), kTokenBytesShown));
}

bool IsWrongType(simdjson::error_code error) {
  return error == simdjson::INCORRECT_TYPE || error == simdjson::NUMBER_OUT_OF_RANGE;
}

}  // namespace

std::string_view Shown(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  std::size_t end = bytes_max;
  while (end > 0 && IsContinuation(text[end])) --end;
  return text.substr(0, end);
}

std::string PointerTo(std::string_view parent, std::string_view key) {
  std::string pointer(parent);
  pointer.push_back('/');
  for (const char c : Shown(key, kKeyBytesShown)) {
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

absl::Status SyntaxError(std::string_view what, std::string_view pointer) {
  return absl::DataLossError(base::StrCat(what, " [", pointer, "]"));
}

absl::Status AtOffset(absl::Status status, std::size_t offset) {
  if (!absl::IsDataLoss(status)) return status;
  return base::InvalidArgument(
      base::StrCat("malformed JSON near byte ", offset, ": ", base::Message(status)));
}

std::size_t UnreadableOffset(std::string_view text, simdjson::error_code error) {
  if (error != simdjson::UTF8_ERROR) return text.size();
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at + 1;
    while (end < text.size() && end < at + 4 && IsContinuation(text[end])) ++end;
    if (!simdjson::validate_utf8(text.data() + at, end - at)) break;
    at = end;
  }
  return at;
}

absl::Status JsonError(simdjson::error_code error, std::string_view expected,
                       std::string_view pointer) {
  if (IsWrongType(error)) return WrongField(base::StrCat("expected ", expected), pointer);
  switch (error) {
    case simdjson::NUMBER_ERROR:
      return SyntaxError("not a number, or one beyond what a double can hold", pointer);
    case simdjson::UTF8_ERROR:
      return SyntaxError("not valid UTF-8", pointer);
    case simdjson::STRING_ERROR:
      return SyntaxError("a string has a bad escape, such as half of a surrogate pair", pointer);
    case simdjson::UNESCAPED_CHARS:
      return SyntaxError("a control character stands in a string; escape it", pointer);
    case simdjson::UNCLOSED_STRING:
      return SyntaxError("a string is never closed", pointer);
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
      return SyntaxError("the text ends inside an object or array", pointer);
    case simdjson::T_ATOM_ERROR:
    case simdjson::F_ATOM_ERROR:
    case simdjson::N_ATOM_ERROR:
      return SyntaxError("neither true, false nor null", pointer);
    case simdjson::EMPTY:
      return WrongField(base::StrCat("the JSON text is empty; expected ", expected), "");
    default:
      return SyntaxError("a comma, colon, bracket or value is missing or too many", pointer);
  }
}

absl::Status JsonError(simdjson::error_code error, simdjson::ondemand::value value,
                       std::string_view expected, std::string_view pointer) {
  if (!IsWrongType(error)) return JsonError(error, expected, pointer);
  return WrongField(base::StrCat("expected ", expected, ", got ", Found(value)), pointer);
}

bool HasControlCharacter(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7F) return true;
    // U+0080 to U+009F in UTF-8.
    if (c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) {
      return true;
    }
  }
  return false;
}

}  // namespace muster::model
