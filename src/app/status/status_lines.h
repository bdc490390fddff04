// A node's status as lines for a terminal.
#pragma once

#include <string>
#include <vector>

#include "app/cli/terminal.h"
#include "app/status/node_status.h"

namespace muster::app {

using Lines = std::vector<std::string>;

// `before`, `seconds` earlier, gives rates and recent latencies; null: those since the node began.
Lines QueueLines(const NodeStatus& now, const NodeStatus* before, double seconds,
                 const Terminal& terminal);
Lines WorkerLines(const NodeStatus& now, const Terminal& terminal);
Lines LatencyLines(const NodeStatus& now, const NodeStatus* before, const Terminal& terminal);
Lines FreshnessLines(const NodeStatus& now, const NodeStatus* before, const Terminal& terminal);

// All of these under a headline.
Lines StatusLines(const std::string& url, const NodeStatus& now, const NodeStatus* before,
                  double seconds, const Terminal& terminal);

}  // namespace muster::app
