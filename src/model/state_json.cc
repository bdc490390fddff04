#include "model/state_json.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "base/text.h"
#include "model/json_error.h"

namespace muster::model {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kFields = "type, kind, max_age, minimum, maximum, allowed, critical";

template <typename Enum>
absl::Status ReadName(ondemand::value value, std::initializer_list<Enum> all,
                      std::string_view expected, const std::string& pointer, Enum* out) {
  std::string_view name;
  if (auto error = value.get_string().get(name)) return JsonError(error, expected, pointer);
  for (const Enum candidate : all) {
    if (Name(candidate) != name) continue;
    *out = candidate;
    return absl::OkStatus();
  }
  return WrongField(base::StrCat("expected ", expected), pointer);
}

absl::Status ReadBound(ondemand::value value, const std::string& pointer,
                       std::optional<double>* out) {
  double bound = 0;
  if (auto error = value.get_double().get(bound)) return JsonError(error, "a number", pointer);
  *out = bound + 0.0;
  return absl::OkStatus();
}

absl::Status ReadAllowed(ondemand::value value, const std::string& pointer, StateSpec* spec) {
  ondemand::array values;
  if (auto error = value.get_array().get(values)) {
    return JsonError(error, "an array of strings", pointer);
  }
  for (auto item : values) {
    std::string_view text;
    if (auto error = item.get_string().get(text)) return JsonError(error, "a string", pointer);
    spec->allowed.emplace_back(text);
  }
  return absl::OkStatus();
}

absl::Status ReadField(std::string_view key, ondemand::value value, const std::string& at,
                       StateSpec* spec) {
  if (key == "type") {
    return ReadName(
        value, {StateType::kNumber, StateType::kString, StateType::kBool, StateType::kLocation},
        "number, string, bool or location", at, &spec->type);
  }
  if (key == "kind") {
    return ReadName(value, {StateKind::kReplaceable, StateKind::kCounter, StateKind::kEvent},
                    "replaceable, counter or event", at, &spec->kind);
  }
  if (key == "max_age") return ReadDuration(value, at, &spec->max_age);
  if (key == "minimum") return ReadBound(value, at, &spec->minimum);
  if (key == "maximum") return ReadBound(value, at, &spec->maximum);
  if (key == "allowed") return ReadAllowed(value, at, spec);
  if (key == "critical") {
    if (auto error = value.get_bool().get(spec->critical)) {
      return JsonError(error, "true or false", at);
    }
    return absl::OkStatus();
  }
  return UnknownField(at, kFields);
}

}  // namespace

absl::Status ReadDuration(ondemand::value value, std::string_view pointer,
                          base::Duration* duration) {
  std::string_view text;
  if (auto error = value.get_string().get(text)) {
    return JsonError(error, "a duration in a string, such as \"150ms\"", pointer);
  }
  const auto parsed = base::ParseDuration(text);
  if (!parsed.ok()) return WrongField(base::Message(parsed.status()), pointer);
  *duration = *parsed;
  return absl::OkStatus();
}

absl::Status ReadStateSpec(ondemand::value value, const std::string& pointer, StateSpec* spec) {
  ondemand::object fields;
  if (auto error = value.get_object().get(fields)) {
    return JsonError(error, "an object, the state's declaration", pointer);
  }
  std::vector<std::string> seen;
  for (auto field : fields) {
    std::string_view key;
    if (auto error = field.unescaped_key().get(key)) return JsonError(error, "a key", pointer);
    const std::string at = PointerTo(pointer, key);
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) return DuplicateField(at);
    seen.emplace_back(key);
    ondemand::value inner;
    if (auto error = field.value().get(inner)) return JsonError(error, "a value", at);
    if (auto status = ReadField(seen.back(), inner, at, spec); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace muster::model
