// A subcommand: what it is called, what it takes, and what it does.
//
// The description is data: the parser, --help, the man page and the shells' completions are all
// made from it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "app/cli/terminal.h"

namespace muster::app {

// What a run ends with; documented in the man page.
enum ExitCode : int {
  kDone = 0,
  kRefused = 1,      // the server refused: not found, not allowed, a wrong value, overloaded
  kUsage = 2,        // the command line or the configuration is wrong
  kUnreachable = 3,  // no server, or no answer in time
  kCannotStart = 4,  // serve: the address or the data directory can't be used
};

struct Parameter {
  using Target =
      std::variant<bool*, std::string*, std::vector<std::string>*, std::uint64_t*, double*>;

  std::string name;   // "--limit", "-f,--file"; without dashes: positional
  std::string value;  // placeholder, "N"; empty for a switch
  std::string doc;
  Target target;
  bool is_required = false;
  std::string environment = {};  // a variable that gives the value, too
  std::vector<std::string> choices = {};
  std::string group = {};  // heading under which --help lists it; empty: "Options"

  bool is_positional() const { return !name.starts_with('-'); }
  bool is_switch() const { return std::holds_alternative<bool*>(target); }
};

struct Example {
  std::string command;
  std::string what;
};

struct Usage {
  std::string name;
  std::string summary;      // one line, for the list of commands
  std::string description;  // paragraphs, for --help and the man page
  std::vector<Parameter> parameters;
  std::vector<Example> examples;
};

class Command {
 public:
  virtual ~Command() = default;
  // Stays as it is; its targets point into the command.
  virtual const Usage& usage() const = 0;
  // After the targets have been set. The result is the exit code.
  virtual int Run(Terminal* terminal) = 0;
};

using Commands = std::vector<std::unique_ptr<Command>>;

}  // namespace muster::app
