// What a run measured.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "base/histogram.h"
#include "base/time.h"
#include "load/workload.h"

namespace muster::load {

struct KindResult {
  std::uint64_t requests = 0;  // answered within the measured time
  std::uint64_t items = 0;     // of these, the lines that a batch's answer accepted; else successes
  base::Histogram latency_nanos;
  std::map<int, std::uint64_t> statuses;
};

struct Result {
  double seconds = 0;  // measured
  std::array<KindResult, kKinds> kinds;
  std::uint64_t errors = 0;      // answers other than 2xx, and rejected lines
  std::uint64_t broken = 0;      // connections that were lost, or answered nonsense
  std::uint64_t unanswered = 0;  // sent or due, and not answered when the run was given up
  std::uint64_t sent_bytes = 0, received_bytes = 0;
  std::string first_error;  // the body of the first answer that was an error

  void Add(const Result& other);  // another thread's, of the same time
  std::uint64_t requests() const;
};

}  // namespace muster::load
