// A RecoverySink that takes everything and only counts it.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "journal/journal.h"

namespace muster::journal::testing {

class CountingSink final : public RecoverySink {
 public:
  absl::Status OnState(model::StateIndex, model::StateSpec) override { return Count(); }
  absl::Status OnAgent(model::Agent) override { return Count(); }
  absl::Status OnTombstone(model::Tombstone) override { return Count(); }
  absl::Status OnCheckpoint(model::Revision, model::AgentDynamics) override { return Count(); }
  absl::Status OnReport(const model::ReportRecord&) override { return Count(); }

  std::uint64_t count() const { return count_; }

 private:
  absl::Status Count() {
    ++count_;
    return absl::OkStatus();
  }

  std::uint64_t count_ = 0;
};

}  // namespace muster::journal::testing
