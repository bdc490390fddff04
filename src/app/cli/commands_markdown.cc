#include "app/cli/help.h"
#include "base/strings.h"

namespace muster::app {

namespace {

// A bar would end the cell.
std::string CellText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

void AppendCommand(const Usage& usage, std::string* out) {
  base::StrAppend(out, "\n## muster ", usage.name, "\n\n", usage.summary, ".");
  if (!usage.description.empty()) base::StrAppend(out, " ", usage.description);
  base::StrAppend(out, "\n\n```\n", SynopsisText(usage), "\n```\n\n");
  if (!usage.parameters.empty()) {
    *out += "| | |\n|---|---|\n";
    for (const Parameter& parameter : usage.parameters) {
      std::string doc = parameter.doc;
      for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
        base::StrAppend(&doc, i == 0 ? " One of " : ", ", "`", parameter.choices[i], "`");
      }
      if (!parameter.environment.empty()) {
        base::StrAppend(&doc, " Variable: `", parameter.environment, "`.");
      }
      base::StrAppend(out, "| `", ParameterText(parameter), "` | ", CellText(doc), " |\n");
    }
    *out += '\n';
  }
  if (usage.examples.empty()) return;
  *out += "```sh\n";
  for (const Example& example : usage.examples) {
    base::StrAppend(out, "# ", example.what, "\n", example.command, "\n");
  }
  *out += "```\n";
}

constexpr std::string_view kHead = R"(# The command line

<!-- Generated from the description of the commands: `muster man --markdown`. -->

`muster COMMAND --help` shows the same for one command; `muster man | man -l -` is the man page;
`muster completion bash` (or `zsh`, `fish`) prints what completes commands and flags.

Commands that ask a server take it from `--server` or `MUSTER_SERVER` (default
`http://127.0.0.1:7700`) and its token from `--token-file`, `--token` or `MUSTER_TOKEN`. With `--json`
they print the server's answer as it came. Tables are coloured on a terminal only, and not where
`NO_COLOR` is set.

| exit code | meaning |
|---|---|
)";

}  // namespace

std::string CommandsMarkdown(const Commands& commands) {
  std::string out(kHead);
  for (const ExitCodeDoc& doc : ExitCodeDocs()) {
    base::StrAppend(&out, "| ", doc.code, " | ", doc.meaning, " |\n");
  }
  for (const auto& command : commands) {
    // The options of serve are those of docs/configuration.md.
    Usage usage = command->usage();
    std::erase_if(usage.parameters, [](const Parameter& p) { return !p.group.empty(); });
    AppendCommand(usage, &out);
  }
  return out;
}

}  // namespace muster::app
