#include "app/demo/fleet.h"

#include <algorithm>
#include <numeric>

#include "base/json_writer.h"
#include "base/strings.h"

namespace muster::app {

namespace {

constexpr City kCities[] = {
    {"Berlin", "eu", 52.52, 13.40},   {"Lisbon", "eu", 38.72, -9.14},
    {"Dublin", "eu", 53.35, -6.26},   {"Virginia", "us", 38.90, -77.45},
    {"Oregon", "us", 45.52, -122.68}, {"Sao Paulo", "sa", -23.55, -46.63},
    {"Mumbai", "ap", 19.08, 72.88},   {"Singapore", "ap", 1.35, 103.82},
    {"Tokyo", "ap", 35.68, 139.69},   {"Suva", "ap", -18.14, 178.44},
};
constexpr const char* kBounds[] = {"500ms", "1s", "2s", "5s"};
// The traces have a value in five minutes; here, four in a second.
constexpr double kSamplesPerSecond = 4;

// Over their mean, so that any rate can be made of them.
absl::StatusOr<std::vector<double>> UnitGaps(const std::string& path) {
  auto gaps = ReadArrivalGaps(path);
  if (!gaps.ok()) return gaps;
  const double mean =
      std::accumulate(gaps->begin(), gaps->end(), 0.0) / static_cast<double>(gaps->size());
  if (mean > 0) {
    for (double& gap : *gaps) gap /= mean;
  }
  return gaps;
}

// The value that one in twenty exceeds.
double High(std::vector<double> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() * 19 / 20);
  std::nth_element(values.begin(), at, values.end());
  return std::max(1e-9, *at);
}

bool IsPlain(const std::string& text) {
  return !text.empty() && text.size() < 40 && std::all_of(text.begin(), text.end(), [](char c) {
    return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
  });
}

const std::string* DrawPlain(const std::vector<std::string>& texts, load::Random* random) {
  if (texts.empty()) return nullptr;
  const std::string& text = texts[random->Below(static_cast<std::uint32_t>(texts.size()))];
  return IsPlain(text) ? &text : nullptr;
}

struct QueryParts {
  std::string filter;
  std::string order_by = {};
  std::string more = {};
};

DemoQuery MakeQuery(const std::string& shown, const QueryParts& parts) {
  DemoQuery query;
  query.shown = shown;
  base::JsonWriter json(&query.body);
  json.BeginObject();
  json.Key("filter");
  json.String(parts.filter);
  if (!parts.order_by.empty()) {
    json.Key("order_by");
    json.String(parts.order_by);
  }
  json.Key("limit");
  json.Unsigned(5);
  json.EndObject();
  if (!parts.more.empty()) query.body.insert(query.body.size() - 1, "," + parts.more);
  return query;
}

}  // namespace

absl::StatusOr<Fleet> Fleet::Load(const std::string& data_directory, std::size_t agents) {
  auto samples = ReadSampleAgents(data_directory);
  if (!samples.ok()) return samples.status();
  Fleet fleet;
  fleet.samples_ = std::move(*samples);
  if (auto status = fleet.ReadTraces(data_directory); !status.ok()) return status;
  const std::size_t copies = (agents + fleet.samples_.size() - 1) / fleet.samples_.size();
  load::Random random(2023);
  for (std::size_t copy = 1; copy <= std::max<std::size_t>(copies, 1); ++copy) {
    for (const SampleAgent& sample : fleet.samples_) {
      DemoAgent agent;
      agent.id = copy == 1 ? sample.id : base::StrCat(sample.id, "-", copy);
      agent.sample = &sample;
      agent.city = &kCities[random.Below(std::size(kCities))];
      agent.bound = kBounds[random.Below(std::size(kBounds))];
      agent.offset = random.Below(4000);
      fleet.agents_.push_back(std::move(agent));
    }
  }
  return fleet;
}

