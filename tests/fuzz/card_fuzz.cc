// Any bytes as a card: taken as they stand, or refused with a readable message.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/strings.h"
#include "model/card.h"
#include "simdjson.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  const muster::model::Limits limits;
  const auto card = muster::model::ParseCard(json, limits);
  if (!card.ok()) {
    const std::string_view message = muster::base::Message(card.status());
    MUSTER_CHECK(message.ends_with("]"), "a refusal names its field");
    MUSTER_CHECK(simdjson::validate_utf8(message.data(), message.size()), "a message is text");
    return 0;
  }
  MUSTER_CHECK(card->json == json, "a card is kept verbatim");
  MUSTER_CHECK(!card->name.empty(), "a card has a name");
  MUSTER_CHECK(simdjson::validate_utf8(json.data(), json.size()), "a card is text");
  const std::size_t values =
      card->skills.size() + card->tags.size() + card->domains.size() + card->protocols.size();
  MUSTER_CHECK(values <= limits.card_values_max, "a card's values are bounded");
  return 0;
}
