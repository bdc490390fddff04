#include "journal/value_codec.h"

#include <cmath>
#include <limits>

namespace muster::journal {

using model::StateType;

void EncodeState(const model::StateRecord& state, base::WallTime* previous, Encoder* out) {
  const model::ValueView& value = state.value;
  const bool flag = value.type == StateType::kBool && value.boolean;
  out->Varint(static_cast<std::uint64_t>(state.state) << 3 |
              static_cast<std::uint64_t>(value.type) << 1 | static_cast<std::uint64_t>(flag));
  EncodeInstant(state.generated_at, previous, out);
  switch (value.type) {
    case StateType::kNumber:
      return out->Double(value.number);
    case StateType::kString:
      return out->String(value.text);
    case StateType::kBool:
      return;
    case StateType::kLocation:
      out->Double(value.location.latitude);
      return out->Double(value.location.longitude);
  }
}

void DecodeState(Decoder* in, base::WallTime* previous, model::StateRecord* state) {
  constexpr std::uint64_t kHeadMax =
      static_cast<std::uint64_t>(std::numeric_limits<model::StateIndex>::max()) << 3 | 7;
  const std::uint64_t head = in->VarintAtMost(kHeadMax);
  state->state = static_cast<model::StateIndex>(head >> 3);
  state->generated_at = DecodeInstant(previous, in);
  state->value = {};
  state->value.type = static_cast<StateType>(head >> 1 & 3);
  const bool flag = (head & 1) != 0;
  if (flag && state->value.type != StateType::kBool) return in->Fail();
  switch (state->value.type) {
    case StateType::kNumber:
      state->value.number = DecodeFinite(in);
      return;
    case StateType::kString:
      state->value.text = in->String();
      return;
    case StateType::kBool:
      state->value.boolean = flag;
      return;
    case StateType::kLocation:
      state->value.location.latitude = DecodeFinite(in);
      state->value.location.longitude = DecodeFinite(in);
      return;
  }
}

double DecodeFinite(Decoder* in) {
  const double value = in->Double();
  if (std::isfinite(value)) return value;
  in->Fail();
  return 0;
}

}  // namespace muster::journal
