// A RecoverySink that keeps what it is given, as text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/strings.h"
#include "journal/journal.h"
#include "journal/testing/describe.h"

namespace muster::journal::testing {

class RecordingSink final : public RecoverySink {
 public:
  absl::Status OnState(model::StateIndex index, model::StateSpec spec) override {
    return Keep(&states, base::StrCat(index, " ", Describe(spec)));
  }
  absl::Status OnAgent(model::Agent agent) override { return Keep(&agents, Describe(agent)); }
  absl::Status OnTombstone(model::Tombstone tombstone) override {
    return Keep(&tombstones, Describe(tombstone));
  }
  absl::Status OnCheckpoint(model::Revision covers, model::AgentDynamics dynamics) override {
    return Keep(&checkpoint, Describe(dynamics, covers));
  }
  absl::Status OnReport(const model::ReportRecord& record) override {
    return Keep(&reports, Describe(record));
  }

  // Returned instead of OK from the `refuse_after`-th record on.
  absl::Status refusal;
  int refuse_after = 0;

  std::vector<std::string> states, agents, tombstones, checkpoint, reports;

 private:
  absl::Status Keep(std::vector<std::string>* lines, std::string line) {
    if (!refusal.ok() && refuse_after-- <= 0) return refusal;
    lines->push_back(std::move(line));
    return absl::OkStatus();
  }
};

}  // namespace muster::journal::testing
