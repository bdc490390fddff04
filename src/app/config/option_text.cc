// Text forms of values: one for the environment, flags and files alike.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "absl/strings/numbers.h"
#include "app/config/option.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "base/text.h"

namespace muster::app {

namespace {

struct SizeUnit {
  std::string_view name;
  int shift;
};
constexpr SizeUnit kSizeUnits[] = {{"TiB", 40}, {"GiB", 30}, {"MiB", 20}, {"KiB", 10}, {"B", 0}};

std::string SizeText(std::uint64_t bytes) {
  for (const SizeUnit& unit : kSizeUnits) {
    const std::uint64_t one = 1ull << unit.shift;
    if (unit.shift > 0 && bytes >= one && bytes % one == 0) {
      return base::StrCat(bytes >> unit.shift, unit.name);
    }
  }
  return base::StrCat(bytes);
}

bool ParseUnsigned(std::string_view text, std::uint64_t* value) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, *value);
  return result.ec == std::errc() && result.ptr == end;
}

bool ParseSize(std::string_view text, std::uint64_t* value) {
  int shift = 0;
  for (const SizeUnit& unit : kSizeUnits) {
    if (text.size() > unit.name.size() && text.ends_with(unit.name)) {
      shift = unit.shift;
      text.remove_suffix(unit.name.size());
      break;
    }
  }
  if (!ParseUnsigned(text, value) || *value > (~0ull >> shift)) return false;
  *value <<= shift;
  return true;
}

std::string DurationText(base::Duration value) {
  std::string text;
  base::AppendDuration(&text, value);
  return text;
}

std::string NumberText(double value) {
  std::string text;
  base::JsonWriter(&text).Number(value);
  return text;
}

std::string BoundText(const Option& option, const Slot& slot, double bound) {
  if (std::holds_alternative<base::Duration*>(slot)) {
    return DurationText(base::FromSeconds(bound));
  }
  const bool is_real =
      std::holds_alternative<double*>(slot) || std::holds_alternative<std::span<double>>(slot);
  if (is_real) return NumberText(bound);
  const auto whole = static_cast<std::uint64_t>(bound);
  if (option.unit != "bytes") return base::StrCat(whole);
  const std::string size = SizeText(whole);
  return size.ends_with('B') ? size : size + (whole == 1 ? " byte" : " bytes");
}

absl::Status Expected(const Option& option, std::string_view text) {
  return base::InvalidArgument(
      base::StrCat("`", option.key, "` must be ", RangeText(option), ", not `", text, "`"));
}

bool InRange(const Option& option, double value) {
  return value >= option.minimum && value <= option.maximum;
}

// One overload for each alternative of Slot; false: not a value of that kind, or out of range.
bool Set(const Option& option, std::string_view text, std::string* value) {
  if (text.find('\0') != std::string_view::npos) return false;
  if (!option.choices.empty() &&
      std::find(option.choices.begin(), option.choices.end(), text) == option.choices.end()) {
    return false;
  }
  value->assign(text);
  return true;
}

bool Set(const Option&, std::string_view text, bool* value) {
  const bool is_true = text == "true" || text == "1" || text == "yes" || text == "on";
  const bool is_false = text == "false" || text == "0" || text == "no" || text == "off";
  if (!is_true && !is_false) return false;
  *value = is_true;
  return true;
}

bool Set(const Option& option, std::string_view text, std::uint64_t* value) {
  std::uint64_t whole = 0;
  const bool is_size = option.unit == "bytes";
  if (!(is_size ? ParseSize(text, &whole) : ParseUnsigned(text, &whole))) return false;
  if (!InRange(option, static_cast<double>(whole))) return false;
  *value = whole;
  return true;
}

bool Set(const Option& option, std::string_view text, std::uint32_t* value) {
  std::uint64_t whole = 0;
  if (!Set(option, text, &whole) || whole > UINT32_MAX) return false;
  *value = static_cast<std::uint32_t>(whole);
  return true;
}

bool Set(const Option& option, std::string_view text, double* value) {
  double number = 0;
  if (!absl::SimpleAtod(base::ToAbsl(text), &number) || !std::isfinite(number)) return false;
  if (!InRange(option, number)) return false;
  *value = number;
  return true;
}

