#include "app/config/state_table.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "app/config/suggestion.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "base/text.h"

namespace muster::app {

namespace {

using Kind = TomlEntry::Kind;

constexpr model::StateType kTypes[] = {model::StateType::kNumber, model::StateType::kString,
                                       model::StateType::kBool, model::StateType::kLocation};
constexpr model::StateKind kKinds[] = {model::StateKind::kReplaceable, model::StateKind::kCounter,
                                       model::StateKind::kEvent};

// "" or what is wrong.
template <typename Enum, std::size_t kSize>
std::string ReadName(const Enum (&values)[kSize], const TomlEntry& entry, Enum* out) {
  std::vector<std::string> names;
  for (const Enum value : values) {
    if (model::Name(value) == entry.text) {
      *out = value;
      return "";
    }
    names.emplace_back(model::Name(value));
  }
  std::string list;
  for (const std::string& name : names) base::StrAppend(&list, list.empty() ? "" : ", ", name);
  return base::StrCat("`", entry.key, "` must be one of ", list, ", not `", entry.text, "`",
                      DidYouMean(entry.text, names));
}

std::string ReadNumber(const TomlEntry& entry, std::optional<double>* out) {
  double number = 0;
  const bool is_number = entry.kind == Kind::kWhole || entry.kind == Kind::kNumber;
  if (!is_number || !absl::SimpleAtod(entry.text, &number)) {
    return base::StrCat("`", entry.key, "` must be a number, not ", entry.text);
  }
  *out = number;
  return "";
}

std::string ReadMember(const TomlTable::Member& member, model::StateSpec* spec) {
  const TomlEntry& entry = member.entry;
  if (entry.key == "name") {
    spec->name = entry.text;
    return entry.kind == Kind::kText ? "" : "`name` must be a text";
  }
  if (entry.key == "type") return ReadName(kTypes, entry, &spec->type);
  if (entry.key == "kind") return ReadName(kKinds, entry, &spec->kind);
  if (entry.key == "minimum") return ReadNumber(entry, &spec->minimum);
  if (entry.key == "maximum") return ReadNumber(entry, &spec->maximum);
  if (entry.key == "max_age") {
    const auto age = base::ParseDuration(entry.text);
    if (!age.ok()) return base::StrCat("`max_age`: ", base::Message(age.status()));
    spec->max_age = *age;
    return "";
  }
  if (entry.key == "allowed") {
    spec->allowed = member.texts;
    return member.is_text_list ? "" : "`allowed` must be a list of texts";
  }
  if (entry.key == "critical") {
    spec->critical = entry.text == "true";
    return entry.kind == Kind::kBool ? "" : "`critical` must be true or false";
  }
  static const std::vector<std::string> known = {"name",    "type",    "kind",    "max_age",
                                                 "minimum", "maximum", "allowed", "critical"};
  return base::StrCat("a state has no `", entry.key, "`", DidYouMean(entry.key, known));
}

}  // namespace

void ReadStates(const TomlFile& file, const std::string& name, std::size_t states_max,
                std::vector<model::StateSpec>* states, std::vector<std::string>* problems) {
  model::StateCatalog catalog = model::StateCatalog::BuiltIn();
  for (const model::StateSpec& spec : *states) (void)catalog.Declare(spec, states_max);
  for (const TomlTable& table : file.states) {
    model::StateSpec spec;
    std::size_t before = problems->size();
    for (const TomlTable::Member& member : table.members) {
      const std::string problem = ReadMember(member, &spec);
      if (problem.empty()) continue;
      problems->push_back(base::StrCat(name, ":", member.entry.line, ": ", problem));
    }
    if (problems->size() > before) continue;
    const auto declared = catalog.Declare(spec, states_max);
    if (!declared.ok()) {
      problems->push_back(
          base::StrCat(name, ":", table.line, ": ", base::Message(declared.status())));
      continue;
    }
    states->push_back(std::move(spec));
  }
}

void AppendStateToml(const model::StateSpec& spec, std::string* out) {
  base::StrAppend(out, "[[state]]\nname = \"", spec.name, "\"\ntype = \"", model::Name(spec.type),
                  "\"\nkind = \"", model::Name(spec.kind), "\"\nmax_age = \"");
  base::AppendDuration(out, spec.max_age);
  *out += "\"\n";
  if (spec.minimum) {
    *out += "minimum = ";
    base::JsonWriter(out).Number(*spec.minimum);
    *out += '\n';
  }
  if (spec.maximum) {
    *out += "maximum = ";
    base::JsonWriter(out).Number(*spec.maximum);
    *out += '\n';
  }
  if (!spec.allowed.empty()) {
    *out += "allowed = ";
    base::JsonWriter json(out);
    json.BeginArray();
    for (const std::string& text : spec.allowed) json.String(text);
    json.EndArray();
    *out += '\n';
  }
  if (spec.critical) *out += "critical = true\n";
}

}  // namespace muster::app
