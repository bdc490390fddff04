// The demonstration's agents: real cards under distinct ids, with states that follow real traces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "app/data/data_files.h"
#include "load/random.h"

namespace muster::app {

struct City {
  const char* name;
  const char* region;
  double latitude, longitude;
};

struct DemoAgent {
  std::string id;
  const SampleAgent* sample = nullptr;
  const City* city = nullptr;
  std::string bound;       // maximum age of its load, as registered
  std::size_t offset = 0;  // where in the traces it begins
};

struct DemoQuery {
  std::string shown;  // for people
  std::string body;   // JSON
};

class Fleet {
 public:
  // At least `agents` agents, every card equally often. Errors of reading the data.
  static absl::StatusOr<Fleet> Load(const std::string& data_directory, std::size_t agents);

  const std::vector<DemoAgent>& agents() const { return agents_; }
  std::size_t cards() const { return samples_.size(); }

  std::string RegistrationJson(const DemoAgent& agent) const;
  // The agent's states at this many seconds of the demonstration; `with_id` as a line of an upload.
  std::string ReportJson(const DemoAgent& agent, double seconds, bool with_id) const;
  DemoQuery DrawQuery(load::Random* random) const;

  // Seconds between arrivals, over their mean: bursty for reports, nearly Poisson for queries.
  const std::vector<double>& report_gaps() const { return report_gaps_; }
  const std::vector<double>& query_gaps() const { return query_gaps_; }

 private:
  absl::Status ReadTraces(const std::string& directory);

  std::vector<SampleAgent> samples_;
  std::vector<DemoAgent> agents_;
  std::vector<std::vector<double>> loads_;  // 0..1
  std::vector<double> latencies_;           // seconds
  std::vector<double> depths_;
  std::vector<double> report_gaps_, query_gaps_;
};

}  // namespace muster::app
