#include "app/client/assignment.h"

#include "app/client/json_view.h"
#include "base/json_writer.h"
#include "base/strings.h"

namespace muster::app {

namespace {

std::string ValueJson(std::string_view text) {
  if (text == "true" || text == "false" || IsJsonNumber(text)) return std::string(text);
  const std::size_t comma = text.find(',');
  if (comma != std::string_view::npos) {
    const std::string_view latitude = text.substr(0, comma), longitude = text.substr(comma + 1);
    if (IsJsonNumber(latitude) && IsJsonNumber(longitude)) {
      return base::StrCat("{\"latitude\":", latitude, ",\"longitude\":", longitude, "}");
    }
  }
  std::string json;
  base::AppendJsonString(&json, text);
  return json;
}

}  // namespace

bool IsJsonNumber(std::string_view text) {
  const bool may_be = !text.empty() && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'));
  JsonDocument document;
  return may_be && document.Parse(text).ok() && document.root().is_number();
}

absl::StatusOr<std::pair<std::string, std::string>> ParsePair(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return base::InvalidArgument(base::StrCat("`", text, "` must be NAME=VALUE"));
  }
  return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

absl::StatusOr<std::pair<std::string, std::string>> ParseAssignment(std::string_view text) {
  auto pair = ParsePair(text);
  if (!pair.ok()) return pair;
  if (pair->first.size() > 1 && pair->first.ends_with(':')) {
    pair->first.pop_back();
    JsonDocument document;
    if (auto status = document.Parse(pair->second); !status.ok()) {
      return base::InvalidArgument(
          base::StrCat("`", text, "`: what follows := is ", base::Message(status)));
    }
    return pair;
  }
  pair->second = ValueJson(pair->second);
  return pair;
}

}  // namespace muster::app
