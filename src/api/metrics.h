// Everything that the node counts as Prometheus metrics. Base units, `_total` on counters, a HELP
// each.
#pragma once

#include <string>
#include <vector>

#include "api/counters.h"
#include "node/node.h"
#include "node/snapshot.h"
#include "schedule/scheduler.h"

namespace muster::api {

struct MetricsInput {
  node::Snapshot node;
  schedule::Snapshot scheduler;
  node::Phase phase = node::Phase::kServing;
  std::vector<const Counters*> reactors;
};

// Appends the text exposition format, version 0.0.4.
void AppendMetricsText(const MetricsInput& input, std::string* out);

}  // namespace muster::api
