#include "app/client/json_view.h"

#include "base/strings.h"

namespace muster::app {

JsonView JsonView::operator[](std::string_view key) const {
  simdjson::dom::element member;
  if (!is_object() || element_->at_key(key).get(member) != simdjson::SUCCESS) return {};
  return JsonView(member);
}

std::string_view JsonView::Text() const {
  std::string_view text;
  if (!element_ || element_->get(text) != simdjson::SUCCESS) return {};
  return text;
}

double JsonView::Number(double otherwise) const {
  double number = 0;
  if (!element_ || element_->get(number) != simdjson::SUCCESS) return otherwise;
  return number;
}

std::uint64_t JsonView::Unsigned() const {
  std::uint64_t number = 0;
  if (!element_ || element_->get(number) != simdjson::SUCCESS) return 0;
  return number;
}

bool JsonView::Bool() const {
  bool value = false;
  return element_ && element_->get(value) == simdjson::SUCCESS && value;
}

std::size_t JsonView::size() const {
  std::size_t size = 0;
  ForEachElement([&](JsonView) { ++size; });
  ForEachMember([&](std::string_view, JsonView) { ++size; });
  return size;
}

std::string JsonView::Shown() const { return is_string() ? std::string(Text()) : Json(); }

std::string JsonView::Json() const { return element_ ? simdjson::minify(*element_) : ""; }

void JsonView::ForEachElement(const std::function<void(JsonView)>& visit) const {
  simdjson::dom::array array;
  if (!element_ || element_->get(array) != simdjson::SUCCESS) return;
  for (const simdjson::dom::element element : array) visit(JsonView(element));
}

void JsonView::ForEachMember(const std::function<void(std::string_view, JsonView)>& visit) const {
  simdjson::dom::object object;
  if (!element_ || element_->get(object) != simdjson::SUCCESS) return;
  for (const auto& [key, value] : object) visit(key, JsonView(value));
}

absl::Status JsonDocument::Parse(std::string_view json) {
  simdjson::dom::element element;
  const auto error = parser_.parse(json.data(), json.size()).get(element);
  root_ = JsonView();
  if (error != simdjson::SUCCESS) {
    return base::InvalidArgument(base::StrCat("not JSON: ", simdjson::error_message(error)));
  }
  root_ = JsonView(element);
  return absl::OkStatus();
}

}  // namespace muster::app
