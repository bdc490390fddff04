#include "model/json_document.h"

namespace muster::model {

// The parser stands at the next token, if there is one: it only knows where tokens begin.
absl::Status TakeConsumed(const char* begin, simdjson::ondemand::value value,
                          std::string_view pointer, std::string_view* text) {
  const char* next = nullptr;
  if (value.current_location().get(next) != simdjson::SUCCESS) {
    return JsonError(simdjson::INCOMPLETE_ARRAY_OR_OBJECT, "", pointer);
  }
  *text = std::string_view(begin, static_cast<std::size_t>(next - begin));
  *text = text->substr(0, text->find_last_not_of(" \t\r\n") + 1);
  return absl::OkStatus();
}

}  // namespace muster::model
