// The JSON form of a state's declaration, and of a duration.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "base/time.h"
#include "model/state.h"
#include "simdjson.h"

namespace muster::model {

absl::Status ReadDuration(simdjson::ondemand::value value, std::string_view pointer,
                          base::Duration* duration);

// {type, kind, max_age, minimum, maximum, allowed, critical} into `spec`, whose name is set;
// checked by CheckStateSpec.
absl::Status ReadStateSpec(simdjson::ondemand::value value, const std::string& pointer,
                           StateSpec* spec);

}  // namespace muster::model
