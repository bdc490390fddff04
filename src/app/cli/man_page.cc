#include "app/cli/help.h"
#include "app/version.h"
#include "base/strings.h"

namespace muster::app {

namespace {

// troff takes a dot or an apostrophe at the beginning of a line, and any backslash, as its own.
std::string Escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool begins_line = out.empty() || out.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

void AppendCommand(const Usage& usage, std::string* out) {
  base::StrAppend(out, ".SS \"", Escape(SynopsisText(usage)), "\"\n", Escape(usage.summary), ".\n");
  if (!usage.description.empty()) base::StrAppend(out, ".PP\n", Escape(usage.description), "\n");
  for (const Parameter& parameter : usage.parameters) {
    base::StrAppend(out, ".TP\n.B ", Escape(ParameterText(parameter)), "\n", Escape(parameter.doc));
    if (!parameter.choices.empty()) {
      *out += " One of ";
      for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
        base::StrAppend(out, i == 0 ? "" : ", ", Escape(parameter.choices[i]));
      }
      *out += '.';
    }
    if (!parameter.environment.empty()) {
      base::StrAppend(out, " Variable: ", Escape(parameter.environment), ".");
    }
    *out += '\n';
  }
  for (const Example& example : usage.examples) {
    base::StrAppend(out, ".PP\n", Escape(example.what), ":\n.PP\n.nf\n.RS\n",
                    Escape(example.command), "\n.RE\n.fi\n");
  }
}

}  // namespace

std::string ManPage(const Commands& commands) {
  std::string out = base::StrCat(
      ".TH MUSTER 1 \"\" \"muster ", kVersion, "\" \"User Commands\"\n.SH NAME\n",
      "muster \\- finds agents by what they can do and how they are right now\n.SH SYNOPSIS\n",
      ".B muster\nCOMMAND [options]\n.SH DESCRIPTION\n",
      "Agents register with their A2A card and report their load, availability, latency or place; "
      "others ask which agents meet a need now. Every answer says how old the values are that "
      "decided it.\n.SH COMMANDS\n");
  for (const auto& command : commands) AppendCommand(command->usage(), &out);
  out += ".SH EXIT STATUS\n";
  for (const ExitCodeDoc& doc : ExitCodeDocs()) {
    base::StrAppend(&out, ".TP\n.B ", doc.code, "\n", Escape(doc.meaning), "\n");
  }
  base::StrAppend(
      &out, ".SH ENVIRONMENT\n.TP\n.B MUSTER_SERVER\n",
      "The server that the client commands talk to.\n.TP\n.B MUSTER_TOKEN\n",
      "The token that they show.\n.TP\n.B MUSTER_CONFIG\n",
      "The configuration file of serve. Every option can be set by a variable, too: see ",
      "muster config print.\n.TP\n.B NO_COLOR\nNo colours.\n");
  return out;
}

}  // namespace muster::app