bool Set(const Option& option, std::string_view text, base::Duration* value) {
  const auto duration = base::ParseDuration(text);
  if (!duration.ok() || !InRange(option, base::ToSeconds(*duration))) return false;
  *value = *duration;
  return true;
}

// Commas between the numbers; all of them, or none is changed.
bool Set(const Option& option, std::string_view text, std::span<double> values) {
  std::vector<double> numbers;
  while (numbers.size() <= values.size()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    double number = 0;
    if (!Set(option, text.substr(0, comma), &number)) return false;
    numbers.push_back(number);
    if (comma == text.size()) break;
    text.remove_prefix(comma + 1);
  }
  if (numbers.size() != values.size()) return false;
  std::copy(numbers.begin(), numbers.end(), values.begin());
  return true;
}

std::string Text(const Option&, std::span<const double> values) {
  std::string text;
  for (const double value : values) {
    base::StrAppend(&text, text.empty() ? "" : ", ", NumberText(value));
  }
  return text;
}
std::string Text(const Option&, const std::string& value) { return value; }
std::string Text(const Option&, bool value) { return value ? "true" : "false"; }
std::string Text(const Option& option, std::uint64_t value) {
  return option.unit == "bytes" ? SizeText(value) : base::StrCat(value);
}
std::string Text(const Option& option, std::uint32_t value) {
  return Text(option, std::uint64_t{value});
}
std::string Text(const Option&, double value) { return NumberText(value); }
std::string Text(const Option&, base::Duration value) { return DurationText(value); }

template <typename Value>
std::string TextAt(const Option& option, const Value* value) {
  return Text(option, *value);
}
std::string TextAt(const Option& option, std::span<double> values) { return Text(option, values); }

// A Slot points into settings that may be written; reading through it doesn't.
Slot SlotOf(const Option& option, const Settings& settings) {
  return option.slot(const_cast<Settings*>(&settings));
}

}  // namespace

absl::Status SetFromText(const Option& option, std::string_view text, Settings* settings) {
  const bool is_set =
      std::visit([&](auto value) { return Set(option, text, value); }, option.slot(settings));
  return is_set ? absl::OkStatus() : Expected(option, text);
}

std::string TextOf(const Option& option, const Settings& settings) {
  return std::visit([&](auto value) { return TextAt(option, value); }, SlotOf(option, settings));
}

std::string TomlOf(const Option& option, const Settings& settings) {
  std::string text = TextOf(option, settings);
  const Slot slot = SlotOf(option, settings);
  if (std::holds_alternative<bool*>(slot) || std::holds_alternative<double*>(slot)) return text;
  if (std::holds_alternative<std::span<double>>(slot)) return base::StrCat("[", text, "]");
  std::uint64_t whole = 0;
  const bool is_whole =
      std::holds_alternative<std::uint64_t*>(slot) || std::holds_alternative<std::uint32_t*>(slot);
  if (is_whole && ParseUnsigned(text, &whole)) return text;
  std::string quoted;
  base::AppendJsonString(&quoted, text);  // JSON's escapes are TOML's, too
  return quoted;
}

std::string RangeText(const Option& option) {
  Settings defaults;
  const Slot slot = option.slot(&defaults);
  if (std::holds_alternative<bool*>(slot)) return "true or false";
  if (std::holds_alternative<std::string*>(slot)) {
    if (option.choices.empty()) return "a text";
    std::string list = "one of ";
    for (std::size_t i = 0; i < option.choices.size(); ++i) {
      base::StrAppend(&list, i == 0 ? "" : ", ", option.choices[i]);
    }
    return list;
  }
  std::string range = std::holds_alternative<base::Duration*>(slot) ? "a duration from " : "";
  if (const auto* list = std::get_if<std::span<double>>(&slot)) {
    range = base::StrCat(list->size(), " numbers from ");
  }
  base::StrAppend(&range, BoundText(option, slot, option.minimum));
  if (std::isfinite(option.maximum)) {
    base::StrAppend(&range, " to ", BoundText(option, slot, option.maximum));
  } else {
    range += " or more";
  }
  if (!option.unit.empty() && option.unit != "bytes") base::StrAppend(&range, " ", option.unit);
  return range;
}

}  // namespace muster::app
