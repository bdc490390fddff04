// The canonical workload, whose figures we quote: bench/README.md says what each is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/terminal.h"

namespace muster::app {

inline constexpr std::size_t kBenchSkills = 1000;

struct SuiteOptions {
  std::string data_directory;         // of the sample data; empty: found
  std::vector<std::uint32_t> agents;  // discoveries are measured over each of these
  bool is_quick = false;
  std::string figures_file;  // the JSON goes there, too; empty: nowhere
};

// One row of the result.
struct Figure {
  std::string name;
  std::string unit;  // "/s", "ms", "B"
  double value = 0;
  double target = 0;  // to be reached (or, of times and sizes, kept under); 0: none
  bool less_is_better = false;
  double ceiling = 0;  // 0: none
  std::string ceiling_name;
  double p50_ms = 0, p99_ms = 0, p999_ms = 0;  // 0: not measured
  double cpu_us = 0;  // of the server for one item, all its threads; 0: not measured
  std::uint64_t errors = 0;
};

// Starts nodes, measures, and prints a table or JSON. The exit code.
int RunSuite(const SuiteOptions& options, bool is_json, Terminal* terminal);

std::string FiguresTable(const std::vector<Figure>& figures, const Terminal& terminal);
std::string FiguresJson(const std::vector<Figure>& figures);

}  // namespace muster::app
