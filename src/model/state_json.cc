#include "model/state_json.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "base/text.h"
#include "model/json_document.h"
#include "model/json_error.h"

namespace muster::model {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kFields = "type, kind, max_age, minimum, maximum, allowed, critical";
constexpr std::size_t kAllowedMax = 256;
constexpr std::size_t kAllowedBytesMax = 256;

template <typename Enum>
absl::Status ReadName(ondemand::value value, std::initializer_list<Enum> all,
                      std::string_view expected, const std::string& pointer, Enum* out) {
  std::string_view name;
  if (auto error = value.get_string().get(name)) {
    return JsonError(error, value, expected, pointer);
  }
  for (const Enum candidate : all) {
    if (Name(candidate) != name) continue;
    *out = candidate;
    return absl::OkStatus();
  }
  return WrongField(base::StrCat("expected ", expected, ", got \"", Shown(name, 40), "\""),
                    pointer);
}

absl::Status ReadBound(ondemand::value value, const std::string& pointer,
                       std::optional<double>* out) {
  double bound = 0;
  if (auto error = value.get_double().get(bound)) {
    return JsonError(error, value, "a number", pointer);
  }
  *out = bound + 0.0;  // -0 is 0
  return absl::OkStatus();
}

absl::Status ReadAllowed(ondemand::value value, const std::string& pointer, StateSpec* spec) {
  ondemand::array values;
  if (auto error = value.get_array().get(values)) {
    return JsonError(error, value, "an array of strings", pointer);
  }
  for (auto item : values) {
    const std::string at = base::StrCat(pointer, "/", spec->allowed.size());
    if (spec->allowed.size() >= kAllowedMax) {
      return WrongField(base::StrCat("more than ", kAllowedMax, " allowed values"), pointer);
    }
    std::string_view text;
    if (auto error = item.get_string().get(text)) return JsonError(error, "a string", at);
    if (text.size() > kAllowedBytesMax || HasControlCharacter(text)) {
      return WrongField(base::StrCat("an allowed value is at most ", kAllowedBytesMax,
                                     " bytes and without control characters"),
                        at);
    }
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
      return JsonError(error, value, "true or false", at);
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
    return JsonError(error, value, "a duration in a string, such as \"150ms\"", pointer);
  }
  const auto parsed = base::ParseDuration(text);
  if (!parsed.ok()) return WrongField(base::Message(parsed.status()), pointer);
  *duration = *parsed;
  return absl::OkStatus();
}

absl::Status ReadStateSpec(ondemand::value value, const std::string& pointer, StateSpec* spec) {
  std::vector<std::string_view> seen;
  auto status = ForEachMember(value, "an object, the state's declaration", pointer,
                              [&](std::string_view key, ondemand::value inner) {
                                const std::string at = PointerTo(pointer, key);
                                if (std::find(seen.begin(), seen.end(), key) != seen.end())
                                  return DuplicateField(at);
                                seen.push_back(key);
                                return ReadField(key, inner, at, spec);
                              });
  if (!status.ok()) return status;
  status = CheckStateSpec(*spec);
  return status.ok() ? status : WrongField(base::Message(status), pointer);
}

}  // namespace muster::model
