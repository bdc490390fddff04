#include "journal/registration_codec.h"

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "journal/damage.h"
#include "journal/keys.h"
#include "journal/value_codec.h"

namespace muster::journal {
namespace {

constexpr std::uint8_t kVersion = 1;

void EncodeTexts(const std::vector<std::string>& texts, Encoder* out) {
  out->Varint(texts.size());
  for (const std::string& text : texts) out->String(text);
}

void DecodeTexts(Decoder* in, std::vector<std::string>* texts) {
  const std::size_t count = in->Count(1);
  texts->clear();
  texts->reserve(count);
  for (std::size_t i = 0; i < count && in->ok(); ++i) texts->emplace_back(in->String());
}

void EncodeTime(base::WallTime at, Encoder* out) { out->Signed(at.time_since_epoch().count()); }
base::WallTime DecodeTime(Decoder* in) { return base::WallFromUnixNanos(in->Signed()); }

void EncodeOptional(const std::optional<double>& value, Encoder* out) {
  out->Byte(value.has_value() ? 1 : 0);
  if (value.has_value()) out->Double(*value);
}

std::optional<double> DecodeOptional(Decoder* in) {
  if (in->VarintAtMost(1) == 0) return std::nullopt;
  return DecodeFinite(in);
}

void EncodeSpec(const model::StateSpec& spec, Encoder* out) {
  out->String(spec.name);
  out->Byte(static_cast<std::uint8_t>(spec.type));
  out->Byte(static_cast<std::uint8_t>(spec.kind));
  out->Signed(spec.max_age.count());
  EncodeOptional(spec.minimum, out);
  EncodeOptional(spec.maximum, out);
  EncodeTexts(spec.allowed, out);
  out->Byte(spec.critical ? 1 : 0);
}
constexpr std::size_t kSpecBytesMin = 8;

void DecodeSpec(Decoder* in, model::StateSpec* spec) {
  spec->name = in->String();
  spec->type = static_cast<model::StateType>(in->VarintAtMost(3));
  spec->kind = static_cast<model::StateKind>(in->VarintAtMost(2));
  spec->max_age = base::Duration(in->Signed());
  spec->minimum = DecodeOptional(in);
  spec->maximum = DecodeOptional(in);
  DecodeTexts(in, &spec->allowed);
  spec->critical = in->VarintAtMost(1) == 1;
}

void EncodeCard(const model::AgentCard& card, Encoder* out) {
  for (const std::string* text :
       {&card.json, &card.name, &card.description, &card.version, &card.provider}) {
    out->String(*text);
  }
  for (const auto* texts : {&card.skills, &card.tags, &card.domains, &card.protocols}) {
    EncodeTexts(*texts, out);
  }
}

void DecodeCard(Decoder* in, model::AgentCard* card) {
  for (std::string* text :
       {&card->json, &card->name, &card->description, &card->version, &card->provider}) {
    *text = in->String();
  }
  for (auto* texts : {&card->skills, &card->tags, &card->domains, &card->protocols}) {
    DecodeTexts(in, texts);
  }
}

void DecodeRegistration(Decoder* in, model::Registration* registration) {
  registration->lease = base::Duration(in->Signed());
  const std::size_t labels = in->Count(2);
  registration->labels.resize(labels);
  for (auto& [name, value] : registration->labels) {
    name = in->String();
    value = in->String();
  }
  const std::size_t bounds = in->Count(2);
  registration->max_age.resize(bounds);
  for (auto& [name, bound] : registration->max_age) {
    name = in->String();
    bound = base::Duration(in->Signed());
  }
  const std::size_t states = in->Count(kSpecBytesMin);
  registration->states.resize(states);
  for (model::StateSpec& spec : registration->states) DecodeSpec(in, &spec);
  DecodeCard(in, &registration->card);
}

// Reads the version byte; what it finds wrong is the status.
absl::Status ReadVersion(Column column, std::string_view key, Decoder* in) {
  const std::uint8_t version = in->Byte();
  if (!in->ok()) return DamagedRecord(column, key, "it is empty");
  if (version == 0) return DamagedRecord(column, key, "its version is 0");
  if (version > kVersion) return NewerRecord(column, key, version);
  return absl::OkStatus();
}

}  // namespace

void EncodeAgent(const model::Agent& agent, Encoder* out) {
  const model::Registration& registration = agent.registration;
  out->Byte(kVersion);
  out->Varint(agent.incarnation);
  out->Varint(agent.slot);
  out->Varint(agent.revision);
  EncodeTime(agent.registered_at, out);
  out->String(registration.id);
  out->Signed(registration.lease.count());
  out->Varint(registration.labels.size());
  for (const auto& [name, value] : registration.labels) {
    out->String(name);
    out->String(value);
  }
  out->Varint(registration.max_age.size());
  for (const auto& [name, bound] : registration.max_age) {
    out->String(name);
    out->Signed(bound.count());
  }
  out->Varint(registration.states.size());
  for (const model::StateSpec& spec : registration.states) EncodeSpec(spec, out);
  EncodeCard(registration.card, out);
}

absl::Status DecodeAgent(std::string_view key, std::string_view value, model::Agent* agent) {
  Decoder in(value);
  if (auto status = ReadVersion(Column::kAgents, key, &in); !status.ok()) return status;
  agent->incarnation = in.Varint();
  agent->slot =
      static_cast<model::AgentSlot>(in.VarintAtMost(std::numeric_limits<model::AgentSlot>::max()));
  agent->revision = in.Varint();
  agent->registered_at = DecodeTime(&in);
  agent->registration.id = in.String();
  DecodeRegistration(&in, &agent->registration);
  if (!in.Finished()) return DamagedRecord(Column::kAgents, key, "not a registration's bytes");
  if (NumberOf(key) != agent->incarnation || agent->revision < agent->incarnation) {
    return DamagedRecord(Column::kAgents, key, "it belongs to another life of an agent");
  }
  return absl::OkStatus();
}

void EncodeTombstone(const model::Tombstone& tombstone, Encoder* out) {
  out->Byte(kVersion);
  out->Varint(tombstone.revision);
  out->Varint(tombstone.incarnation);
  EncodeTime(tombstone.removed_at, out);
  out->String(tombstone.id);
}

absl::Status DecodeTombstone(std::string_view key, std::string_view value,
                             model::Tombstone* tombstone) {
  Decoder in(value);
  if (auto status = ReadVersion(Column::kTombstones, key, &in); !status.ok()) return status;
  tombstone->revision = in.Varint();
  tombstone->incarnation = in.Varint();
  tombstone->removed_at = DecodeTime(&in);
  tombstone->id = in.String();
  if (!in.Finished()) return DamagedRecord(Column::kTombstones, key, "not a tombstone's bytes");
  if (NumberOf(key) != tombstone->revision) {
    return DamagedRecord(Column::kTombstones, key, "it belongs to another removal");
  }
  return absl::OkStatus();
}

void EncodeStateSpec(const model::StateSpec& spec, Encoder* out) {
  out->Byte(kVersion);
  EncodeSpec(spec, out);
}

absl::Status DecodeStateSpec(std::string_view key, std::string_view value, model::StateSpec* spec) {
  Decoder in(value);
  if (auto status = ReadVersion(Column::kMeta, key, &in); !status.ok()) return status;
  DecodeSpec(&in, spec);
  if (!in.Finished()) return DamagedRecord(Column::kMeta, key, "not a state's declaration");
  return absl::OkStatus();
}

void EncodeLastWritten(const LastWritten& last, Encoder* out) {
  out->Byte(kVersion);
  out->Varint(last.revision);
  EncodeTime(last.at, out);
}

absl::Status DecodeLastWritten(std::string_view key, std::string_view value, LastWritten* last) {
  Decoder in(value);
  if (auto status = ReadVersion(Column::kMeta, key, &in); !status.ok()) return status;
  last->revision = in.Varint();
  last->at = DecodeTime(&in);
  if (!in.Finished()) return DamagedRecord(Column::kMeta, key, "not a revision and an instant");
  return absl::OkStatus();
}

}  // namespace muster::journal
