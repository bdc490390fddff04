#include "node/checkpointer.h"

#include <algorithm>

#include "base/strings.h"

namespace muster::node {
namespace {
// A range deletion is cheap, but not free; so many pieces are written between two.
constexpr std::uint64_t kPiecesPerTrim = 64;
}  // namespace

void Checkpointer::MarkDirty(model::AgentSlot slot, model::Revision revision) {
  const std::uint32_t piece = slot / journal::kPieceSlots;
  if (piece >= dirty_since_.size()) dirty_since_.resize(piece + 1, 0);
  if (dirty_since_[piece] == 0) {
    dirty_since_[piece] = revision;
    ++dirty_pieces_;
  }
  applied_ = std::max(applied_, revision);
  ++applied_since_piece_;
}

void Checkpointer::WriteIfDue(WorkerState& worker) {
  if (applied_since_piece_ < node_.options.checkpoint_every) return;
  const auto piece = NextDirty();
  if (!piece) return;
  applied_since_piece_ = 0;
  absl::Status status = WritePiece(*piece);
  if (status.ok() &&
      ++pieces_since_trim_ >= std::min<std::uint64_t>(kPiecesPerTrim, dirty_pieces_ + 1)) {
    status = Trim();
  }
  // The records stay, so nothing is lost; the next turn tries again.
  if (!status.ok()) (void)node_.JournalRefusal(worker, status);
}

absl::Status Checkpointer::WriteAll() {
  while (const auto piece = NextDirty()) {
    if (auto status = WritePiece(*piece); !status.ok()) return status;
  }
  return Trim();
}

absl::Status Checkpointer::WritePiece(std::uint32_t piece) {
  agents_.clear();
  {
    base::ReaderLock lock(&node_.directory_mutex);
    const model::AgentSlot begin = piece * journal::kPieceSlots;
    const auto end =
        std::min<std::size_t>(begin + journal::kPieceSlots, node_.directory.slots_end());
    for (model::AgentSlot slot = begin; slot < end; ++slot) {
      if (node_.directory.agent(slot) == nullptr) continue;
      node_.directory.ReadDynamics(slot, &agents_.emplace_back());
    }
  }
  if (auto status = node_.journal.WriteCheckpoint(piece, agents_, applied_); !status.ok()) {
    return status;
  }
  dirty_since_[piece] = 0;
  --dirty_pieces_;
  return absl::OkStatus();
}

absl::Status Checkpointer::Trim() {
  pieces_since_trim_ = 0;
  model::Revision covered = applied_;
  for (const model::Revision since : dirty_since_) {
    if (since != 0) covered = std::min(covered, since - 1);
  }
  return node_.journal.TrimReports(covered);
}

std::optional<std::uint32_t> Checkpointer::NextDirty() {
  const auto pieces = static_cast<std::uint32_t>(dirty_since_.size());
  for (std::uint32_t i = 0; i < pieces && dirty_pieces_ > 0; ++i) {
    const std::uint32_t piece = (cursor_ + i) % pieces;
    if (dirty_since_[piece] == 0) continue;
    cursor_ = piece + 1;
    return piece;
  }
  return std::nullopt;
}

}  // namespace muster::node
