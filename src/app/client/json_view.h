// Reading of answers: members that are missing or of another kind read as empty, never as an error.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace muster::app {

// A value in a JsonDocument, which must outlive it. Small, copied freely.
class JsonView {
 public:
  JsonView() = default;
  explicit JsonView(simdjson::dom::element element) : element_(element) {}

  JsonView operator[](std::string_view key) const;  // missing: a view of nothing
  bool exists() const { return element_.has_value(); }
  bool is_string() const { return element_ && element_->is_string(); }
  bool is_number() const { return element_ && element_->is_number(); }
  bool is_object() const { return element_ && element_->is_object(); }

  std::string_view Text() const;              // of a string; else empty
  double Number(double otherwise = 0) const;  // of any number
  std::uint64_t Unsigned() const;             // of a whole number from 0; else 0
  bool Bool() const;                          // true only if it is `true`
  std::size_t size() const;                   // elements or members
  // For people: a text without quotes, anything else as JSON.
  std::string Shown() const;
  std::string Json() const;

  void ForEachElement(const std::function<void(JsonView)>& visit) const;
  void ForEachMember(const std::function<void(std::string_view, JsonView)>& visit) const;

 private:
  std::optional<simdjson::dom::element> element_;
};

class JsonDocument {
 public:
  // InvalidArgument: not JSON. Views of an earlier text are then void.
  absl::Status Parse(std::string_view json);
  JsonView root() const { return root_; }

 private:
  simdjson::dom::parser parser_;
  JsonView root_;
};

}  // namespace muster::app
