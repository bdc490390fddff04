// Any bytes as the body of a registration: what is taken can be declared, and its card stands
// alone.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/strings.h"
#include "model/agent.h"
#include "simdjson.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  const muster::model::Limits limits;
  const auto registration = muster::model::ParseRegistration("a", json, limits);
  if (!registration.ok()) {
    const std::string_view message = muster::base::Message(registration.status());
    MUSTER_CHECK(message.ends_with("]"), "a refusal names its field");
    MUSTER_CHECK(simdjson::validate_utf8(message.data(), message.size()), "a message is text");
    return 0;
  }
  const auto card = muster::model::ParseCard(registration->card.json, limits);
  MUSTER_CHECK(card.ok() && card->name == registration->card.name, "a card's bytes are its own");
  for (const auto& spec : registration->states) {
    MUSTER_CHECK(muster::model::CheckStateSpec(spec).ok(), "what is taken can be declared");
  }
  for (const auto& [key, text] : registration->labels) {
    MUSTER_CHECK(simdjson::validate_utf8(key.data(), key.size()) &&
                     simdjson::validate_utf8(text.data(), text.size()),
                 "a label is text");
  }
  return 0;
}
