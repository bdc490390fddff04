#include "model/agent.h"

#include <algorithm>

#include "base/strings.h"
#include "base/text.h"
#include "model/json_error.h"
#include "model/state_json.h"
#include "simdjson.h"

namespace muster::model {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kFields = "card, labels, lease, max_age, states";

std::string_view Trimmed(std::string_view json) {
  const std::size_t last = json.find_last_not_of(" \t\r\n");
  return json.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

absl::Status ReadCard(ondemand::value value, const Limits& limits, Registration* registration) {
  std::string_view json;
  if (auto error = simdjson::to_json_string(value).get(json)) {
    return JsonError(error, "an object, the agent's card", "/card");
  }
  auto card = ParseCard(Trimmed(json), limits);
  if (!card.ok()) return card.status();
  registration->card = *std::move(card);
  return absl::OkStatus();
}

absl::Status CheckLabel(std::string_view key, std::string_view text, const Limits& limits) {
  const std::string pointer = PointerTo("/labels", key);
  if (key.empty()) return WrongField("a label needs a name", "/labels");
  if (HasControlCharacter(key) || HasControlCharacter(text)) {
    return WrongField("a label must hold no control characters", pointer);
  }
  if (key.size() > limits.label_bytes_max || text.size() > limits.label_bytes_max) {
    return WrongField(base::StrCat("a label's name and value are at most ", limits.label_bytes_max,
                                   " bytes each (limits.label_bytes_max)"),
                      pointer);
  }
  return absl::OkStatus();
}

// Sorts by key and refuses a key that stands twice.
template <typename Value>
absl::Status SortByKey(std::string_view parent,
                       std::vector<std::pair<std::string, Value>>* entries) {
  std::sort(entries->begin(), entries->end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto twice =
      std::adjacent_find(entries->begin(), entries->end(),
                         [](const auto& a, const auto& b) { return a.first == b.first; });
  return twice == entries->end() ? absl::OkStatus()
                                 : DuplicateField(PointerTo(parent, twice->first));
}

absl::Status ReadLabels(ondemand::value value, const Limits& limits, Registration* registration) {
  ondemand::object fields;
  if (auto error = value.get_object().get(fields)) {
    return JsonError(error, "an object of strings", "/labels");
  }
  for (auto field : fields) {
    std::string_view key;
    std::string_view text;
    if (auto error = field.unescaped_key().get(key)) return JsonError(error, "a key", "/labels");
    const std::string held_key(key);
    if (auto error = field.value().get_string().get(text)) {
      return JsonError(error, "a string", PointerTo("/labels", held_key));
    }
    if (auto status = CheckLabel(held_key, text, limits); !status.ok()) return status;
    if (registration->labels.size() >= limits.labels_max) {
      return WrongField(
          base::StrCat("more than ", limits.labels_max, " labels (limits.labels_max)"), "/labels");
    }
    registration->labels.emplace_back(held_key, text);
  }
  return SortByKey("/labels", &registration->labels);
}

absl::Status ReadLease(ondemand::value value, const Limits& limits, Registration* registration) {
  if (auto status = ReadDuration(value, "/lease", &registration->lease); !status.ok())
    return status;
  if (registration->lease <= base::Duration(0) || registration->lease > limits.lease_max) {
    std::string most;
    base::AppendDuration(&most, limits.lease_max);
    return WrongField(base::StrCat("a lease is above 0 and at most ", most, " (limits.lease_max)"),
                      "/lease");
  }
  return absl::OkStatus();
}

absl::Status ReadMaxAge(ondemand::value value, const Limits& limits, Registration* registration) {
  ondemand::object fields;
  if (auto error = value.get_object().get(fields)) {
    return JsonError(error, R"(an object such as {"load": "1s"})", "/max_age");
  }
  for (auto field : fields) {
    std::string_view key;
    if (auto error = field.unescaped_key().get(key)) return JsonError(error, "a key", "/max_age");
    auto& [name, age] = registration->max_age.emplace_back(std::string(key), base::Duration(0));
    const std::string pointer = PointerTo("/max_age", name);
    if (registration->max_age.size() > limits.states_max) {
      return WrongField("more states than can be declared", "/max_age");
    }
    ondemand::value inner;
    if (auto error = field.value().get(inner)) return JsonError(error, "a value", pointer);
    if (auto status = ReadDuration(inner, pointer, &age); !status.ok()) return status;
    if (age <= base::Duration(0)) return WrongField("a maximum age is above 0", pointer);
  }
  return SortByKey("/max_age", &registration->max_age);
}

absl::Status ReadStateSpecs(ondemand::value value, const Limits& limits,
                            Registration* registration) {
  ondemand::object fields;
  if (auto error = value.get_object().get(fields)) {
    return JsonError(error, "an object of state declarations", "/states");
  }
  for (auto field : fields) {
    std::string_view key;
    if (auto error = field.unescaped_key().get(key)) return JsonError(error, "a key", "/states");
    StateSpec& spec = registration->states.emplace_back();
    spec.name = key;
    const std::string pointer = PointerTo("/states", spec.name);
    if (registration->states.size() > limits.states_max) {
      return WrongField("more states than can be declared (limits.states_max)", "/states");
    }
    ondemand::value inner;
    if (auto error = field.value().get(inner)) return JsonError(error, "a value", pointer);
    if (auto status = ReadStateSpec(inner, pointer, &spec); !status.ok()) return status;
    const auto same = std::find_if(registration->states.begin(), registration->states.end() - 1,
                                   [&](const StateSpec& other) { return other.name == spec.name; });
    if (same != registration->states.end() - 1) return DuplicateField(pointer);
  }
  return absl::OkStatus();
}

enum Field : std::uint8_t { kCard, kLabels, kLease, kMaxAge, kStates };

std::optional<Field> FieldOf(std::string_view key) {
  if (key == "card") return kCard;
  if (key == "labels") return kLabels;
  if (key == "lease") return kLease;
  if (key == "max_age") return kMaxAge;
  if (key == "states") return kStates;
  return std::nullopt;
}

absl::Status ReadField(Field field, ondemand::value value, const Limits& limits,
                       Registration* registration) {
  switch (field) {
    case kCard:
      return ReadCard(value, limits, registration);
    case kLabels:
      return ReadLabels(value, limits, registration);
    case kLease:
      return ReadLease(value, limits, registration);
    case kMaxAge:
      return ReadMaxAge(value, limits, registration);
    case kStates:
      return ReadStateSpecs(value, limits, registration);
  }
  return absl::OkStatus();
}

absl::Status ReadRegistration(ondemand::document& document, const Limits& limits,
                              Registration* registration) {
  ondemand::object fields;
  if (auto error = document.get_object().get(fields)) {
    return JsonError(error, "an object, the registration", "");
  }
  std::uint8_t seen = 0;
  for (auto item : fields) {
    std::string_view key;
    if (auto error = item.unescaped_key().get(key)) return JsonError(error, "a key", "");
    const auto field = FieldOf(key);
    if (!field) return UnknownField(PointerTo("", key), kFields);
    const std::string pointer = PointerTo("", key);
    if (seen >> *field & 1) return DuplicateField(pointer);
    seen |= static_cast<std::uint8_t>(1 << *field);
    ondemand::value value;
    if (auto error = item.value().get(value)) return JsonError(error, "a value", pointer);
    if (auto status = ReadField(*field, value, limits, registration); !status.ok()) return status;
  }
  if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
    return WrongField("something follows the registration's object", "");
  }
  if (!(seen >> kCard & 1)) return WrongField("the registration needs a `card`", "/card");
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckAgentId(std::string_view id, const Limits& limits) {
  if (id.empty()) return base::InvalidArgument("an agent's id must not be empty");
  if (id.size() > limits.id_bytes_max) {
    return base::InvalidArgument(base::StrCat("the id is ", id.size(), " bytes long; the limit is ",
                                              limits.id_bytes_max, " (limits.id_bytes_max)"));
  }
  if (!simdjson::validate_utf8(id.data(), id.size())) {
    return base::InvalidArgument("the id is not valid UTF-8");
  }
  if (HasControlCharacter(id)) {
    return base::InvalidArgument("the id holds a control character");
  }
  return absl::OkStatus();
}

absl::StatusOr<Registration> ParseRegistration(std::string_view id, std::string_view json,
                                               const Limits& limits) {
  Registration registration;
  if (auto status = CheckAgentId(id, limits); !status.ok()) return status;
  registration.id = id;
  const simdjson::padded_string padded(json);
  ondemand::parser parser;
  ondemand::document document;
  if (auto error = parser.iterate(padded).get(document)) {
    return JsonError(error, "an object, the registration", "");
  }
  if (auto status = ReadRegistration(document, limits, &registration); !status.ok()) return status;
  return registration;
}

bool SameRegistration(const Registration& a, const Registration& b) {
  return a.id == b.id && a.card.json == b.card.json && a.labels == b.labels && a.lease == b.lease &&
         a.max_age == b.max_age && a.states == b.states;
}

}  // namespace muster::model
