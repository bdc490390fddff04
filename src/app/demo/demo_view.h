// What the demonstration shows: a frame for the terminal, a line for a pipe, a summary at the end.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "app/cli/terminal.h"
#include "app/demo/traffic.h"
#include "app/status/node_status.h"
#include "app/status/status_lines.h"

namespace muster::app {

// An agent's load and how old it is.
struct DemoAge {
  std::string id;
  double load = 0;
  std::string age, bound;
  double freshness = 0;  // age over bound
};

// What is known at one moment.
struct DemoMoment {
  double seconds = 0;  // since the traffic began
  NodeStatus node;
  std::uint64_t reports = 0, queries = 0;
  base::Histogram report_nanos, query_nanos;
};

struct DemoScene {
  std::string url;
  std::size_t agents = 0, cards = 0;
  DemoMoment now, before;                        // `before`: about a second earlier
  std::deque<double> report_rates, query_rates;  // the latest last
  std::vector<DemoAge> ages;
  std::vector<DemoAnswer> answers;
};

Lines DemoFrame(const DemoScene& scene, const Terminal& terminal);
std::string DemoLine(const DemoScene& scene);
Lines DemoSummary(const DemoScene& scene, std::uint64_t stale, std::uint64_t failures,
                  const Terminal& terminal);

// "▁▃█▂": each value over the largest of them.
std::string Sparkline(const std::deque<double>& values, std::size_t width);

}  // namespace muster::app
