// The JSON form of an agent card, where it stands in another document.
#pragma once

#include "absl/status/status.h"
#include "model/card.h"
#include "model/limits.h"
#include "simdjson.h"

namespace muster::model {

// As ParseCard, with pointers that begin with /card; the card's own bytes are taken from the
// document's.
absl::Status ReadCard(simdjson::ondemand::value value, const Limits& limits, AgentCard* card);

}  // namespace muster::model
