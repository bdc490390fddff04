// Every subcommand, in the order in which they are listed.
#pragma once

#include <memory>

#include "app/cli/command.h"

namespace muster::app {

Commands AllCommands();

std::unique_ptr<Command> NewServeCommand();
std::unique_ptr<Command> NewRegisterCommand();
std::unique_ptr<Command> NewReportCommand();
std::unique_ptr<Command> NewDiscoverCommand();
std::unique_ptr<Command> NewGetCommand();
std::unique_ptr<Command> NewListCommand();
std::unique_ptr<Command> NewDeregisterCommand();
std::unique_ptr<Command> NewStatusCommand();
std::unique_ptr<Command> NewDemoCommand();
std::unique_ptr<Command> NewBenchCommand();
std::unique_ptr<Command> NewConfigCommand();
// These two describe all the others, themselves included.
std::unique_ptr<Command> NewCompletionCommand();
std::unique_ptr<Command> NewManCommand();

}  // namespace muster::app
