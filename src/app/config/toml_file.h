// A configuration file as a flat list of what it says, with the line of each. Knows TOML, but no
// option.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace muster::app {

struct TomlEntry {
  std::string key;   // "http.body_bytes_max"
  std::string text;  // of a scalar: its text form; of numbers: with commas; of anything else: what
                     // it is, for a message
  enum class Kind { kText, kWhole, kNumber, kNumbers, kBool, kTable, kOther } kind = Kind::kOther;
  int line = 0;
};

// One [[state]] table: its members, keys without the prefix. An array of texts is `texts`.
struct TomlTable {
  struct Member {
    TomlEntry entry;
    std::vector<std::string> texts;
    bool is_text_list = false;
  };
  std::vector<Member> members;
  int line = 0;
};

struct TomlFile {
  std::vector<TomlEntry> entries;  // a table comes before its members
  std::vector<TomlTable> states;
};

// `name` is what messages call the file. InvalidArgument: "NAME:LINE: what is wrong".
absl::StatusOr<TomlFile> ParseToml(std::string_view text, const std::string& name);

}  // namespace muster::app
