// The configuration in force: defaults, overridden by a TOML file, by MUSTER_* variables, by flags.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "app/config/option.h"
#include "app/config/settings.h"

namespace muster::app {

// Where an option got its value.
struct Origin {
  enum class From { kDefault, kFile, kEnvironment, kFlag } from = From::kDefault;
  std::string place;  // "muster.toml:12", "MUSTER_LISTEN", "--listen"; empty for a default
};

struct Configuration {
  Settings settings;
  std::vector<Origin> origins;  // in the order of Options()
  // What is suspicious but no mistake, such as a variable that looks like a mistyped one of ours.
  std::vector<std::string> warnings;
};

struct ConfigurationSources {
  std::string file_name;  // what messages call it
  std::string file_text;
  std::vector<std::pair<std::string, std::string>> environment;  // MUSTER_* alone
  std::vector<std::pair<std::string, std::string>> flags;        // option's key, text
};

// Every mistake, one a line, each with its place; InvalidArgument. A file's unknown keys are
// mistakes.
absl::StatusOr<Configuration> Configure(const ConfigurationSources& sources);

// Reads the file (empty name: none) into `sources`. NotFound, PermissionDenied or InvalidArgument.
absl::Status ReadConfigurationFile(const std::string& name, ConfigurationSources* sources);

// The MUSTER_* variables of `environment`, as `environ` holds them.
std::vector<std::pair<std::string, std::string>> MusterVariables(const char* const* environment);

}  // namespace muster::app
