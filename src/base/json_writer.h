// Appends JSON to a string, without building a tree: the hot path's only way to write JSON.
//
// Commas are placed by the writer; keys and strings are escaped and must be valid UTF-8. Numbers
// are the shortest form that reads back equal; NaN and infinities are a broken invariant.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace muster::base {

class JsonWriter {
 public:
  explicit JsonWriter(std::string* out) : out_(out) {}

  void BeginObject();
  void EndObject();
  void BeginArray();
  void EndArray();
  void Key(std::string_view key);
  void String(std::string_view value);
  void Number(double value);
  void Integer(std::int64_t value);
  void Unsigned(std::uint64_t value);
  void Bool(bool value);
  void Null();
  // `json` is one complete JSON value, written verbatim.
  void Raw(std::string_view json);

  std::string* out() { return out_; }

 private:
  void Separate();

  std::string* out_;
  bool needs_comma_ = false;
};

void AppendJsonString(std::string* out, std::string_view value);

}  // namespace muster::base