absl::Status Fleet::ReadTraces(const std::string& directory) {
  const std::string states = directory + "/traces/state/";
  for (const char* name : {"ec2_cpu_utilization_24ae8d.csv", "ec2_cpu_utilization_53ea38.csv",
                           "rds_cpu_utilization_cc0c53.csv"}) {
    auto series = ReadSeries(states + name);
    if (!series.ok()) return series.status();
    // Each machine's own scale: what matters is when it is busy, not how large it is.
    const double high = High(*series);
    for (double& value : *series) value = std::clamp(value / high, 0.0, 1.0);
    loads_.push_back(std::move(*series));
  }
  auto latencies = ReadSeries(states + "ec2_request_latency_system_failure.csv");
  auto depths = ReadSeries(states + "elb_request_count_8c0756.csv");
  auto bursty = UnitGaps(directory + "/traces/azure_llm_2023_code.csv");
  auto even = UnitGaps(directory + "/traces/azure_llm_2023_conv.csv");
  for (const auto* read : {&latencies, &depths, &bursty, &even}) {
    if (!read->ok()) return read->status();
  }
  for (double& value : *latencies) value /= 1000;
  latencies_ = std::move(*latencies);
  depths_ = std::move(*depths);
  report_gaps_ = std::move(*bursty);
  query_gaps_ = std::move(*even);
  return absl::OkStatus();
}

std::string Fleet::RegistrationJson(const DemoAgent& agent) const {
  return base::StrCat("{\"card\":", agent.sample->card_json, ",\"labels\":{\"region\":\"",
                      agent.city->region, "\",\"city\":\"", agent.city->name,
                      "\"},\"lease\":\"1h\",\"max_age\":{\"load\":\"", agent.bound, "\"}}");
}

std::string Fleet::ReportJson(const DemoAgent& agent, double seconds, bool with_id) const {
  const std::size_t at = agent.offset + static_cast<std::size_t>(seconds * kSamplesPerSecond);
  const std::vector<double>& loads = loads_[agent.offset % loads_.size()];
  const double load = loads[at % loads.size()];
  const char* availability = load < 0.8 ? "ready" : load < 0.95 ? "busy" : "overloaded";
  std::string out;
  base::JsonWriter json(&out);
  json.BeginObject();
  if (with_id) {
    json.Key("id");
    json.String(agent.id);
  }
  json.Key("states");
  json.BeginObject();
  json.Key("load");
  json.Number(load);
  json.Key("latency");
  json.Number(latencies_[at % latencies_.size()]);
  json.Key("queue_depth");
  json.Number(depths_[at % depths_.size()]);
  json.Key("availability");
  json.String(availability);
  json.Key("location");
  json.BeginObject();
  json.Key("latitude");
  json.Number(agent.city->latitude);
  json.Key("longitude");
  json.Number(agent.city->longitude);
  json.EndObject();
  json.EndObject();
  json.EndObject();
  return out;
}

DemoQuery Fleet::DrawQuery(load::Random* random) const {
  const SampleAgent& sample = samples_[random->Below(static_cast<std::uint32_t>(samples_.size()))];
  const std::string* skill = DrawPlain(sample.skills, random);
  const std::string* tag = DrawPlain(sample.tags, random);
  const City& city = kCities[random->Below(std::size(kCities))];
  switch (random->Below(6)) {
    case 0:
    case 1:
      if (skill == nullptr) break;
      return MakeQuery(
          base::StrCat(*skill, ", ready, load < 0.7, least loaded"),
          {base::StrCat("skill = \"", *skill, "\" AND availability = \"ready\" AND load < 0.7"),
           "load"});
    case 2:
      if (tag == nullptr) break;
      return MakeQuery(base::StrCat("tag ", *tag, ", fastest"),
                       {base::StrCat("tag = \"", *tag, "\""), "latency, load"});
    case 3:
      return MakeQuery(
          base::StrCat("ready within 1500 km of ", city.name),
          {"availability = \"ready\"", "",
           base::StrCat("\"near\":{\"latitude\":", city.latitude, ",\"longitude\":", city.longitude,
                        ",\"radius\":1500000},\"rank\":{\"load\":-1}")});
    case 4:
      if (skill == nullptr) break;
      return MakeQuery(base::StrCat(*skill, ", must be fresh: load ≤ 250ms old"),
                       {base::StrCat("skill = \"", *skill, "\" AND load < 0.9"), "load",
                        "\"freshness\":\"require\",\"max_age\":{\"load\":\"250ms\"},\"deadline\":"
                        "\"150ms\""});
    default:
      break;
  }
  return MakeQuery(base::StrCat("least loaded in ", city.region),
                   {base::StrCat("labels.region = \"", city.region, "\" AND load < 0.5"), "load"});
}

}  // namespace muster::app
