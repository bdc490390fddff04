// States that the configuration declares: [[state]] tables, in and out.
#pragma once

#include <string>
#include <vector>

#include "app/config/toml_file.h"
#include "model/state.h"

namespace muster::app {

// Adds the states of `file` to `states`. Problems, "NAME:LINE: what is wrong", go to `problems`.
void ReadStates(const TomlFile& file, const std::string& name, std::size_t states_max,
                std::vector<model::StateSpec>* states, std::vector<std::string>* problems);

// One [[state]] table, which ReadStates reads back.
void AppendStateToml(const model::StateSpec& spec, std::string* out);

}  // namespace muster::app
