// One piece of a checkpoint: the dynamics of the agents in kPieceSlots neighbouring slots.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "base/time.h"
#include "journal/wire.h"
#include "model/report.h"

namespace muster::journal {

// The slots of `agents` lie in `piece`, each at most once.
void EncodePiece(std::uint32_t piece, std::span<const model::AgentDynamics> agents,
                 model::Revision covers, Encoder* out);

// Reads a piece agent by agent, from bytes that may be anything; used as ReportReader is.
class PieceReader {
 public:
  PieceReader(std::string_view key, std::string_view value);

  bool Next(model::AgentDynamics* agent);
  const absl::Status& status() const { return status_; }
  std::uint32_t piece() const { return piece_; }
  model::Revision covers() const { return covers_; }

 private:
  void Refuse(std::string_view what);

  std::string_view key_;
  Decoder in_;
  std::uint32_t piece_ = 0;
  model::Revision covers_ = 0;
  std::size_t left_ = 0;
  absl::Status status_;
};

}  // namespace muster::journal
