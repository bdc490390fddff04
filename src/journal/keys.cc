#include "journal/keys.h"

#include "absl/strings/escaping.h"
#include "base/strings.h"

namespace muster::journal {
namespace {

std::uint64_t BigEndian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = (value << 8) | static_cast<std::uint8_t>(byte);
  return value;
}

}  // namespace

void Key::AppendBigEndian(std::uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) bytes_[size_++] = static_cast<char>(value >> (8 * i));
}

Key Key::OfNumber(std::uint64_t number) {
  Key key;
  key.AppendBigEndian(number, 8);
  return key;
}

Key Key::OfPiece(std::uint32_t piece) {
  Key key;
  key.AppendBigEndian(piece, 4);
  return key;
}

Key Key::OfState(model::StateIndex index) {
  Key key;
  for (const char byte : kStatePrefix) key.bytes_[key.size_++] = byte;
  key.AppendBigEndian(index, 2);
  return key;
}

Key Key::OfEvent(model::Incarnation life, std::uint64_t number) {
  Key key;
  key.AppendBigEndian(life, 8);
  key.AppendBigEndian(number, 8);
  return key;
}

std::optional<std::uint64_t> NumberOf(std::string_view key) {
  if (key.size() != 8) return std::nullopt;
  return BigEndian(key);
}

std::optional<std::uint32_t> PieceOf(std::string_view key) {
  if (key.size() != 4) return std::nullopt;
  return static_cast<std::uint32_t>(BigEndian(key));
}

std::optional<model::StateIndex> StateOf(std::string_view key) {
  if (key.size() != kStatePrefix.size() + 2 || !key.starts_with(kStatePrefix)) return std::nullopt;
  return static_cast<model::StateIndex>(BigEndian(key.substr(kStatePrefix.size())));
}

std::optional<EventPlace> EventPlaceOf(std::string_view key) {
  if (key.size() != 16) return std::nullopt;
  return EventPlace{BigEndian(key.substr(0, 8)), BigEndian(key.substr(8))};
}

std::string Hex(std::string_view bytes) {
  return base::StrCat("0x", absl::BytesToHexString(base::ToAbsl(bytes)));
}

}  // namespace muster::journal
