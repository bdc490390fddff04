#include "model/card.h"

#include <algorithm>

#include "absl/container/inlined_vector.h"
#include "base/strings.h"
#include "model/json_error.h"

namespace muster::model {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

// The string at `key`, or empty if there is none, or something else stands there.
std::string_view Text(const object& from, std::string_view key) {
  std::string_view text;
  if (from.at_key(key).get_string().get(text) != simdjson::SUCCESS) return {};
  return text;
}

// Collects the facets of one card, counting them against the limit.
class Facets {
 public:
  explicit Facets(const Limits& limits) : left_(limits.card_values_max) {}

  // False: the card has more values than the limit.
  bool Add(std::string_view value, std::vector<std::string>* to) {
    if (value.empty() || HasControlCharacter(value)) return true;
    if (left_ == 0) return false;
    --left_;
    to->emplace_back(value);
    return true;
  }

  // Each string of the array at `key`, and of objects in it the string at `name_key`.
  bool AddAll(const object& from, std::string_view key, std::string_view name_key,
              std::vector<std::string>* to) {
    array values;
    if (from.at_key(key).get_array().get(values) != simdjson::SUCCESS) return true;
    for (const element value : values) {
      std::string_view text;
      object inner;
      if (value.get_string().get(text) == simdjson::SUCCESS) {
        if (!Add(text, to)) return false;
      } else if (value.get_object().get(inner) == simdjson::SUCCESS) {
        if (!Add(Text(inner, name_key), to)) return false;
      }
    }
    return true;
  }

 private:
  std::size_t left_;
};

bool AddSkills(const object& root, Facets* facets, AgentCard* card) {
  array skills;
  if (root.at_key("skills").get_array().get(skills) != simdjson::SUCCESS) return true;
  for (const element skill : skills) {
    std::string_view text;
    object inner;
    if (skill.get_string().get(text) == simdjson::SUCCESS) {
      if (!facets->Add(text, &card->skills)) return false;
    } else if (skill.get_object().get(inner) == simdjson::SUCCESS) {
      if (!facets->Add(Text(inner, "id"), &card->skills) ||
          !facets->Add(Text(inner, "name"), &card->skills) ||
          !facets->AddAll(inner, "tags", "name", &card->tags) ||
          !facets->AddAll(inner, "domains", "name", &card->domains)) {
        return false;
      }
    }
  }
  return true;
}

bool AddFacets(const object& root, Facets* facets, AgentCard* card) {
  return AddSkills(root, facets, card) && facets->AddAll(root, "tags", "name", &card->tags) &&
         facets->AddAll(root, "registryTags", "name", &card->tags) &&
         facets->AddAll(root, "domains", "name", &card->domains) &&
         facets->Add(Text(root, "preferredTransport"), &card->protocols) &&
         facets->AddAll(root, "supportedInterfaces", "protocolBinding", &card->protocols) &&
         facets->AddAll(root, "supportedInterfaces", "transport", &card->protocols) &&
         facets->AddAll(root, "additionalInterfaces", "transport", &card->protocols);
}

void SortDistinct(std::vector<std::string>* values) {
  std::sort(values->begin(), values->end());
  values->erase(std::unique(values->begin(), values->end()), values->end());
}

// A key that stands twice means different things to different readers. `depth` is bounded by the
// parser.
absl::Status CheckDistinctKeys(element value, const std::string& pointer) {
  object fields;
  if (value.get_object().get(fields) == simdjson::SUCCESS) {
    absl::InlinedVector<std::string_view, 32> keys;
    for (const auto& [key, inner] : fields) {
      keys.push_back(key);
      if (!inner.is_object() && !inner.is_array()) continue;
      if (auto status = CheckDistinctKeys(inner, PointerTo(pointer, key)); !status.ok()) {
        return status;
      }
    }
    std::sort(keys.begin(), keys.end());
    const auto twice = std::adjacent_find(keys.begin(), keys.end());
    return twice == keys.end() ? absl::OkStatus() : DuplicateField(PointerTo(pointer, *twice));
  }
  array values;
  if (value.get_array().get(values) != simdjson::SUCCESS) return absl::OkStatus();
  std::size_t index = 0;
  for (const element inner : values) {
    if (auto status = CheckDistinctKeys(inner, base::StrCat(pointer, "/", index)); !status.ok()) {
      return status;
    }
    ++index;
  }
  return absl::OkStatus();
}

absl::Status FillCard(element document, const Limits& limits, AgentCard* card) {
  object root;
  if (auto error = document.get_object().get(root)) {
    return JsonError(error, "an object, the agent's card", "/card");
  }
  if (auto status = CheckDistinctKeys(document, "/card"); !status.ok()) return status;
  std::string_view name;
  if (root.at_key("name").get_string().get(name) != simdjson::SUCCESS || name.empty()) {
    return WrongField("a card needs a `name`, a string that is not empty", "/card/name");
  }
  if (HasControlCharacter(name)) {
    return WrongField("a name must hold no control characters", "/card/name");
  }
  card->name = name;
  card->description = Text(root, "description");
  card->version = Text(root, "version");
  object provider;
  if (root.at_key("provider").get_object().get(provider) == simdjson::SUCCESS) {
    card->provider = Text(provider, "organization");
  }
  Facets facets(limits);
  if (!AddFacets(root, &facets, card)) {
    return absl::ResourceExhaustedError(
        base::StrCat("the card names more than ", limits.card_values_max,
                     " skills, tags, domains and protocols (limits.card_values_max) [/card]"));
  }
  for (auto* values : {&card->skills, &card->tags, &card->domains, &card->protocols}) {
    SortDistinct(values);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<AgentCard> ParseCard(std::string_view json, const Limits& limits) {
  if (json.size() > limits.card_bytes_max) {
    return absl::ResourceExhaustedError(
        base::StrCat("the card is ", json.size(), " bytes long; the limit is ",
                     limits.card_bytes_max, " (limits.card_bytes_max) [/card]"));
  }
  simdjson::dom::parser parser;
  if (auto error = parser.allocate(std::max<std::size_t>(json.size(), 64), limits.json_depth_max)) {
    return JsonError(error, "a card", "/card");
  }
  element document;
  if (auto error = parser.parse(json.data(), json.size()).get(document)) {
    return JsonError(error, "an object, the agent's card", "/card");
  }
  AgentCard card;
  card.json = json;
  if (auto status = FillCard(document, limits, &card); !status.ok()) return status;
  return card;
}

}  // namespace muster::model
