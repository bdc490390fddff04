#include "model/state.h"

#include <algorithm>
#include <cmath>

#include "base/strings.h"

namespace muster::model {
namespace {

constexpr std::size_t kNameBytesMax = 64;

absl::Status CheckName(std::string_view name) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool shaped = !name.empty() && name.size() <= kNameBytesMax && is_lower(name[0]) &&
                      std::all_of(name.begin(), name.end(), [&](char c) {
                        return is_lower(c) || (c >= '0' && c <= '9') || c == '_';
                      });
  if (shaped) return absl::OkStatus();
  return base::InvalidArgument(base::StrCat("a state's name is [a-z][a-z0-9_]* of at most ",
                                            kNameBytesMax, " bytes, got \"", name.substr(0, 80),
                                            "\""));
}

StateSpec Number(std::string name, std::optional<double> minimum, std::optional<double> maximum,
                 base::Duration max_age) {
  StateSpec spec;
  spec.name = std::move(name);
  spec.minimum = minimum;
  spec.maximum = maximum;
  spec.max_age = max_age;
  return spec;
}

std::vector<StateSpec> BuiltInSpecs() {
  using std::chrono::seconds;
  StateSpec availability;
  availability.name = "availability";
  availability.type = StateType::kString;
  availability.allowed = {"ready", "busy", "overloaded", "draining", "offline"};
  availability.max_age = seconds(10);
  StateSpec location;
  location.name = "location";
  location.type = StateType::kLocation;
  location.max_age = seconds(60);
  return {Number("load", 0, 1, seconds(10)),
          Number("capacity", 0, std::nullopt, seconds(60)),
          Number("queue_depth", 0, std::nullopt, seconds(10)),
          availability,
          Number("latency", 0, std::nullopt, seconds(30)),
          Number("success_rate", 0, 1, seconds(60)),
          Number("cost", 0, std::nullopt, seconds(300)),
          location};
}

std::string RangeOf(const StateSpec& spec) {
  if (!spec.maximum) return base::StrCat("at least ", *spec.minimum);
  if (!spec.minimum) return base::StrCat("at most ", *spec.maximum);
  return base::StrCat("between ", *spec.minimum, " and ", *spec.maximum);
}

absl::Status CheckNumber(const StateSpec& spec, double number) {
  if (!std::isfinite(number)) {
    return base::InvalidArgument(base::StrCat(spec.name, " must be a finite number"));
  }
  const bool in_range =
      (!spec.minimum || number >= *spec.minimum) && (!spec.maximum || number <= *spec.maximum);
  if (in_range) return absl::OkStatus();
  return base::InvalidArgument(
      base::StrCat(spec.name, " must be ", RangeOf(spec), ", got ", number));
}

absl::Status CheckText(const StateSpec& spec, std::string_view text) {
  if (spec.allowed.empty() ||
      std::find(spec.allowed.begin(), spec.allowed.end(), text) != spec.allowed.end()) {
    return absl::OkStatus();
  }
  std::string allowed;
  for (const std::string& value : spec.allowed) {
    base::StrAppend(&allowed, allowed.empty() ? "" : ", ", value);
  }
  return base::InvalidArgument(
      base::StrCat(spec.name, " must be one of ", allowed, ", got \"", text.substr(0, 40), "\""));
}

}  // namespace

absl::Status CheckStateSpec(const StateSpec& spec) {
  if (auto status = CheckName(spec.name); !status.ok()) return status;
  const auto wrong = [&](std::string_view what) {
    return base::InvalidArgument(base::StrCat("state \"", spec.name, "\": ", what));
  };
  if (spec.max_age <= base::Duration(0)) return wrong("max_age must be above 0");
  if (spec.kind == StateKind::kCounter && spec.type != StateType::kNumber) {
    return wrong("a counter must be a number");
  }
  const bool has_range = spec.minimum.has_value() || spec.maximum.has_value();
  if (has_range && spec.type != StateType::kNumber) return wrong("only a number has a range");
  if (spec.minimum && !std::isfinite(*spec.minimum)) return wrong("minimum must be finite");
  if (spec.maximum && !std::isfinite(*spec.maximum)) return wrong("maximum must be finite");
  if (spec.minimum && spec.maximum && *spec.minimum > *spec.maximum) {
    return wrong("minimum is above maximum");
  }
  if (!spec.allowed.empty() && spec.type != StateType::kString) {
    return wrong("only a string has allowed values");
  }
  return absl::OkStatus();
}

