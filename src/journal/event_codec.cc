#include "journal/event_codec.h"

#include <limits>

#include "absl/strings/escaping.h"
#include "base/strings.h"
#include "journal/damage.h"
#include "journal/keys.h"

namespace muster::journal {
namespace {

constexpr std::uint8_t kVersion = 1;

}  // namespace

void EncodeEvent(const model::EventRecord& event, Encoder* out) {
  out->Byte(kVersion);
  out->Varint(event.state);
  out->Varint(event.revision);
  out->Signed(event.generated_at.time_since_epoch().count());
  out->Raw(event.json);
}

absl::Status DecodeEvent(std::string_view key, std::string_view value, EventPage::Event* event) {
  Decoder in(value);
  const std::uint8_t version = in.Byte();
  if (in.ok() && version > kVersion) return NewerRecord(Column::kEvents, key, version);
  event->state = static_cast<model::StateIndex>(
      in.VarintAtMost(std::numeric_limits<model::StateIndex>::max()));
  event->revision = in.Varint();
  event->generated_at = base::WallFromUnixNanos(in.Signed());
  if (!in.ok() || version == 0 || !EventPlaceOf(key).has_value()) {
    return DamagedRecord(Column::kEvents, key, "not an event's bytes");
  }
  event->json = in.Raw(in.left());
  return absl::OkStatus();
}

std::string EncodeCursor(model::Incarnation life, std::uint64_t number) {
  return absl::BytesToHexString(base::ToAbsl(Key::OfEvent(life, number).bytes()));
}

absl::StatusOr<std::uint64_t> DecodeCursor(model::Incarnation life, std::string_view cursor) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  bool well_formed = cursor.size() == 32;
  for (const char c : cursor) well_formed = well_formed && is_hex(c);
  if (!well_formed) {
    return absl::InvalidArgumentError(
        "not a cursor of an event history; pass the one from the page before, unchanged");
  }
  const std::optional<EventPlace> place =
      EventPlaceOf(absl::HexStringToBytes(base::ToAbsl(cursor)));
  if (place->life != life) {
    return absl::InvalidArgumentError(
        "this cursor pages through the history of another agent, or of an earlier life of this "
        "one; begin again without a cursor");
  }
  return place->number;
}

}  // namespace muster::journal
