#include "journal/checkpoint_codec.h"

#include <limits>

#include "base/check.h"
#include "journal/damage.h"
#include "journal/journal.h"
#include "journal/keys.h"
#include "journal/value_codec.h"

namespace muster::journal {
namespace {

constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kAgentBytesMin = 6;
constexpr std::uint32_t kPieceMax =
    std::numeric_limits<model::AgentSlot>::max() / kPieceSlots;  // the last with whole slots

}  // namespace

void EncodePiece(std::uint32_t piece, std::span<const model::AgentDynamics> agents,
                 model::Revision covers, Encoder* out) {
  out->Byte(kVersion);
  out->Varint(covers);
  out->Varint(agents.size());
  for (const model::AgentDynamics& agent : agents) {
    MUSTER_CHECK(agent.slot / kPieceSlots == piece, "a piece holds its own slots only");
    out->Varint(agent.slot % kPieceSlots);
    out->Varint(agent.incarnation);
    out->Signed(agent.heard_at.time_since_epoch().count());
    out->Varint(agent.sequences.newest());
    out->Varint(agent.sequences.bits());
    out->Varint(agent.states.size());
    base::WallTime at = agent.heard_at;
    for (const model::StateRecord& state : agent.states) EncodeState(state, &at, out);
  }
}

PieceReader::PieceReader(std::string_view key, std::string_view value) : key_(key), in_(value) {
  const std::optional<std::uint32_t> piece = PieceOf(key);
  if (!piece.has_value() || *piece > kPieceMax) {
    Refuse("its key is not a piece's number");
    return;
  }
  piece_ = *piece;
  const std::uint8_t version = in_.Byte();
  if (in_.ok() && version > kVersion) {
    status_ = NewerRecord(Column::kCheckpoint, key, version);
    return;
  }
  covers_ = in_.Varint();
  left_ = in_.Count(kAgentBytesMin);
  if (!in_.ok() || version == 0 || left_ > kPieceSlots) {
    Refuse("not a head of a piece");
    return;
  }
  if (left_ == 0 && !in_.Finished()) Refuse("bytes follow its last agent");
}

void PieceReader::Refuse(std::string_view what) {
  status_ = DamagedRecord(Column::kCheckpoint, key_, what);
  left_ = 0;
}

bool PieceReader::Next(model::AgentDynamics* agent) {
  if (left_ == 0) return false;
  agent->slot =
      static_cast<model::AgentSlot>(piece_ * kPieceSlots + in_.VarintAtMost(kPieceSlots - 1));
  agent->incarnation = in_.Varint();
  agent->heard_at = base::WallFromUnixNanos(in_.Signed());
  const std::uint64_t newest = in_.Varint();
  agent->sequences = model::SequenceWindow::Restore(newest, in_.Varint());
  agent->states.resize(in_.Count(kStateBytesMin));
  base::WallTime at = agent->heard_at;
  for (model::StateRecord& state : agent->states) DecodeState(&in_, &at, &state);
  if (!in_.ok()) {
    Refuse("not an agent's states");
    return false;
  }
  if (--left_ == 0 && !in_.Finished()) Refuse("bytes follow its last agent");
  return status_.ok();
}

}  // namespace muster::journal
