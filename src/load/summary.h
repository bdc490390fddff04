// Results as text for people and as JSON for programs.
#pragma once

#include <string>

#include "load/result.h"

namespace muster::load {

// A line for each kind that was sent: rate, p50, p90, p99, p99.9, max; then errors by status.
std::string SummaryText(const Result& result);

// {"seconds", "requests", "errors", "broken", "unanswered", "kinds": {"report": {"requests",
// "items", "rate", "item_rate", "latency_us": {"p50", ...}, "statuses": {"200": n}}}}
std::string SummaryJson(const Result& result);

}  // namespace muster::load
