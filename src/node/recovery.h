// Brings a directory back from the journal.
#pragma once

#include <string>

#include "journal/journal.h"
#include "node/checkpointer.h"
#include "node/node_state.h"

namespace muster::node {

// Runs before any Worker: alone on the node.
absl::StatusOr<journal::RecoverySummary> RecoverNode(NodeState* node, Checkpointer* checkpointer);

}  // namespace muster::node
