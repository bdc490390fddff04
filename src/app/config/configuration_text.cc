#include "app/config/configuration_text.h"

#include "app/config/state_table.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "base/text.h"

namespace muster::app {

namespace {

std::string OriginText(const Origin& origin) {
  return origin.place.empty() ? "default" : origin.place;
}

std::string_view SectionTitle(std::string_view section) {
  if (section.empty()) return "What `muster serve` needs first";
  if (section == "log") return "Logs";
  if (section == "http") return "HTTP: sizes and times";
  if (section == "limits") return "Limits on what clients send";
  if (section == "scheduler") return "The scheduler";
  if (section == "scheduler.joint") return "The joint policy of the scheduler";
  if (section == "scheduler.updates") return "The queue of updates";
  if (section == "scheduler.queries") return "The queue of queries";
  if (section == "node") return "The node";
  return "The store";
}

void AppendStateJson(const model::StateSpec& spec, base::JsonWriter* json) {
  json->BeginObject();
  json->Key("name");
  json->String(spec.name);
  json->Key("type");
  json->String(model::Name(spec.type));
  json->Key("kind");
  json->String(model::Name(spec.kind));
  std::string age;
  base::AppendDuration(&age, spec.max_age);
  json->Key("max_age");
  json->String(age);
  json->EndObject();
}

constexpr std::string_view kMarkdownHead = R"(# Configuration

<!-- Generated from the table of options: `muster config print --markdown`. -->

Every option stands in a TOML file, in the environment or on the command line; the later one wins:

1. the default,
2. the file that `--config FILE` or `MUSTER_CONFIG` names,
3. the variable, `MUSTER_` and the key in capitals with `_` for every dot,
4. the flag of `muster serve`, the key with `-` for every dot and underscore.

`muster config check FILE` names the line of every mistake and ends with code 2. `muster config print`
shows every option with its default, its unit and where its value came from, as a file that can be
used again. Durations are written `250us`, `150ms`, `2s`, `1m30s`; sizes `4096`, `64KiB`, `1MiB`.

)";

constexpr std::string_view kMarkdownStates = R"(## States of your own

Beside the built-in states, agents may report those that the file declares (or that an agent declares
as it registers):

```toml
[[state]]
name = "gpu_memory_free"   # a-z, 0-9 and _
type = "number"            # number, string, bool or location
kind = "replaceable"       # replaceable, counter or event
max_age = "5s"             # older is stale
minimum = 0                # numbers only
# maximum = 80
# allowed = ["small", "large"]   # texts only; nothing else is then accepted
# critical = true                # stale beyond twice its bound is an emergency for the scheduler
```

## Tokens

`token_file` has one token a line, `name scope[,scope...] token`; lines that begin with `#` are
skipped. `read` may ask, `report` may report states, `register` may register and remove agents,
`admin` may do all this and change the scheduler. A token has 16 to 512 visible ASCII characters; make
one with `openssl rand -hex 32`. After editing the file, send the process a SIGHUP
(`systemctl reload muster`): a file with a mistake is reported in the log and the old tokens stay.
)";

}  // namespace

std::string ConfigurationToml(const Configuration& configuration) {
  const Settings defaults;
  std::string out;
  std::string_view section;
  const auto& options = Options();
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Option& option = options[i];
    if (Section(option) != section) {
      section = Section(option);
      base::StrAppend(&out, "\n[", section, "]\n");
    }
    const std::string default_text = TextOf(option, defaults);
    base::StrAppend(&out, "# ", option.doc, "\n# ", RangeText(option), "; default ",
                    default_text.empty() ? std::string("none") : default_text, "; from ",
                    OriginText(configuration.origins[i]), "\n", NameInSection(option), " = ",
                    TomlOf(option, configuration.settings), "\n");
  }
  for (const model::StateSpec& spec : configuration.settings.node.states) {
    out += '\n';
    AppendStateToml(spec, &out);
  }
  return out;
}

std::string ConfigurationJson(const Configuration& configuration) {
  const Settings defaults;
  std::string out;
  base::JsonWriter json(&out);
  json.BeginObject();
  json.Key("options");
  json.BeginArray();
  const auto& options = Options();
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Option& option = options[i];
    const std::pair<std::string_view, std::string> members[] = {
        {"key", std::string(option.key)},
        {"value", TextOf(option, configuration.settings)},
        {"default", TextOf(option, defaults)},
        {"unit", std::string(option.unit)},
        {"range", RangeText(option)},
        {"origin", OriginText(configuration.origins[i])},
        {"environment", EnvironmentName(option)},
        {"flag", FlagName(option)},
        {"doc", std::string(option.doc)}};
    json.BeginObject();
    for (const auto& [key, value] : members) {
      json.Key(key);
      json.String(value);
    }
    json.EndObject();
  }
  json.EndArray();
  json.Key("states");
  json.BeginArray();
  for (const model::StateSpec& spec : configuration.settings.node.states) {
    AppendStateJson(spec, &json);
  }
  json.EndArray();
  json.EndObject();
  out += '\n';
  return out;
}

std::string ConfigurationMarkdown() {
  const Settings defaults;
  std::string out(kMarkdownHead);
  std::string_view section = "-";
  for (const Option& option : Options()) {
    if (Section(option) != section) {
      section = Section(option);
      base::StrAppend(&out, out.ends_with("\n\n") ? "" : "\n", "## ", SectionTitle(section),
                      "\n\n| key | default | may be | what it does |\n|---|---|---|---|\n");
    }
    const std::string text = TextOf(option, defaults);
    base::StrAppend(&out, "| `", option.key, "` | ",
                    text.empty() ? std::string("none") : base::StrCat("`", text, "`"), " | ",
                    RangeText(option), " | ", option.doc, " |\n");
  }
  base::StrAppend(&out, "\n", kMarkdownStates);
  return out;
}

}  // namespace muster::app
