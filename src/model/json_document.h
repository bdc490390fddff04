// One JSON text read as one value, with nothing after it.
#pragma once

#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "model/json_error.h"
#include "simdjson.h"

namespace muster::model {

// Gives the document in `text` to `read(value)` and returns its status, or InvalidArgument with a
// byte offset where the text is malformed. `expected` names what the text should be. `text` is
// followed by simdjson's padding; `parser` must outlive what `read` borrows.
template <typename Read>
absl::Status ReadDocument(simdjson::ondemand::parser* parser, simdjson::padded_string_view text,
                          std::string_view expected, const Read& read) {
  simdjson::ondemand::document document;
  if (auto error = parser->iterate(text).get(document)) {
    return AtOffset(JsonError(error, expected, ""), UnreadableOffset(text, error));
  }
  simdjson::ondemand::value value;
  if (auto error = document.get_value().get(value)) {
    if (error == simdjson::SCALAR_DOCUMENT_AS_VALUE) error = simdjson::INCORRECT_TYPE;
    return AtOffset(JsonError(error, expected, ""), 0);
  }
  absl::Status status = read(value);
  const char* at = text.data() + text.size();
  const bool has_more = document.current_location().get(at) == simdjson::SUCCESS;
  if (status.ok() && has_more) {
    status = SyntaxError("something follows the end of the JSON value", "");
  }
  return AtOffset(std::move(status), static_cast<std::size_t>(at - text.data()));
}

template <typename Read>
absl::Status ReadDocument(std::string_view json, std::string_view expected, const Read& read) {
  const simdjson::padded_string text(json);
  simdjson::ondemand::parser parser;
  return ReadDocument(&parser, text, expected, read);
}

// Gives each member of the object at `value` to `read(key, value)`, in order, until one fails.
// `key` lives as long as the document; `pointer` is a text, or gives one when an error needs it.
template <typename Pointer, typename Read>
absl::Status ForEachMember(simdjson::ondemand::value value, std::string_view expected,
                           const Pointer& pointer, const Read& read) {
  const auto refused = [&](simdjson::error_code error, std::string_view what) {
    if constexpr (std::is_invocable_v<const Pointer&>) {
      return JsonError(error, value, what, pointer());
    } else {
      return JsonError(error, value, what, pointer);
    }
  };
  simdjson::ondemand::object members;
  if (auto error = value.get_object().get(members)) return refused(error, expected);
  for (auto member : members) {
    std::string_view key;
    if (auto error = member.unescaped_key().get(key)) return refused(error, "a key");
    simdjson::ondemand::value inner;
    if (auto error = member.value().get(inner)) return refused(error, "a value");
    if (absl::Status status = read(key, inner); !status.ok()) return status;
  }
  return absl::OkStatus();
}

// Sets `text` to what stands from `begin` to the end of `value`, which was consumed whole and isn't
// the document's outermost; a SyntaxError if the document ends with it.
absl::Status TakeConsumed(const char* begin, simdjson::ondemand::value value,
                          std::string_view pointer, std::string_view* text);

}  // namespace muster::model
