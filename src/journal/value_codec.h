// A state's value with its generation time, packed: the unit of report and checkpoint records.
#pragma once

#include "base/time.h"
#include "journal/wire.h"
#include "model/report.h"

namespace muster::journal {

// Instants in a record are written as their distance from the one before them.
inline void EncodeInstant(base::WallTime at, base::WallTime* previous, Encoder* out) {
  const auto distance = static_cast<std::uint64_t>(previous->time_since_epoch().count()) -
                        static_cast<std::uint64_t>(at.time_since_epoch().count());
  out->Signed(static_cast<std::int64_t>(distance));
  *previous = at;
}
inline base::WallTime DecodeInstant(base::WallTime* previous, Decoder* in) {
  const auto distance = static_cast<std::uint64_t>(in->Signed());
  const auto before = static_cast<std::uint64_t>(previous->time_since_epoch().count());
  *previous = base::WallFromUnixNanos(static_cast<std::int64_t>(before - distance));
  return *previous;
}

void EncodeState(const model::StateRecord& state, base::WallTime* previous, Encoder* out);
// Fails `in` on anything that EncodeState can't have written, non-finite numbers among it. The text
// is a view into the decoder's input.
void DecodeState(Decoder* in, base::WallTime* previous, model::StateRecord* state);

double DecodeFinite(Decoder* in);

inline constexpr std::size_t kStateBytesMin = 2;

}  // namespace muster::journal
