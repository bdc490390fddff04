// Which piece of the columns is checkpointed next, and up to where report records may be trimmed.
//
// Used by the report lane's leader alone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "model/agent.h"
#include "node/node_state.h"

namespace muster::node {

class Checkpointer {
 public:
  explicit Checkpointer(NodeState* node) : node_(*node) {}

  // A report of `slot` was applied at `revision`.
  void MarkDirty(model::AgentSlot slot, model::Revision revision);

  // Writes the next dirty piece if `checkpoint_every` reports have been applied since the last one.
  void WriteIfDue(WorkerState& worker);
  // Writes every dirty piece and trims: at shutdown.
  absl::Status WriteAll();

 private:
  absl::Status WritePiece(std::uint32_t piece);
  absl::Status Trim();
  std::optional<std::uint32_t> NextDirty();

  NodeState& node_;
  std::vector<model::Revision> dirty_since_;  // by piece; 0: its checkpoint is complete
  std::size_t dirty_pieces_ = 0;
  std::uint32_t cursor_ = 0;
  std::uint64_t applied_since_piece_ = 0;
  std::uint64_t pieces_since_trim_ = 0;
  model::Revision applied_ = 0;
  std::vector<model::AgentDynamics> agents_;
};

}  // namespace muster::node
