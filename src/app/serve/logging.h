// The program's log on standard error: a line of text, or a JSON object, a message.
#pragma once

#include "app/config/settings.h"

namespace muster::app {

// Sets the level and format of every message that is logged from now on.
void ConfigureLogging(const LogSettings& settings);

}  // namespace muster::app
