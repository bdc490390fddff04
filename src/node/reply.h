// What the node answers. Views and pointers are borrowed for the length of the sink's call.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/time.h"
#include "directory/directory.h"
#include "journal/journal.h"
#include "model/agent.h"
#include "node/request.h"

namespace muster::node {

// A set of states, by StateIndex.
using StateSet = std::bitset<model::kStatesLimit>;

struct Refusal {
  enum class Kind : std::uint8_t {
    kBadRequest,  // 400; `detail` ends in a JSON pointer in brackets where a field is at fault
    kNotFound,    // 404: never registered here (or forgotten)
    kConflict,    // 409: e.g. a state declared otherwise, an incarnation that never was
    kGone,        // 410: that life of the agent is over
    kPreconditionFailed,  // 412: If-Match
    kOverloaded,          // 429: the queue is full; `retry_after` is set
    kNotImplemented,      // 501
    kUnavailable,         // 503: warming, draining, or the store refuses; `retry_after` is set
    kDeadline,            // 504
    kStorageFull,         // 507: the disk, or a limit on what may be registered
    kInternal,            // 500
  };
  Kind kind = Kind::kInternal;
  std::string detail;  // for a person: what, why, and what to do
  base::Duration retry_after{0};
};

struct Registered {
  enum class Change : std::uint8_t { kCreated, kReplaced, kUnchanged } change = Change::kCreated;
  model::Incarnation incarnation = 0;
  model::Revision revision = 0;
};
struct Deregistered {
  model::Revision revision = 0;
};
struct Reported {
  bool queued_only = false;      // ack=queued: nothing is known yet but that it waits
  bool superseded = false;       // every state in it had been overtaken
  bool duplicate = false;        // its sequence had been seen: counters and events were not added
  StateSet superseded_states;    // of the report's states, those that were overtaken
  model::Revision revision = 0;  // 0 while queued_only
};

struct AgentRow {
  const model::Agent* agent = nullptr;
  std::span<const directory::StateReading> states;
  bool lapsed = false;
  base::WallTime heard_at{};
  std::optional<double> score;
  std::optional<double> distance;  // metres
};
struct AgentFound {
  AgentRow row;
};
struct Discovered {
  std::span<const AgentRow> rows;
  const std::vector<std::string>* fields = nullptr;  // card fields asked for
  double freshness_risk = 0;
  bool stale = false;
  std::optional<std::uint64_t> total;
  base::Duration waited{0};  // in queue and parked
  base::Duration took{0};    // running
};
struct Listed {
  std::span<const AgentRow> rows;
  std::string_view next_cursor;
  const std::vector<std::string>* fields = nullptr;  // card fields asked for
};
struct EventsFound {
  const journal::EventPage* page = nullptr;
};

using ReplyBody = std::variant<Refusal, Registered, Deregistered, Reported, AgentFound, Discovered,
                               Listed, EventsFound>;

struct Reply {
  ReplyBody body;
  model::Revision revision = 0;                  // Muster-Revision: the node's, when it answered
  base::Now now;                                 // when ages are measured
  const model::StateCatalog* catalog = nullptr;  // names of the states in it
};

}  // namespace muster::node
