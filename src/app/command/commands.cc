#include "app/command/commands.h"

namespace muster::app {

Commands AllCommands() {
  Commands commands;
  for (auto make :
       {NewServeCommand, NewRegisterCommand, NewReportCommand, NewDiscoverCommand, NewGetCommand,
        NewListCommand, NewDeregisterCommand, NewStatusCommand, NewDemoCommand, NewBenchCommand,
        NewConfigCommand, NewCompletionCommand, NewManCommand}) {
    commands.push_back(make());
  }
  return commands;
}

}  // namespace muster::app
