#include "model/agent.h"

#include <algorithm>

#include "base/strings.h"
#include "base/text.h"
#include "model/card_json.h"
#include "model/json_document.h"
#include "model/json_error.h"
#include "model/state_json.h"
#include "simdjson.h"

namespace muster::model {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kFields = "card, labels, lease, max_age, states";
constexpr std::string_view kExpected = "an object, the registration";

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
  auto& labels = registration->labels;
  auto status = ForEachMember(
      value, "an object of strings", "/labels", [&](std::string_view key, ondemand::value inner) {
        std::string_view text;
        if (auto error = inner.get_string().get(text)) {
          return JsonError(error, inner, "a string", PointerTo("/labels", key));
        }
        if (labels.size() >= limits.labels_max) {
          return WrongField(
              base::StrCat("more than ", limits.labels_max, " labels (limits.labels_max)"),
              "/labels");
        }
        labels.emplace_back(key, text);
        return CheckLabel(key, text, limits);
      });
  return status.ok() ? SortByKey("/labels", &labels) : status;
}

absl::Status ReadLease(ondemand::value value, const Limits& limits, Registration* registration) {
  if (auto status = ReadDuration(value, "/lease", &registration->lease); !status.ok())
    return status;
  if (registration->lease <= base::Duration(0) || registration->lease > limits.lease_max) {
    std::string most;
    base::AppendDuration(&most, limits.lease_max);
    std::string got;
    base::AppendDuration(&got, registration->lease);
    return WrongField(base::StrCat("a lease must be above 0 and at most ", most,
                                   " (limits.lease_max), got ", got),
                      "/lease");
  }
  return absl::OkStatus();
}

absl::Status ReadMaxAge(ondemand::value value, const Limits& limits, Registration* registration) {
  auto& ages = registration->max_age;
  auto status = ForEachMember(
      value, R"(an object such as {"load": "1s"})", "/max_age",
      [&](std::string_view key, ondemand::value inner) {
        const std::string pointer = PointerTo("/max_age", key);
        if (ages.size() >= limits.states_max) {
          return WrongField("more states than can be declared (limits.states_max)", "/max_age");
        }
        auto& age = ages.emplace_back(key, base::Duration(0)).second;
        auto read = ReadDuration(inner, pointer, &age);
        if (read.ok() && age <= base::Duration(0)) {
          return WrongField("a maximum age must be above 0, got 0s", pointer);
        }
        return read;
      });
  return status.ok() ? SortByKey("/max_age", &ages) : status;
}

absl::Status ReadStateSpecs(ondemand::value value, const Limits& limits,
                            Registration* registration) {
  auto& specs = registration->states;
  return ForEachMember(
      value, "an object of state declarations", "/states",
      [&](std::string_view key, ondemand::value inner) {
        const std::string pointer = PointerTo("/states", key);
        if (specs.size() >= limits.states_max) {
          return WrongField("more states than can be declared (limits.states_max)", "/states");
        }
        if (key.size() > limits.state_name_bytes_max) {
          return WrongField(base::StrCat("a state's name is at most ", limits.state_name_bytes_max,
                                         " bytes (limits.state_name_bytes_max)"),
                            pointer);
        }
        const bool twice = std::any_of(specs.begin(), specs.end(),
                                       [&](const StateSpec& spec) { return spec.name == key; });
        if (twice) return DuplicateField(pointer);
        StateSpec& spec = specs.emplace_back();
        spec.name = key;
        return ReadStateSpec(inner, pointer, &spec);
      });
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
      return ReadCard(value, limits, &registration->card);
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

absl::Status ReadRegistration(ondemand::value value, const Limits& limits,
                              Registration* registration) {
  unsigned seen = 0;
  auto status =
      ForEachMember(value, kExpected, "", [&](std::string_view key, ondemand::value inner) {
        const auto field = FieldOf(key);
        if (!field) return UnknownField(PointerTo("", key), kFields);
        if (seen >> *field & 1) return DuplicateField(PointerTo("", key));
        seen |= 1U << *field;
        return ReadField(*field, inner, limits, registration);
      });
  if (!status.ok()) return status;
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
  auto status = ReadDocument(json, kExpected, [&](ondemand::value value) {
    return ReadRegistration(value, limits, &registration);
  });
  if (!status.ok()) return status;
  return registration;
}

bool SameRegistration(const Registration& a, const Registration& b) {
  return a.id == b.id && a.card.json == b.card.json && a.labels == b.labels && a.lease == b.lease &&
         a.max_age == b.max_age && a.states == b.states;
}

}  // namespace muster::model
