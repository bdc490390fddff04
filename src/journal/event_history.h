// Which numbers the stored events of each agent's life have: what a writer needs to append to a
// history and to keep it short.
//
// The n-th event of a life is stored under (life, n); a history longer than the bound loses its
// oldest eighth (at least one event), so that cutting is rare. Bounds of lives from before a
// restart are looked up when they are first needed. One thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/storage.h"
#include "journal/wire.h"
#include "model/agent.h"
#include "model/report.h"

namespace muster::journal {

class EventHistories {
 public:
  EventHistories(const Storage* storage, std::uint64_t events_per_agent_max);

  // Lives that began up to `revision` may have stored events.
  void Recovered(model::Revision revision) { recovered_ = revision; }

  // Adds the report's events to `batch`, and the cut if the history has become too long. Events of
  // a life that is over (a younger one has the slot) are dropped.
  absl::Status Append(const model::ReportRecord& report, WriteBatch* batch);
  // Tells whether the batch of the Appends since the last Settle was written.
  void Settle(bool written);

 private:
  struct History {
    model::Incarnation life = 0;
    std::uint64_t first = 0;
    std::uint64_t next = 0;
    bool known = false;
  };

  absl::Status LookUp(History* history) const;
  absl::StatusOr<bool> Exists(model::Incarnation life, std::uint64_t number) const;

  const Storage* storage_;
  const std::uint64_t events_max_;
  model::Revision recovered_ = 0;
  std::vector<History> histories_;  // by slot
  std::vector<model::AgentSlot> touched_;
  Encoder encoder_;
};

}  // namespace muster::journal
