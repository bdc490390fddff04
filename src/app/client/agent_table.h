// Agents of an answer as a table: their states side by side, each with its age.
#pragma once

#include <string>

#include "app/cli/terminal.h"
#include "app/client/json_view.h"

namespace muster::app {

// `agents` is the array of an answer to discover or list. Empty if it is.
std::string AgentTable(JsonView agents, const Terminal& terminal);

// A state's value for people: "0.4", "ready", "52.52, 13.40".
std::string StateValueText(JsonView value);
// Green while fresh, yellow near its bound, red at and past it.
Colour FreshnessColour(double freshness);

}  // namespace muster::app
