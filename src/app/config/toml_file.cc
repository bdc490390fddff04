#include "app/config/toml_file.h"

#include <toml++/toml.h>

#include <cmath>

#include "base/json_writer.h"
#include "base/strings.h"

namespace muster::app {

namespace {

int LineOf(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

std::string KindName(const toml::node& node) {
  if (node.is_array()) return "a list";
  if (node.is_table()) return "a table";
  return "a date or time";
}

// The numbers of an array with commas between; empty: it holds something else.
std::string NumbersText(const toml::array& array) {
  std::string text;
  for (const toml::node& element : array) {
    const auto number = element.value<double>();
    if (!element.is_number() || !number || !std::isfinite(*number)) return "";
    if (!text.empty()) text += ", ";
    base::JsonWriter(&text).Number(*number);
  }
  return text;
}

TomlEntry EntryOf(std::string key, const toml::node& node) {
  TomlEntry entry;
  entry.key = std::move(key);
  entry.line = LineOf(node);
  if (const auto* text = node.as_string()) {
    entry.kind = TomlEntry::Kind::kText;
    entry.text = text->get();
  } else if (const auto* whole = node.as_integer()) {
    entry.kind = TomlEntry::Kind::kWhole;
    entry.text = std::to_string(whole->get());
  } else if (const auto* number = node.as_floating_point()) {
    entry.kind = TomlEntry::Kind::kNumber;
    if (std::isfinite(number->get())) {
      base::JsonWriter(&entry.text).Number(number->get());
    } else {
      entry.text = std::isnan(number->get()) ? "nan" : "inf";
    }
  } else if (const auto* boolean = node.as_boolean()) {
    entry.kind = TomlEntry::Kind::kBool;
    entry.text = boolean->get() ? "true" : "false";
  } else if (node.is_array() && !NumbersText(*node.as_array()).empty()) {
    entry.kind = TomlEntry::Kind::kNumbers;
    entry.text = NumbersText(*node.as_array());
  } else {
    if (node.is_table()) entry.kind = TomlEntry::Kind::kTable;
    entry.text = KindName(node);
  }
  return entry;
}

TomlTable::Member MemberOf(std::string key, const toml::node& node) {
  TomlTable::Member member;
  member.entry = EntryOf(std::move(key), node);
  if (const auto* array = node.as_array()) {
    member.is_text_list = true;
    for (const toml::node& element : *array) {
      if (const auto* text = element.as_string()) {
        member.texts.push_back(text->get());
      } else {
        member.is_text_list = false;
      }
    }
  }
  return member;
}

// Depth is bounded by the parser.
void Flatten(const toml::table& table, const std::string& prefix, TomlFile* file) {
  for (const auto& [key, node] : table) {
    const std::string path = prefix + std::string(key.str());
    if (const auto* inner = node.as_table()) {
      file->entries.push_back(EntryOf(path, node));
      Flatten(*inner, path + ".", file);
      continue;
    }
    const auto* array = node.as_array();
    const bool is_states = path == "state" && array != nullptr;
    if (!is_states) {
      file->entries.push_back(EntryOf(path, node));
      continue;
    }
    for (const toml::node& element : *array) {
      const auto* state = element.as_table();
      if (state == nullptr) {
        file->entries.push_back(EntryOf(path, element));
        continue;
      }
      TomlTable one;
      one.line = LineOf(element);
      for (const auto& [name, value] : *state) {
        one.members.push_back(MemberOf(std::string(name.str()), value));
      }
      file->states.push_back(std::move(one));
    }
  }
}

}  // namespace

absl::StatusOr<TomlFile> ParseToml(std::string_view text, const std::string& name) {
  try {
    const toml::table table = toml::parse(text, std::string_view(name));
    TomlFile file;
    Flatten(table, "", &file);
    return file;
  } catch (const toml::parse_error& error) {
    return base::InvalidArgument(base::StrCat(name, ":", error.source().begin.line,
                                              ": this is not TOML: ", error.description()));
  }
}

}  // namespace muster::app
