#include "app/cli/help.h"

#include <algorithm>

#include "base/strings.h"

namespace muster::app {

namespace {

constexpr std::size_t kDocColumn = 30;

// `text` in lines of at most `width`, all but the first indented.
std::string Wrap(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t columns = DisplayWidth(word);
    if (column > indent && column + 1 + columns > width) {
      out.append("\n").append(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      out += ' ';
      ++column;
    }
    out.append(word);
    column += columns;
  }
  return out;
}

std::string ParameterDoc(const Parameter& parameter) {
  std::string doc = parameter.doc;
  if (!parameter.choices.empty()) {
    doc += " (";
    for (const std::string& choice : parameter.choices) {
      base::StrAppend(&doc, doc.ends_with('(') ? "" : ", ", choice);
    }
    doc += ')';
  }
  if (!parameter.environment.empty()) base::StrAppend(&doc, " [", parameter.environment, "]");
  return doc;
}

void AppendEntry(const std::string& left, const std::string& doc, std::size_t width,
                 std::string* out) {
  base::StrAppend(out, "  ", left);
  const std::size_t used = DisplayWidth(left) + 2;
  if (used + 2 > kDocColumn) {
    out->append("\n").append(kDocColumn, ' ');
  } else {
    out->append(kDocColumn - used, ' ');
  }
  base::StrAppend(out, Wrap(doc, kDocColumn, width), "\n");
}

std::string GroupOf(const Parameter& parameter) {
  if (!parameter.group.empty()) return parameter.group;
  return parameter.is_positional() ? "Arguments" : "Options";
}

std::size_t HelpWidth(const Terminal& terminal) {
  return static_cast<std::size_t>(std::clamp(terminal.width, 60, 100));
}

}  // namespace

std::string ParameterText(const Parameter& parameter) {
  if (parameter.is_positional()) return parameter.value.empty() ? parameter.name : parameter.value;
  std::string text;
  for (char c : parameter.name) {
    text += c;
    if (c == ',') text += ' ';
  }
  if (!parameter.value.empty()) base::StrAppend(&text, " ", parameter.value);
  return text;
}

std::string SynopsisText(const Usage& usage) {
  std::string text = base::StrCat("muster ", usage.name);
  const bool has_flags = std::any_of(usage.parameters.begin(), usage.parameters.end(),
                                     [](const Parameter& p) { return !p.is_positional(); });
  if (has_flags) text += " [options]";
  for (const Parameter& parameter : usage.parameters) {
    if (!parameter.is_positional()) continue;
    std::string shown = ParameterText(parameter);
    if (std::holds_alternative<std::vector<std::string>*>(parameter.target)) shown += "...";
    base::StrAppend(&text, " ", parameter.is_required ? shown : base::StrCat("[", shown, "]"));
  }
  return text;
}

const std::vector<ExitCodeDoc>& ExitCodeDocs() {
  static const std::vector<ExitCodeDoc> docs = {
      {kDone, "done; for discover and list also when nobody matched"},
      {kRefused, "the server refused: not found, not allowed, a wrong value, overloaded"},
      {kUsage, "a mistake on the command line or in the configuration"},
      {kUnreachable, "no server there, or no answer in time"},
      {kCannotStart, "serve: the address or the data directory can't be used"},
  };
  return docs;
}

std::string OverviewText(const Commands& commands, const Terminal& terminal) {
  std::string out =
      base::StrCat(terminal.Paint(Colour::kBold, "muster"),
                   " finds agents by what they can do and how they are right now.\n\n",
                   terminal.Paint(Colour::kBold, "Usage:"), " muster COMMAND [options]\n\n",
                   terminal.Paint(Colour::kBold, "Commands:"), "\n");
  for (const auto& command : commands) {
    std::string name = command->usage().name;
    name.resize(std::max<std::size_t>(name.size(), 13), ' ');
    base::StrAppend(&out, "  ", terminal.Paint(Colour::kCyan, name), command->usage().summary,
                    "\n");
  }
  base::StrAppend(&out, "\n`muster COMMAND --help` explains one, with examples. To begin with:\n\n",
                  "  muster demo                                  a node at work on real data\n",
                  "  muster serve --data ./muster-data            a node of your own\n",
                  "  muster register translator-1 --skill translate\n",
                  "  muster discover 'skill = \"translate\" AND load < 0.7'\n");
  return out;
}

std::string HelpText(const Usage& usage, const Terminal& terminal) {
  const std::size_t width = HelpWidth(terminal);
  std::string out = base::StrCat(terminal.Paint(Colour::kBold, "Usage:"), " ", SynopsisText(usage),
                                 "\n\n", Wrap(usage.summary, 0, width), ".\n");
  if (!usage.description.empty())
    base::StrAppend(&out, "\n", Wrap(usage.description, 0, width), "\n");
  std::vector<std::string> groups;
  for (const Parameter& parameter : usage.parameters) {
    if (std::find(groups.begin(), groups.end(), GroupOf(parameter)) == groups.end()) {
      groups.push_back(GroupOf(parameter));
    }
  }
  for (const std::string& group : groups) {
    base::StrAppend(&out, "\n", terminal.Paint(Colour::kBold, group + ":"), "\n");
    for (const Parameter& parameter : usage.parameters) {
      if (GroupOf(parameter) != group) continue;
      AppendEntry(ParameterText(parameter), ParameterDoc(parameter), width, &out);
    }
  }
  if (!usage.examples.empty()) {
    base::StrAppend(&out, "\n", terminal.Paint(Colour::kBold, "Examples:"), "\n");
    for (const Example& example : usage.examples) {
      base::StrAppend(&out, "  ", terminal.Paint(Colour::kDim, "# " + example.what), "\n  ",
                      example.command, "\n");
    }
  }
  return out;
}

}  // namespace muster::app
