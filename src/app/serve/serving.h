// One node that serves: storage, node, HTTP server and Workers wired together, until a signal.
#pragma once

#include "absl/status/status.h"
#include "app/config/settings.h"

namespace muster::app {

// Blocks until SIGTERM or SIGINT, then shuts down in order. An error says why it could not start
// (InvalidArgument: the settings don't go together; anything else: the world refused) or that
// something was given up at the end.
absl::Status Serve(const Settings& settings);

// InvalidArgument: these settings would serve others without asking who they are, or lack a place
// for the data.
absl::Status CheckServeSettings(const Settings& settings);

}  // namespace muster::app
