// The configuration written out: for people, for programs, and as documentation.
#pragma once

#include <string>

#include "app/config/configuration.h"

namespace muster::app {

// A TOML file with every option, its default, unit and origin in comments; read back, it gives the
// same settings.
std::string ConfigurationToml(const Configuration& configuration);
// {"options":[{key, value, default, unit, range, origin, doc}], "states":[...]}
std::string ConfigurationJson(const Configuration& configuration);
// docs/configuration.md, generated.
std::string ConfigurationMarkdown();

}  // namespace muster::app
