#include "app/config/configuration.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "app/config/state_table.h"
#include "app/config/suggestion.h"
#include "app/config/toml_file.h"
#include "base/strings.h"
#include "schedule/options.h"

namespace muster::app {

namespace {

constexpr std::size_t kFileBytesMax = 4 << 20;

// Variables of the client commands and of our tests; the rest are options.
constexpr std::string_view kOtherVariables[] = {
    "MUSTER_CONFIG", "MUSTER_SERVER",     "MUSTER_TOKEN",     "MUSTER_TOKEN_FILE",
    "MUSTER_BINARY", "MUSTER_SOURCE_DIR", "MUSTER_DATA_FILES"};

class Configurator {
 public:
  explicit Configurator(const ConfigurationSources& sources) : sources_(sources) {
    configuration_.origins.resize(Options().size());
    for (const Option& option : Options()) keys_.emplace_back(option.key);
  }

  absl::StatusOr<Configuration> Run() {
    ApplyFile();
    ApplyEnvironment();
    ApplyFlags();
    if (problems_.empty()) CheckTogether();
    if (problems_.empty()) return std::move(configuration_);
    std::string all;
    for (const std::string& problem : problems_) {
      base::StrAppend(&all, all.empty() ? "" : "\n", problem);
    }
    return base::InvalidArgument(all);
  }

 private:
  void Apply(const Option& option, std::string_view text, Origin::From from,
             const std::string& place) {
    const absl::Status status = SetFromText(option, text, &configuration_.settings);
    if (!status.ok()) {
      problems_.push_back(base::StrCat(place, ": ", base::Message(status)));
      return;
    }
    configuration_.origins[static_cast<std::size_t>(&option - Options().data())] = {from, place};
  }

  void ApplyFile() {
    if (sources_.file_name.empty()) return;
    const auto file = ParseToml(sources_.file_text, sources_.file_name);
    if (!file.ok()) {
      problems_.emplace_back(base::Message(file.status()));
      return;
    }
    for (const TomlEntry& entry : file->entries) ApplyEntry(entry);
    ReadStates(*file, sources_.file_name, configuration_.settings.node.limits.states_max,
               &configuration_.settings.node.states, &problems_);
  }

  void ApplyEntry(const TomlEntry& entry) {
    const std::string place = base::StrCat(sources_.file_name, ":", entry.line);
    if (!unknown_section_.empty() && entry.key.starts_with(unknown_section_)) return;
    const Option* option = FindOption(entry.key);
    if (entry.kind == TomlEntry::Kind::kTable && option == nullptr) {
      const std::string prefix = entry.key + ".";
      if (std::any_of(keys_.begin(), keys_.end(),
                      [&](const std::string& key) { return key.starts_with(prefix); })) {
        return;
      }
      unknown_section_ = prefix;
      problems_.push_back(base::StrCat(place, ": there is no section [", entry.key, "]"));
      return;
    }
    if (option == nullptr) {
      problems_.push_back(base::StrCat(place, ": there is no option `", entry.key, "`",
                                       DidYouMean(entry.key, keys_)));
      return;
    }
    if (!IsOfKind(*option, entry.kind)) {
      problems_.push_back(base::StrCat(place, ": `", entry.key, "` must be ", RangeText(*option),
                                       ", not ", entry.text));
      return;
    }
    Apply(*option, entry.text, Origin::From::kFile, place);
  }

  // Sizes and numbers may be written as texts ("64KiB"), texts and durations not as numbers.
  static bool IsOfKind(const Option& option, TomlEntry::Kind kind) {
    Settings settings;
    const Slot slot = option.slot(&settings);
    using Kind = TomlEntry::Kind;
    if (std::holds_alternative<bool*>(slot)) return kind == Kind::kBool;
    const bool is_text =
        std::holds_alternative<std::string*>(slot) || std::holds_alternative<base::Duration*>(slot);
    if (std::holds_alternative<std::span<double>>(slot)) return kind == Kind::kNumbers;
    if (kind == Kind::kText) return true;
    return !is_text && (kind == Kind::kWhole || kind == Kind::kNumber);
  }

