// Reads every value of a JSON text and thereby checks all of it: the on-demand parser checks only
// what it is asked for, which isn't enough for what is kept and given back.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "simdjson.h"

namespace muster::model {

// What a reader wants of the text. A place is the reader's own number for where in the text a value
// stands; kElsewhere and all below it are of no interest.
class JsonReader {
 public:
  using Place = int;
  static constexpr Place kElsewhere = 0;

  virtual ~JsonReader() = default;
  virtual Place Member(Place object, std::string_view key) = 0;
  virtual Place Element(Place array) = 0;
  // `text` lives as long as the parser isn't given another document.
  virtual absl::Status Text(Place place, std::string_view text) = 0;
};

// InvalidArgument, its pointer beginning with `pointer`, if the text is malformed, holds a number
// that a double can't, is nested more than `depth_max` deep, or has a key twice in one object.
// Afterwards `value` is consumed, as a whole or up to the error.
absl::Status WalkJson(simdjson::ondemand::value value, std::string_view pointer,
                      std::size_t depth_max, JsonReader* reader, JsonReader::Place place);
// The same without a reader.
absl::Status CheckJson(simdjson::ondemand::value value, std::string_view pointer,
                       std::size_t depth_max);

}  // namespace muster::model
