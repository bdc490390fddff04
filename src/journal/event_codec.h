// One record of an agent's event history, and the cursor that pages through one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/journal.h"
#include "journal/wire.h"
#include "model/agent.h"
#include "model/report.h"

namespace muster::journal {

void EncodeEvent(const model::EventRecord& event, Encoder* out);
absl::Status DecodeEvent(std::string_view key, std::string_view value, EventPage::Event* event);

// A cursor names the life that it pages through and the number of the next event.
std::string EncodeCursor(model::Incarnation life, std::uint64_t number);
// InvalidArgument: not a cursor, or one of another life.
absl::StatusOr<std::uint64_t> DecodeCursor(model::Incarnation life, std::string_view cursor);

}  // namespace muster::journal
