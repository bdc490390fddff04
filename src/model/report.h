// A report of dynamic state, as an agent sends it and as the journal keeps it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "base/time.h"
#include "model/agent.h"
#include "model/limits.h"
#include "model/state.h"

namespace muster::model {

struct ReportedState {
  StateIndex state = 0;
  StateValue value;
};
struct CounterIncrement {
  StateIndex state = 0;
  double amount = 0;  // finite
};
struct ReportedEvent {
  StateIndex state = 0;
  std::string json;  // the record's data, verbatim
};

// {incarnation, sequence, generated_at, states:{load:0.4,...}, events:[{name, data},...],
//  counters:{requests:3,...}}; in NDJSON also `id`.
struct Report {
  std::string agent_id;
  std::optional<Incarnation> incarnation;
  std::optional<std::uint64_t> sequence;       // for recognising duplicates of counters and events
  std::optional<base::WallTime> generated_at;  // absent: the time of arrival
  absl::InlinedVector<ReportedState, 8> states;  // each state at most once
  std::vector<CounterIncrement> counters;
  std::vector<ReportedEvent> events;
};

// Parses many reports with one parser's buffers. One per thread; not safe to share.
class ReportParser {
 public:
  explicit ReportParser(const Limits& limits);
  ~ReportParser();
  ReportParser(const ReportParser&) = delete;
  ReportParser& operator=(const ReportParser&) = delete;

  // Fills `report` (whose buffers are reused; after a refusal it holds nothing of use). `id` empty:
  // the body must carry it. Every value is checked against `catalog`; one bad value refuses the
  // report whole. A state nobody declared is InvalidArgument. Does not look at clocks: see
  // CheckGeneratedAt.
  absl::Status Parse(std::string_view id, std::string_view json, const StateCatalog& catalog,
                     Report* report);

 private:
  struct Buffers;
  const Limits limits_;
  std::unique_ptr<Buffers> buffers_;
};

// InvalidArgument if `generated_at` lies further in the future than clock_skew_max.
absl::Status CheckGeneratedAt(base::WallTime generated_at, base::WallTime now,
                              const Limits& limits);

// One applied (possibly merged) report in the journal. Views are borrowed.
struct StateRecord {
  StateIndex state = 0;
  base::WallTime generated_at{};
  ValueView value;
};
struct CounterRecord {
  StateIndex state = 0;
  std::optional<std::uint64_t> sequence;
  base::WallTime generated_at{};
  double amount = 0;
};
struct EventRecord {
  StateIndex state = 0;
  std::optional<std::uint64_t> sequence;
  base::WallTime generated_at{};
  Revision revision = 0;
  std::string_view json;
};
struct ReportRecord {
  AgentSlot slot = 0;
  Incarnation incarnation = 0;
  Revision revision = 0;
  base::WallTime received_at{};          // of the newest report in it; renews the lease
  std::vector<std::uint64_t> sequences;  // of all reports merged into it
  absl::InlinedVector<StateRecord, 8> states;
  std::vector<CounterRecord> counters;
  std::vector<EventRecord> events;
};

// Which sequences of an agent have been seen: the newest and the 63 before it.
// A sequence older than the window counts as seen (its counters and events would be a guess).
class SequenceWindow {
 public:
  bool Seen(std::uint64_t sequence) const;
  void Mark(std::uint64_t sequence);
  std::uint64_t newest() const { return newest_; }
  std::uint64_t bits() const { return bits_; }
  static SequenceWindow Restore(std::uint64_t newest, std::uint64_t bits);

 private:
  std::uint64_t newest_ = 0;
  std::uint64_t bits_ = 0;  // bit i: newest_ - i was seen; 0: nothing was
};

// The fast half of an agent, as a checkpoint keeps it. Views are borrowed.
struct AgentDynamics {
  AgentSlot slot = 0;
  Incarnation incarnation = 0;
  base::WallTime heard_at{};  // last report or registration
  SequenceWindow sequences;
  std::vector<StateRecord> states;  // counters too, with their sums
};

}  // namespace muster::model
