// The node's counters and distributions, for metrics, `muster status` and tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/histogram.h"
#include "base/time.h"
#include "model/agent.h"

namespace muster::node {

struct Snapshot {
  std::uint64_t agents = 0;
  std::uint64_t tombstones = 0;
  model::Revision revision = 0;
  std::uint64_t directory_bytes = 0;

  std::uint64_t registrations = 0;  // created and replaced
  std::uint64_t registrations_unchanged = 0;
  std::uint64_t removals = 0;
  std::uint64_t reports_applied = 0;
  std::uint64_t reports_superseded = 0;
  std::uint64_t reports_duplicate = 0;
  std::uint64_t queries_answered = 0;
  std::uint64_t answers_stale = 0;
  std::uint64_t queries_expired = 0;
  std::vector<std::uint64_t> refusals;  // by Refusal::Kind

  std::uint64_t journal_writes = 0;
  std::uint64_t journal_syncs = 0;
  std::uint64_t journal_errors = 0;
  std::string journal_last_error;
  std::uint64_t stalls = 0;
  base::Duration stalled{0};

  base::Histogram update_nanos;  // submission to reply
  base::Histogram query_nanos;
  base::Histogram journal_write_nanos;
  base::Histogram freshness_risk_thousandths;  // F of answers
};

}  // namespace muster::node
