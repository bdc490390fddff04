// The description of commands as help, man page and completions.
#pragma once

#include <string>

#include "app/cli/command.h"

namespace muster::app {

std::string OverviewText(const Commands& commands, const Terminal& terminal);
std::string HelpText(const Usage& usage, const Terminal& terminal);
// muster(1), in troff.
std::string ManPage(const Commands& commands);
// docs/cli.md.
std::string CommandsMarkdown(const Commands& commands);

// `shell` is one of CompletionShells().
std::string CompletionScript(const std::string& shell, const Commands& commands);
std::vector<std::string> CompletionShells();

// "-f, --file FILE", "ID"; what a parameter is shown as.
std::string ParameterText(const Parameter& parameter);
// "muster get [options] ID"
std::string SynopsisText(const Usage& usage);
// One line a code, "0  ...".
struct ExitCodeDoc {
  int code;
  std::string_view meaning;
};
const std::vector<ExitCodeDoc>& ExitCodeDocs();

}  // namespace muster::app
