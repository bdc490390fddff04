#include "model/card.h"

#include <algorithm>

#include "base/strings.h"
#include "model/card_json.h"
#include "model/json_document.h"
#include "model/json_error.h"
#include "model/json_walk.h"

namespace muster::model {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kExpected = "an object, the agent's card";

// Where in a card the indexed values stand. An array of facets holds strings, or objects that name
// them; real cards have both.
enum CardPlace : JsonReader::Place {
  kCard = JsonReader::kElsewhere + 1,
  kName,
  kDescription,
  kVersion,
  kProvider,
  kOrganization,
  kSkills,
  kSkill,
  kSkillName,
  kTags,
  kTag,
  kDomains,
  kDomain,
  kInterfaces,
  kInterface,
  kProtocol,
};

struct Edge {
  CardPlace from;
  std::string_view key;
  CardPlace to;
};
constexpr Edge kEdges[] = {
    {kCard, "name", kName},
    {kCard, "description", kDescription},
    {kCard, "version", kVersion},
    {kCard, "provider", kProvider},
    {kCard, "skills", kSkills},
    {kCard, "tags", kTags},
    {kCard, "registryTags", kTags},
    {kCard, "domains", kDomains},
    {kCard, "preferredTransport", kProtocol},
    {kCard, "supportedInterfaces", kInterfaces},
    {kCard, "additionalInterfaces", kInterfaces},
    {kProvider, "organization", kOrganization},
    {kSkill, "id", kSkillName},
    {kSkill, "name", kSkillName},
    {kSkill, "tags", kTags},
    {kSkill, "domains", kDomains},
    {kTag, "name", kTag},
    {kDomain, "name", kDomain},
    {kInterface, "protocolBinding", kProtocol},
    {kInterface, "transport", kProtocol},
};

class CardReader : public JsonReader {
 public:
  CardReader(const Limits& limits, AgentCard* card)
      : values_max_(limits.card_values_max), values_left_(values_max_), card_(*card) {}

  Place Member(Place object, std::string_view key) override {
    for (const Edge& edge : kEdges) {
      if (edge.from == object && edge.key == key) return edge.to;
    }
    return kElsewhere;
  }

  Place Element(Place array) override {
    switch (array) {
      case kSkills:
        return kSkill;
      case kTags:
        return kTag;
      case kDomains:
        return kDomain;
      case kInterfaces:
        return kInterface;
      default:
        return kElsewhere;
    }
  }

  absl::Status Text(Place place, std::string_view text) override {
    switch (place) {
      case kName:
        card_.name = text;
        return absl::OkStatus();
      case kDescription:
        card_.description = text;
        return absl::OkStatus();
      case kVersion:
        card_.version = text;
        return absl::OkStatus();
      case kOrganization:
        card_.provider = text;
        return absl::OkStatus();
      case kSkill:
      case kSkillName:
        return Add(text, &card_.skills);
      case kTag:
        return Add(text, &card_.tags);
      case kDomain:
        return Add(text, &card_.domains);
      case kInterface:
      case kProtocol:
        return Add(text, &card_.protocols);
      default:
        return absl::OkStatus();
    }
  }

 private:
  absl::Status Add(std::string_view value, std::vector<std::string>* to) {
    if (value.empty() || HasControlCharacter(value)) return absl::OkStatus();
    if (values_left_ == 0) {
      return absl::ResourceExhaustedError(
          base::StrCat("the card names more than ", values_max_,
                       " skills, tags, domains and protocols (limits.card_values_max) [/card]"));
    }
    --values_left_;
    to->emplace_back(value);
    return absl::OkStatus();
  }

  const std::size_t values_max_;
  std::size_t values_left_;
  AgentCard& card_;
};

void SortDistinct(std::vector<std::string>* values) {
  std::sort(values->begin(), values->end());
  values->erase(std::unique(values->begin(), values->end()), values->end());
}

absl::Status TooLong(std::size_t bytes, const Limits& limits) {
  return absl::ResourceExhaustedError(
      base::StrCat("the card is ", bytes, " bytes long; the limit is ", limits.card_bytes_max,
                   " (limits.card_bytes_max) [/card]"));
}

// All of the card but its bytes.
absl::Status FillCard(ondemand::value value, const Limits& limits, AgentCard* card) {
  ondemand::json_type type;
  auto error = value.type().get(type);
  if (error == simdjson::SUCCESS && type != ondemand::json_type::object) {
    error = simdjson::INCORRECT_TYPE;
  }
  if (error != simdjson::SUCCESS) return JsonError(error, value, kExpected, "/card");
  CardReader reader(limits, card);
  auto status = WalkJson(value, "/card", limits.json_depth_max, &reader, kCard);
  if (!status.ok()) return status;
  if (card->name.empty()) {
    return WrongField("a card needs a `name`, a string that is not empty", "/card/name");
  }
  if (HasControlCharacter(card->name)) {
    return WrongField("a name must hold no control characters", "/card/name");
  }
  for (auto* values : {&card->skills, &card->tags, &card->domains, &card->protocols}) {
    SortDistinct(values);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadCard(ondemand::value value, const Limits& limits, AgentCard* card) {
  const char* const begin = value.raw_json_token().data();
  if (auto status = FillCard(value, limits, card); !status.ok()) return status;
  std::string_view json;
  if (auto status = TakeConsumed(begin, value, "/card", &json); !status.ok()) return status;
  if (json.size() > limits.card_bytes_max) return TooLong(json.size(), limits);
  card->json = json;
  return absl::OkStatus();
}

absl::StatusOr<AgentCard> ParseCard(std::string_view json, const Limits& limits) {
  if (json.size() > limits.card_bytes_max) return TooLong(json.size(), limits);
  AgentCard card;
  auto status = ReadDocument(json, kExpected,
                             [&](ondemand::value value) { return FillCard(value, limits, &card); });
  if (!status.ok()) return status;
  card.json = json;
  return card;
}

}  // namespace muster::model
