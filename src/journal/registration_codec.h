// The slow records: agents, tombstones and state specs. Byte formats: docs/formats/journal.md.
//
// Decoders take any bytes: DataLoss if `value` is not what the encoder writes under `key`,
// FailedPrecondition if its version is unknown.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "journal/wire.h"
#include "model/agent.h"
#include "model/state.h"

namespace muster::journal {

void EncodeAgent(const model::Agent& agent, Encoder* out);
absl::Status DecodeAgent(std::string_view key, std::string_view value, model::Agent* agent);

void EncodeTombstone(const model::Tombstone& tombstone, Encoder* out);
absl::Status DecodeTombstone(std::string_view key, std::string_view value,
                             model::Tombstone* tombstone);

void EncodeStateSpec(const model::StateSpec& spec, Encoder* out);
absl::Status DecodeStateSpec(std::string_view key, std::string_view value, model::StateSpec* spec);

// What a lane has written last: `meta` keys last/....
struct LastWritten {
  model::Revision revision = 0;
  base::WallTime at{};
};
void EncodeLastWritten(const LastWritten& last, Encoder* out);
absl::Status DecodeLastWritten(std::string_view key, std::string_view value, LastWritten* last);

}  // namespace muster::journal
