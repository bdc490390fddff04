// Every agent in columns and bitmaps, and the discovery queries over them.
//
// A core without locks. Its caller keeps three classes of access apart:
//   exclusive   Declare, Put, Remove, Intern, and Install where NeedsExclusive: alone.
//   committing  Install, AddCounter, MarkHeard, MarkSequence: one thread at a time, beside any
//   number
//               of readers (columns are relaxed atomics; a value is written before its generation
//               time, so an age is never reported younger than it is).
//   reading     everything const: any number of threads.
//
// What selects (skills, tags, domains, protocols, providers, labels) stands in Roaring bitmaps over
// slots; states stand in columns with their generation times; ids also in order; locations in an S2
// cell index.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/time.h"
#include "directory/packed_value.h"
#include "directory/plan.h"
#include "model/agent.h"
#include "model/limits.h"
#include "model/query.h"
#include "model/report.h"
#include "model/state.h"

namespace muster::directory {

using model::AgentSlot;
using model::StateIndex;

// The instants that a query is answered at.
struct ReadTime {
  base::WallTime wall{};    // ages are measured from here
  base::MonoTime served{};  // leases run on the time that the node has served
};

// One state of one agent as a query sees it. Never reported: not present at all.
struct StateReading {
  StateIndex state = 0;
  model::ValueView value;  // borrowed until the next exclusive access
  base::WallTime generated_at{};
  base::Duration max_age{};
};

struct Parts;

class Directory {
 public:
  explicit Directory(const model::Limits& limits);
  ~Directory();
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  // ---- exclusive ----
  // A new state and its column. Errors as StateCatalog::Declare.
  absl::StatusOr<StateIndex> Declare(const model::StateSpec& spec);
  // A free slot for a new agent (those of removed agents are reused, lowest first), taken until Put
  // and Remove, or ReleaseSlot. ResourceExhausted: agents_max are registered.
  absl::StatusOr<AgentSlot> ReserveSlot();
  void ReleaseSlot(AgentSlot slot);
  // Registers (agent.slot is reserved, or never used: recovery) or replaces (same id and slot).
  // States of a replaced agent stay.
  void Put(model::Agent agent, base::WallTime heard_at, base::MonoTime heard_served);
  void Remove(AgentSlot slot);
  // Texts stay where they are as long as the directory lives. ResourceExhausted: state_texts_max
  // distinct texts are held.
  absl::StatusOr<PackedValue> Intern(std::string_view text);

  // ---- committing ----
  // True if this type's Install changes an index and so needs exclusive access.
  static bool NeedsExclusive(model::StateType type) { return type == model::StateType::kLocation; }
  // Installs if newer than what is there; false if superseded.
  bool Install(AgentSlot slot, StateIndex state, PackedValue value, base::WallTime generated_at);
  void AddCounter(AgentSlot slot, StateIndex state, double amount, base::WallTime generated_at);
  void MarkHeard(AgentSlot slot, base::WallTime at, base::MonoTime served);  // any reader, too
  model::SequenceWindow* sequences(AgentSlot slot);  // committing thread only

  // ---- reading ----
  const model::StateCatalog& catalog() const;
  std::optional<AgentSlot> Find(std::string_view id) const;
  const model::Agent* agent(AgentSlot slot) const;  // null: no agent there
  std::size_t size() const;
  std::size_t slots_end() const;  // all slots are below
  bool Lapsed(AgentSlot slot, base::MonoTime served) const;
  base::WallTime HeardAt(AgentSlot slot) const;
  std::optional<PackedValue> FindText(std::string_view text) const;  // already interned?
  model::ValueView Unpack(model::StateType type, PackedValue value) const;
  // Generation time of what is installed; nullopt: never reported.
  std::optional<base::WallTime> GeneratedAt(AgentSlot slot, StateIndex state) const;
  base::Duration MaxAge(AgentSlot slot, StateIndex state) const;  // the agent's own or the spec's
  // Appends every state that the agent has reported.
  void ReadStates(AgentSlot slot, std::vector<StateReading>* out) const;
  void ReadDynamics(AgentSlot slot, model::AgentDynamics* out) const;

  // InvalidArgument: the message ends in the JSON pointer in brackets, and for a filter or order
  // says the position in it ("at 17").
  absl::StatusOr<Plan> Compile(const model::Query& query) const;
  // `rows` is filled best first, `plan.limit()` at most; no agent twice.
  void Execute(const Plan& plan, ReadTime at, QueryResult* result) const;
  // One page in the plan's order after `cursor` (empty: the first). InvalidArgument: the cursor is
  // not one of this plan's. `next_cursor` is empty after the last page.
  absl::Status ExecutePage(const Plan& plan, ReadTime at, std::string_view cursor,
                           QueryResult* result, std::string* next_cursor) const;

  // Bytes held beyond the cards' own, by part; for metrics and benchmarks.
  std::size_t MemoryUsed() const;

 private:
  void IndexLocation(AgentSlot slot, StateIndex state, PackedValue value);

  std::unique_ptr<Parts> parts_;
};

}  // namespace muster::directory