ValueView View(const StateValue& value) {
  ValueView view;
  view.type = static_cast<StateType>(value.index());
  if (const auto* number = std::get_if<double>(&value)) view.number = *number;
  if (const auto* text = std::get_if<std::string>(&value)) view.text = *text;
  if (const auto* boolean = std::get_if<bool>(&value)) view.boolean = *boolean;
  if (const auto* location = std::get_if<Location>(&value)) view.location = *location;
  return view;
}

StateCatalog StateCatalog::BuiltIn() {
  StateCatalog catalog;
  for (StateSpec& spec : BuiltInSpecs()) {
    catalog.index_of_[spec.name] = static_cast<StateIndex>(catalog.specs_.size());
    catalog.specs_.push_back(std::move(spec));
  }
  return catalog;
}

absl::StatusOr<StateIndex> StateCatalog::Declare(const StateSpec& spec, std::size_t states_max) {
  if (auto status = CheckStateSpec(spec); !status.ok()) return status;
  if (const auto found = Find(spec.name)) {
    if (specs_[*found] == spec) return *found;
    return absl::AlreadyExistsError(
        base::StrCat("state \"", spec.name, "\" is declared otherwise on this node (",
                     Name(specs_[*found].type), ", ", Name(specs_[*found].kind),
                     "); a name's declaration is fixed: take another name or the same declaration "
                     "[/states/",
                     spec.name, "]"));
  }
  if (specs_.size() >= std::min(states_max, kStatesLimit)) {
    return absl::ResourceExhaustedError(
        base::StrCat("this node holds its maximum of ", specs_.size(),
                     " declared states (limits.states_max); \"", spec.name, "\" is one too many"));
  }
  const auto index = static_cast<StateIndex>(specs_.size());
  index_of_[spec.name] = index;
  specs_.push_back(spec);
  return index;
}

std::optional<StateIndex> StateCatalog::Find(std::string_view name) const {
  const auto it = index_of_.find(name);
  if (it == index_of_.end()) return std::nullopt;
  return it->second;
}

absl::Status CheckValue(const StateSpec& spec, const ValueView& value) {
  if (value.type != spec.type) {
    return base::InvalidArgument(
        base::StrCat(spec.name, " must be a ", Name(spec.type), ", got a ", Name(value.type)));
  }
  switch (spec.type) {
    case StateType::kNumber:
      return CheckNumber(spec, value.number);
    case StateType::kString:
      return CheckText(spec, value.text);
    case StateType::kBool:
      return absl::OkStatus();
    case StateType::kLocation:
      break;
  }
  const Location& at = value.location;
  const bool on_earth =
      at.latitude >= -90 && at.latitude <= 90 && at.longitude >= -180 && at.longitude <= 180;
  if (on_earth) return absl::OkStatus();
  return base::InvalidArgument(
      base::StrCat(spec.name, " must have latitude -90..90 and longitude -180..180, got ",
                   at.latitude, ", ", at.longitude));
}

std::string_view Name(StateType type) {
  switch (type) {
    case StateType::kNumber:
      return "number";
    case StateType::kString:
      return "string";
    case StateType::kBool:
      return "bool";
    case StateType::kLocation:
      return "location";
  }
  return "";
}

std::string_view Name(StateKind kind) {
  switch (kind) {
    case StateKind::kReplaceable:
      return "replaceable";
    case StateKind::kCounter:
      return "counter";
    case StateKind::kEvent:
      return "event";
  }
  return "";
}

}  // namespace muster::model
