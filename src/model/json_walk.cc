#include "model/json_walk.h"

#include <algorithm>
#include <string>

#include "absl/container/inlined_vector.h"
#include "base/strings.h"
#include "model/json_error.h"

namespace muster::model {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::ondemand::json_type;
using Place = JsonReader::Place;

// The way from the root, kept on the stack: a pointer is only built for an error.
struct Step {
  const Step* parent = nullptr;
  std::string_view key;
  std::size_t index = 0;
  bool is_element = false;
};

class Walk {
 public:
  Walk(std::string_view pointer, std::size_t depth_max, JsonReader* reader)
      : pointer_(pointer), depth_max_(depth_max), reader_(reader) {}

  absl::Status Value(ondemand::value value, Place place, const Step& step, std::size_t depth) {
    json_type type;
    if (auto error = value.type().get(type)) return Error(error, step);
    switch (type) {
      case json_type::object:
        return depth < depth_max_ ? Object(value, place, step, depth) : TooDeep(step);
      case json_type::array:
        return depth < depth_max_ ? Array(value, place, step, depth) : TooDeep(step);
      case json_type::string:
        return Text(value, place, step);
      case json_type::number:
        return Error(value.get_double().error(), step);
      case json_type::boolean:
        return Error(IfAtom(value.get_bool().error()), step);
      case json_type::null:
        break;
    }
    bool is_null = false;
    if (auto error = value.is_null().get(is_null)) return Error(error, step);
    return Error(is_null ? simdjson::SUCCESS : simdjson::N_ATOM_ERROR, step);
  }

 private:
  absl::Status Object(ondemand::value value, Place place, const Step& step, std::size_t depth) {
    ondemand::object members;
    if (auto error = value.get_object().get(members)) return Error(error, step);
    absl::InlinedVector<std::string_view, 32> keys;
    for (auto member : members) {
      std::string_view key;
      if (auto error = member.unescaped_key().get(key)) return Error(error, step);
      keys.push_back(key);
      const Step inner{&step, key, 0, false};
      ondemand::value held;
      if (auto error = member.value().get(held)) return Error(error, inner);
      const Place at =
          place == JsonReader::kElsewhere ? JsonReader::kElsewhere : reader_->Member(place, key);
      if (auto status = Value(held, at, inner, depth + 1); !status.ok()) return status;
    }
    std::sort(keys.begin(), keys.end());
    const auto twice = std::adjacent_find(keys.begin(), keys.end());
    if (twice == keys.end()) return absl::OkStatus();
    return DuplicateField(PointerTo(Pointer(step), *twice));
  }

  absl::Status Array(ondemand::value value, Place place, const Step& step, std::size_t depth) {
    ondemand::array elements;
    if (auto error = value.get_array().get(elements)) return Error(error, step);
    const Place at =
        place == JsonReader::kElsewhere ? JsonReader::kElsewhere : reader_->Element(place);
    std::size_t index = 0;
    for (auto element : elements) {
      const Step inner{&step, {}, index++, true};
      ondemand::value held;
      if (auto error = element.get(held)) return Error(error, inner);
      if (auto status = Value(held, at, inner, depth + 1); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

  // The parser calls `trux` a wrong type.
  static simdjson::error_code IfAtom(simdjson::error_code error) {
    return error == simdjson::INCORRECT_TYPE ? simdjson::T_ATOM_ERROR : error;
  }

  absl::Status Text(ondemand::value value, Place place, const Step& step) {
    std::string_view text;
    if (auto error = value.get_string().get(text)) return Error(error, step);
    return place == JsonReader::kElsewhere ? absl::OkStatus() : reader_->Text(place, text);
  }

  absl::Status Error(simdjson::error_code error, const Step& step) const {
    if (error == simdjson::SUCCESS) return absl::OkStatus();
    return JsonError(error, "a JSON value", Pointer(step));
  }

  absl::Status TooDeep(const Step& step) const {
    return WrongField(
        base::StrCat("nested more than ", depth_max_, " deep (limits.json_depth_max)"),
        Pointer(step));
  }

  std::string Pointer(const Step& step) const {
    if (step.parent == nullptr) return std::string(pointer_);
    const std::string parent = Pointer(*step.parent);
    return step.is_element ? base::StrCat(parent, "/", step.index) : PointerTo(parent, step.key);
  }

  const std::string_view pointer_;
  const std::size_t depth_max_;
  JsonReader* const reader_;
};

}  // namespace

absl::Status WalkJson(ondemand::value value, std::string_view pointer, std::size_t depth_max,
                      JsonReader* reader, JsonReader::Place place) {
  return Walk(pointer, depth_max, reader).Value(value, place, Step{}, 0);
}

absl::Status CheckJson(ondemand::value value, std::string_view pointer, std::size_t depth_max) {
  return Walk(pointer, depth_max, nullptr).Value(value, JsonReader::kElsewhere, Step{}, 0);
}

}  // namespace muster::model
