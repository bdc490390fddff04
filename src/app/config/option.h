// The table of options: the one place that knows what can be configured.
//
// From it come the TOML file's keys, the MUSTER_* variables, the flags of `muster serve`,
// `muster config print` and docs/configuration.md, so none of them can lack what another has.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "app/config/settings.h"
#include "base/time.h"

namespace muster::app {

// Where an option's value lives. A span: a list of so many numbers.
using Slot = std::variant<std::string*, bool*, std::uint32_t*, std::uint64_t*, double*,
                          base::Duration*, std::span<double>>;

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

struct Option {
  std::string_view key;   // "http.body_bytes_max"; at most one dot per level, snake_case
  std::string_view unit;  // "bytes" takes sizes such as 64KiB; durations need none
  std::string_view doc;   // one or two sentences: what it is and what changing it does
  Slot (*slot)(Settings*);
  double minimum = 0;  // inclusive, in the unit (durations: seconds)
  double maximum = kUnbounded;
  std::vector<std::string_view> choices = {};  // texts only; empty: any
};

// Grouped by section, in the order in which they are documented.
const std::vector<Option>& Options();
const Option* FindOption(std::string_view key);

std::string EnvironmentName(const Option& option);  // MUSTER_HTTP_BODY_BYTES_MAX
std::string FlagName(const Option& option);         // --http-body-bytes-max
// The part before the last dot; empty for the options at the top.
std::string_view Section(const Option& option);
std::string_view NameInSection(const Option& option);

// Sets the option from its text form: `64KiB`, `150ms`, `true`, `0.5`. InvalidArgument says what
// was expected.
absl::Status SetFromText(const Option& option, std::string_view text, Settings* settings);
// The text form, which SetFromText reads back.
std::string TextOf(const Option& option, const Settings& settings);
// As it stands in a TOML file: quoted where TOML needs it.
std::string TomlOf(const Option& option, const Settings& settings);
// "1 byte to 1 GiB", "true or false", "one of text, json".
std::string RangeText(const Option& option);

}  // namespace muster::app
