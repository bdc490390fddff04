#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>

#include "app/cli/help.h"
#include "app/config/suggestion.h"
#include "app/version.h"
#include "base/strings.h"

namespace muster::app {

namespace {

void AddParameter(const Parameter& parameter, CLI::App* app) {
  CLI::Option* option = std::visit(
      [&](auto* target) -> CLI::Option* {
        if constexpr (std::is_same_v<decltype(target), bool*>) {
          return app->add_flag(parameter.name, *target, parameter.doc);
        } else {
          return app->add_option(parameter.name, *target, parameter.doc);
        }
      },
      parameter.target);
  // One value a flag, so that a positional may follow; a positional takes all that remain.
  if (!parameter.is_positional()) option->allow_extra_args(false);
  if (parameter.is_required) option->required();
  if (!parameter.environment.empty()) option->envname(parameter.environment);
  if (!parameter.choices.empty()) option->check(CLI::IsMember(parameter.choices));
}

CLI::App* AddCommand(const Command& command, CLI::App* root) {
  CLI::App* app = root->add_subcommand(command.usage().name, command.usage().summary);
  app->set_help_flag("-h,--help", "Shows this help");
  for (const Parameter& parameter : command.usage().parameters) AddParameter(parameter, app);
  return app;
}

std::vector<std::string> CommandNames(const Commands& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands) names.push_back(command->usage().name);
  return names;
}

// The flag that a mistyped one among `arguments` may have meant.
std::string FlagHint(const Command& command, const std::vector<std::string>& arguments) {
  std::vector<std::string> known = {"--help"};
  for (const Parameter& parameter : command.usage().parameters) {
    if (parameter.is_positional()) continue;
    known.push_back(parameter.name.substr(parameter.name.find("--")));
  }
  for (const std::string& argument : arguments) {
    const std::string flag = argument.substr(0, argument.find('='));
    if (!flag.starts_with("--") || std::find(known.begin(), known.end(), flag) != known.end()) {
      continue;
    }
    return DidYouMean(flag, known);
  }
  return "";
}

int Complain(Terminal* terminal, const std::string& who, const std::string& what) {
  *terminal->err << who << ": " << what << "\nTry `" << who << " --help`.\n";
  return kUsage;
}

int RunParsed(const Command& command, const CLI::ParseError& error,
              const std::vector<std::string>& arguments, Terminal* terminal) {
  if (error.get_exit_code() == 0) {
    *terminal->out << HelpText(command.usage(), *terminal);
    return kDone;
  }
  return Complain(terminal, "muster " + command.usage().name,
                  error.what() + FlagHint(command, arguments));
}

}  // namespace

int RunCommandLine(int argc, const char* const* argv, const Commands& commands,
                   Terminal* terminal) {
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" ||
      (arguments[0] == "help" && arguments.size() == 1)) {
    (arguments.empty() ? *terminal->err : *terminal->out) << OverviewText(commands, *terminal);
    return arguments.empty() ? kUsage : kDone;
  }
  if (arguments[0] == "--version" || arguments[0] == "-V") {
    *terminal->out << "muster " << kVersion << "\n";
    return kDone;
  }
  const std::string& name = arguments[0] == "help" ? arguments[1] : arguments[0];
  const auto found = std::find_if(commands.begin(), commands.end(), [&](const auto& command) {
    return command->usage().name == name;
  });
  if (found == commands.end()) {
    return Complain(terminal, "muster",
                    base::StrCat("there is no command `", Printable(name), "`",
                                 DidYouMean(name, CommandNames(commands))));
  }
  Command& command = **found;
  if (arguments[0] == "help") {
    *terminal->out << HelpText(command.usage(), *terminal);
    return kDone;
  }
  CLI::App root;
  CLI::App* app = AddCommand(command, &root);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend() - 1);
    app->parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    return RunParsed(command, error, arguments, terminal);
  }
  return command.Run(terminal);
}

}  // namespace muster::app
