#include "app/cli/help.h"
#include "base/check.h"
#include "base/strings.h"

namespace muster::app {

namespace {

// The long form of a flag, "--limit".
std::string LongFlag(const Parameter& parameter) {
  return parameter.name.substr(parameter.name.find("--"));
}

bool TakesPath(const Parameter& parameter) {
  return parameter.value == "FILE" || parameter.value == "DIR";
}

// Inside single quotes, for any of the three shells.
std::string Quote(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string Join(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) base::StrAppend(&out, out.empty() ? "" : " ", word);
  return out;
}

std::vector<std::string> FlagsOf(const Usage& usage) {
  std::vector<std::string> flags = {"--help"};
  for (const Parameter& parameter : usage.parameters) {
    if (!parameter.is_positional()) flags.push_back(LongFlag(parameter));
  }
  return flags;
}

std::vector<std::string> NamesOf(const Commands& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands) names.push_back(command->usage().name);
  return names;
}

void AppendBashCommand(const Usage& usage, std::string* out) {
  base::StrAppend(out, "    ", usage.name, ")\n      case \"$previous\" in\n");
  std::string words = Join(FlagsOf(usage));
  for (const Parameter& parameter : usage.parameters) {
    if (parameter.is_positional()) {
      base::StrAppend(&words, parameter.choices.empty() ? "" : " ", Join(parameter.choices));
    } else if (!parameter.choices.empty()) {
      base::StrAppend(out, "        ", LongFlag(parameter), ") COMPREPLY=($(compgen -W ",
                      Quote(Join(parameter.choices)), " -- \"$word\")); return ;;\n");
    } else if (TakesPath(parameter)) {
      base::StrAppend(out, "        ", LongFlag(parameter),
                      ") COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n");
    }
  }
  base::StrAppend(out, "      esac\n      COMPREPLY=($(compgen -W ", Quote(words),
                  " -- \"$word\"))\n      ;;\n");
}

std::string Bash(const Commands& commands) {
  std::string out = base::StrCat(
      "# bash completion for muster: source this file, or put it where bash-completion looks.\n"
      "_muster() {\n"
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W ",
      Quote(Join(NamesOf(commands)) + " --help --version"),
      " -- \"$word\"))\n    return\n  fi\n  case \"${COMP_WORDS[1]}\" in\n");
  for (const auto& command : commands) AppendBashCommand(command->usage(), &out);
  out += "  esac\n}\ncomplete -o default -F _muster muster\n";
  return out;
}

// In zsh's _arguments, brackets and colons have a meaning.
std::string ZshText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string ZshAction(const Parameter& parameter) {
  if (!parameter.choices.empty()) return base::StrCat("(", Join(parameter.choices), ")");
  return TakesPath(parameter) ? "_files" : " ";
}

std::string Zsh(const Commands& commands) {
  std::string out =
      "#compdef muster\n"
      "# zsh completion for muster: save it as _muster in a directory of $fpath.\n"
      "_muster() {\n  local -a commands\n  commands=(\n";
  for (const auto& command : commands) {
    const Usage& usage = command->usage();
    base::StrAppend(&out, "    ", Quote(base::StrCat(usage.name, ":", ZshText(usage.summary))),
                    "\n");
  }
  out +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  local chosen=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $chosen in\n";
  for (const auto& command : commands) {
    const Usage& usage = command->usage();
    base::StrAppend(&out, "    ", usage.name, ")\n      _arguments \\\n");
    for (const Parameter& parameter : usage.parameters) {
      std::string spec;
      if (parameter.is_positional()) {
        spec = base::StrCat("*:", ParameterText(parameter), ":", ZshAction(parameter));
      } else {
        spec = base::StrCat("*", LongFlag(parameter), "[", ZshText(parameter.doc), "]");
        if (!parameter.is_switch()) {
          base::StrAppend(&spec, ":", ZshText(parameter.value), ":", ZshAction(parameter));
        }
      }
      base::StrAppend(&out, "        ", Quote(spec), " \\\n");
    }
    out += "        '--help[Shows this help]'\n      ;;\n";
  }
  out += "  esac\n}\n_muster \"$@\"\n";
  return out;
}

std::string Fish(const Commands& commands) {
  std::string out =
      "# fish completion for muster: save it as ~/.config/fish/completions/muster.fish.\n"
      "complete -c muster -f\n";
  for (const auto& command : commands) {
    const Usage& usage = command->usage();
    base::StrAppend(&out, "complete -c muster -n __fish_use_subcommand -a ", usage.name, " -d ",
                    Quote(usage.summary), "\n");
    const std::string when =
        base::StrCat("complete -c muster -n '__fish_seen_subcommand_from ", usage.name, "'");
    for (const Parameter& parameter : usage.parameters) {
      if (parameter.is_positional()) {
        if (!parameter.choices.empty()) {
          base::StrAppend(&out, when, " -a ", Quote(Join(parameter.choices)), "\n");
        }
        continue;
      }
      base::StrAppend(&out, when, " -l ", LongFlag(parameter).substr(2), " -d ",
                      Quote(parameter.doc));
      if (!parameter.is_switch()) out += TakesPath(parameter) ? " -r -F" : " -x";
      if (!parameter.choices.empty()) {
        base::StrAppend(&out, " -a ", Quote(Join(parameter.choices)));
      }
      out += '\n';
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> CompletionShells() { return {"bash", "zsh", "fish"}; }

std::string CompletionScript(const std::string& shell, const Commands& commands) {
  if (shell == "bash") return Bash(commands);
  if (shell == "zsh") return Zsh(commands);
  MUSTER_CHECK(shell == "fish", "only shells of CompletionShells() are asked for");
  return Fish(commands);
}

}  // namespace muster::app