  void ApplyEnvironment() {
    std::vector<std::string> names;
    for (const Option& option : Options()) names.push_back(EnvironmentName(option));
    for (const auto& [name, text] : sources_.environment) {
      const auto found = std::find(names.begin(), names.end(), name);
      if (found != names.end()) {
        Apply(Options()[static_cast<std::size_t>(found - names.begin())], text,
              Origin::From::kEnvironment, name);
      } else if (std::find(std::begin(kOtherVariables), std::end(kOtherVariables), name) ==
                 std::end(kOtherVariables)) {
        // Not a mistake: an orchestrator may set MUSTER_* variables of its own.
        const std::string nearest = NearestName(name, names);
        if (nearest.empty()) continue;
        configuration_.warnings.push_back(base::StrCat(
            "the variable ", name, " is not one of Muster's; did you mean ", nearest, "?"));
      }
    }
  }

  void ApplyFlags() {
    for (const auto& [key, text] : sources_.flags) {
      const Option* option = FindOption(key);
      if (option != nullptr) Apply(*option, text, Origin::From::kFlag, FlagName(*option));
    }
  }

  void CheckTogether() {
    Settings& settings = configuration_.settings;
    const model::Limits& limits = settings.node.limits;
    if (limits.query_limit_default > limits.query_limit_max) {
      Disagree("limits.query_limit_default", "limits.query_limit_max");
    }
    if (limits.lease_default > limits.lease_max) {
      Disagree("limits.lease_default", "limits.lease_max");
    }
    if (limits.card_bytes_max > settings.http.body_bytes_max) {
      Disagree("limits.card_bytes_max", "http.body_bytes_max");
    }
    const absl::Status schedule = schedule::Check(settings.node.schedule);
    if (!schedule.ok()) problems_.push_back(base::StrCat("scheduler.", base::Message(schedule)));
  }

  void Disagree(std::string_view small, std::string_view large) {
    const auto shown = [&](std::string_view key) {
      const Option& option = *FindOption(key);
      const Origin& origin =
          configuration_.origins[static_cast<std::size_t>(&option - Options().data())];
      return base::StrCat("`", key, "` (", TextOf(option, configuration_.settings), ", ",
                          origin.place.empty() ? std::string("the default") : origin.place, ")");
    };
    problems_.push_back(base::StrCat(shown(small), " must not exceed ", shown(large)));
  }

  const ConfigurationSources& sources_;
  Configuration configuration_;
  std::vector<std::string> problems_;
  std::vector<std::string> keys_;
  std::string unknown_section_;  // with its dot: what stands in it is not looked at
};

}  // namespace

absl::StatusOr<Configuration> Configure(const ConfigurationSources& sources) {
  return Configurator(sources).Run();
}

absl::Status ReadConfigurationFile(const std::string& name, ConfigurationSources* sources) {
  if (name.empty()) return absl::OkStatus();
  std::ifstream file(name, std::ios::binary);
  if (!file) {
    return absl::NotFoundError(
        base::StrCat("the configuration file `", name, "` can't be read: is the path right?"));
  }
  std::string text(kFileBytesMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (file.bad()) return base::InvalidArgument(base::StrCat("`", name, "` can't be read"));
  if (text.size() > kFileBytesMax) {
    return base::InvalidArgument(
        base::StrCat("`", name, "` is larger than 4 MiB: that is no configuration of ours"));
  }
  sources->file_name = name;
  sources->file_text = std::move(text);
  return absl::OkStatus();
}

std::vector<std::pair<std::string, std::string>> MusterVariables(const char* const* environment) {
  std::vector<std::pair<std::string, std::string>> variables;
  for (; *environment != nullptr; ++environment) {
    const std::string_view variable(*environment);
    const std::size_t equals = variable.find('=');
    if (!variable.starts_with("MUSTER_") || equals == std::string_view::npos) continue;
    variables.emplace_back(variable.substr(0, equals), variable.substr(equals + 1));
  }
  return variables;
}

}  // namespace muster::app
