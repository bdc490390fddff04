#include "app/cli/command_line.h"
#include "app/command/commands.h"

int main(int argc, char** argv) {
  muster::app::Terminal terminal = muster::app::SystemTerminal();
  return muster::app::RunCommandLine(argc, argv, muster::app::AllCommands(), &terminal);
}
