// What is registered: the slow half of an agent. Its fast half, the states, lives in columns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/time.h"
#include "model/card.h"
#include "model/limits.h"
#include "model/state.h"

namespace muster::model {

// An agent's dense number on this node; reused after removal, so always checked with Incarnation.
using AgentSlot = std::uint32_t;
// The revision at which this life of the agent began; unique on the node, for ever. A replacing
// registration keeps it; removal and a new registration bring a new one.
using Incarnation = std::uint64_t;
// Counts every change on the node; persisted.
using Revision = std::uint64_t;

// The body of PUT /v1/agents/{id}: {card, labels, lease, max_age, states}.
struct Registration {
  std::string id;
  AgentCard card;
  std::vector<std::pair<std::string, std::string>> labels;      // sorted by key, keys distinct
  base::Duration lease{0};                                      // 0: the node's default
  std::vector<std::pair<std::string, base::Duration>> max_age;  // by state name, sorted
  std::vector<StateSpec> states;                                // declared by this agent
};

struct Agent {
  Registration registration;
  AgentSlot slot = 0;
  Incarnation incarnation = 0;
  Revision revision = 0;           // of its last registration
  base::WallTime registered_at{};  // of this incarnation
};

// An id that was removed: later reports of that life get "gone", not "never heard of".
struct Tombstone {
  std::string id;
  Incarnation incarnation = 0;
  Revision revision = 0;
  base::WallTime removed_at{};
};

// 1..id_bytes_max bytes of UTF-8 without control characters.
absl::Status CheckAgentId(std::string_view id, const Limits& limits);

// InvalidArgument messages end in the JSON pointer of the bad field in brackets: "... [/labels/x]".
absl::StatusOr<Registration> ParseRegistration(std::string_view id, std::string_view json,
                                               const Limits& limits);

// True if registering `b` over `a` would change nothing (cards compared byte by byte).
bool SameRegistration(const Registration& a, const Registration& b);

}  // namespace muster::model
