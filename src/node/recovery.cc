#include "node/recovery.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/strings.h"

namespace muster::node {
namespace {

class DirectorySink : public journal::RecoverySink {
 public:
  DirectorySink(NodeState* node, Tombstones* tombstones, Checkpointer* checkpointer)
      : node_(*node), tombstones_(*tombstones), checkpointer_(*checkpointer) {}

  std::size_t states_in_store() const { return states_in_store_; }

  absl::Status OnState(model::StateIndex index, model::StateSpec spec) override {
    ++states_in_store_;
    const auto declared = node_.directory.Declare(spec);
    if (!declared.ok()) return declared.status();
    if (*declared == index) return absl::OkStatus();
    return absl::DataLossError(base::StrCat(
        "state \"", spec.name, "\" is number ", *declared, " on this node, but ", index,
        " in the store: the built-in or configured states have changed their order"));
  }

  absl::Status OnAgent(model::Agent agent) override {
    const base::WallTime heard_at = agent.registered_at;
    node_.directory.Put(std::move(agent), heard_at, base::MonoTime());
    return absl::OkStatus();
  }

  absl::Status OnTombstone(model::Tombstone tombstone) override {
    if (!node_.directory.Find(tombstone.id)) tombstones_.Add(std::move(tombstone));
    return absl::OkStatus();
  }

  absl::Status OnCheckpoint(model::Revision, model::AgentDynamics dynamics) override {
    if (!IsAlive(dynamics.slot, dynamics.incarnation)) return absl::OkStatus();
    *node_.directory.sequences(dynamics.slot) = dynamics.sequences;
    Hear(dynamics.slot, dynamics.heard_at);
    for (const model::StateRecord& state : dynamics.states) {
      if (auto status = CheckDeclared(state.state); !status.ok()) return status;
      if (node_.directory.catalog().spec(state.state).kind == model::StateKind::kCounter) {
        node_.directory.AddCounter(dynamics.slot, state.state, state.value.number,
                                   state.generated_at);
      } else if (auto status = Install(dynamics.slot, state); !status.ok()) {
        return status;
      }
    }
    return absl::OkStatus();
  }

  absl::Status OnReport(const model::ReportRecord& record) override {
    if (!IsAlive(record.slot, record.incarnation)) return absl::OkStatus();
    for (const std::uint64_t sequence : record.sequences) {
      node_.directory.sequences(record.slot)->Mark(sequence);
    }
    for (const model::StateRecord& state : record.states) {
      if (auto status = CheckDeclared(state.state); !status.ok()) return status;
      if (auto status = Install(record.slot, state); !status.ok()) return status;
    }
    for (const model::CounterRecord& counter : record.counters) {
      if (auto status = CheckDeclared(counter.state); !status.ok()) return status;
      node_.directory.AddCounter(record.slot, counter.state, counter.amount, counter.generated_at);
    }
    Hear(record.slot, record.received_at);
    checkpointer_.MarkDirty(record.slot, record.revision);
    return absl::OkStatus();
  }

 private:
  bool IsAlive(model::AgentSlot slot, model::Incarnation incarnation) const {
    const model::Agent* agent = node_.directory.agent(slot);
    return agent != nullptr && agent->incarnation == incarnation;
  }

  // A record that no checksum refused may still name what was never there.
  absl::Status CheckDeclared(model::StateIndex state) const {
    if (state < node_.directory.catalog().size()) return absl::OkStatus();
    return absl::DataLossError(base::StrCat(
        "a record names state number ", state, ", but only ", node_.directory.catalog().size(),
        " are declared: the store is damaged; restore it from a copy"));
  }

  void Hear(model::AgentSlot slot, base::WallTime at) {
    node_.directory.MarkHeard(slot, std::max(at, node_.directory.HeardAt(slot)), base::MonoTime());
  }

  absl::Status Install(model::AgentSlot slot, const model::StateRecord& state) {
    const model::ValueView& view = state.value;
    directory::PackedValue value;
    switch (view.type) {
      case model::StateType::kNumber:
        value.low = std::bit_cast<std::uint64_t>(view.number);
        break;
      case model::StateType::kBool:
        value.low = view.boolean ? 1 : 0;
        break;
      case model::StateType::kLocation:
        value = {std::bit_cast<std::uint64_t>(view.location.latitude),
                 std::bit_cast<std::uint64_t>(view.location.longitude)};
        break;
      case model::StateType::kString: {
        auto interned = node_.directory.Intern(view.text);
        if (!interned.ok()) return interned.status();
        value = *interned;
        break;
      }
    }
    node_.directory.Install(slot, state.state, value, state.generated_at);
    return absl::OkStatus();
  }

  NodeState& node_;
  Tombstones& tombstones_;
  Checkpointer& checkpointer_;
  std::size_t states_in_store_ = 0;
};

// Report records name states by index, so what the store has not seen yet is written before any of
// them: the built-in states at the first start, those of the configuration when they are new.
absl::Status DeclareStates(NodeState& node, std::size_t states_in_store) {
  for (const model::StateSpec& spec : node.options.states) {
    if (auto declared = node.directory.Declare(spec); !declared.ok()) return declared.status();
  }
  const model::StateCatalog& catalog = node.directory.catalog();
  std::vector<journal::DeclaredState> fresh;
  for (std::size_t i = states_in_store; i < catalog.size(); ++i) {
    const auto index = static_cast<model::StateIndex>(i);
    fresh.push_back({index, &catalog.spec(index)});
  }
  node.catalog.Publish(catalog);
  if (fresh.empty()) return absl::OkStatus();
  return node.journal.CommitRegistrations(fresh, {}, node.clock->Read().wall);
}

// Leases ran until the node last wrote; the time that it was down does not count.
void RestoreLeases(NodeState& node, base::WallTime last_written_at) {
  const base::MonoTime served = node.served.At(node.clock->Read().mono);
  for (model::AgentSlot slot = 0; slot < node.directory.slots_end(); ++slot) {
    if (node.directory.agent(slot) == nullptr) continue;
    const base::WallTime heard_at = node.directory.HeardAt(slot);
    const base::Duration silent = std::max(last_written_at - heard_at, base::Duration(0));
    node.directory.MarkHeard(slot, heard_at, served - silent);
  }
}

}  // namespace

absl::StatusOr<journal::RecoverySummary> RecoverNode(NodeState* node, Checkpointer* checkpointer) {
  base::WriterLock lock(&node->directory_mutex);
  DirectorySink sink(node, &node->tombstones, checkpointer);
  auto summary = node->journal.Recover(&sink);
  if (!summary.ok()) return summary.status();
  node->revisions.Restore(summary->revision);
  RestoreLeases(*node, summary->last_written_at);
  if (auto status = DeclareStates(*node, sink.states_in_store()); !status.ok()) return status;
  return summary;
}

}  // namespace muster::node
