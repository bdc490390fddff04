// The keys of each column: big-endian numbers, so that byte order is numeric order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/agent.h"
#include "model/state.h"

namespace muster::journal {

inline constexpr std::string_view kFormatKey = "format";
inline constexpr std::string_view kRegistrationsLastKey = "last/registrations";
inline constexpr std::string_view kReportsLastKey = "last/reports";
inline constexpr std::string_view kStatePrefix = "state/";
inline constexpr std::string_view kStatePrefixEnd = "state0";  // '0' follows '/'

// A key of one or more big-endian numbers, without an allocation.
class Key {
 public:
  static Key OfNumber(std::uint64_t number);                          // 8 bytes
  static Key OfPiece(std::uint32_t piece);                            // 4 bytes
  static Key OfState(model::StateIndex index);                        // prefix and 2 bytes
  static Key OfEvent(model::Incarnation life, std::uint64_t number);  // 16 bytes

  std::string_view bytes() const { return {bytes_.data(), size_}; }

 private:
  void AppendBigEndian(std::uint64_t value, int bytes);

  std::array<char, 16> bytes_{};
  std::size_t size_ = 0;
};

// The numbers of a key back; nullopt: not such a key.
std::optional<std::uint64_t> NumberOf(std::string_view key);
std::optional<std::uint32_t> PieceOf(std::string_view key);
std::optional<model::StateIndex> StateOf(std::string_view key);
struct EventPlace {
  model::Incarnation life = 0;
  std::uint64_t number = 0;
};
std::optional<EventPlace> EventPlaceOf(std::string_view key);

// For messages: "0x0000002a".
std::string Hex(std::string_view bytes);

}  // namespace muster::journal
