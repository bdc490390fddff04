// The data that the demonstration and the benchmarks play: where it is, and how it is read.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace muster::app {

// `wanted` if given; else beside the program as it is installed (../share/muster/data), in the
// source tree that it was built in, or ./data. NotFound lists where it was looked for.
absl::StatusOr<std::string> FindDataDirectory(const std::string& wanted);

// A public agent card: its source names the agent.
struct SampleAgent {
  std::string id;
  std::string card_json;
  std::string name;
  std::vector<std::string> skills, tags;
};
absl::StatusOr<std::vector<SampleAgent>> ReadSampleAgents(const std::string& directory);

// `count` names of skills: the taxonomy's, then these again with a number. Without a directory
// (empty): "skill-0" and so on.
std::vector<std::string> SkillNames(const std::string& directory, std::size_t count);

// The numbers in the last column of a CSV file with one line of titles.
absl::StatusOr<std::vector<double>> ReadSeries(const std::string& path);
// Seconds between successive arrivals; the first column is "YYYY-MM-DD HH:MM:SS.fraction". Times
// that go backwards count as no gap.
absl::StatusOr<std::vector<double>> ReadArrivalGaps(const std::string& path);

// The same, of text.
std::vector<double> ParseSeries(std::string_view csv);
std::vector<double> ParseArrivalGaps(std::string_view csv);

}  // namespace muster::app
