// Finds the command that a command line means, sets its parameters and runs it.
#pragma once

#include "app/cli/command.h"

namespace muster::app {

// The exit code. Help goes to standard output, mistakes to standard error.
int RunCommandLine(int argc, const char* const* argv, const Commands& commands, Terminal* terminal);

}  // namespace muster::app
