#include "app/status/node_status.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "app/client/client_command.h"
#include "app/client/json_view.h"
#include "base/strings.h"

namespace muster::app {

namespace {

QueueStatus QueueOf(JsonView queue) {
  QueueStatus status;
  const std::pair<std::string_view, std::uint64_t*> counts[] = {
      {"tasks", &status.tasks},      {"parked", &status.parked},
      {"running", &status.running},  {"submitted", &status.submitted},
      {"merged", &status.merged},    {"superseded", &status.superseded},
      {"refused", &status.refused},  {"expired", &status.expired},
      {"finished", &status.finished}};
  for (const auto& [key, value] : counts) *value = queue[key].Unsigned();
  const std::pair<std::string_view, double*> numbers[] = {{"load", &status.load},
                                                          {"score", &status.score},
                                                          {"share", &status.share},
                                                          {"share_target", &status.share_target}};
  for (const auto& [key, value] : numbers) *value = queue[key].Number();
  status.work = queue["work"].Text();
  status.wait_max = queue["wait_max"].Text();
  status.wait_mean = queue["wait_mean"].Text();
  return status;
}

// One sample line: name, its label section (without braces), value.
struct Sample {
  std::string_view name, labels;
  double value = 0;
};

bool ParseSample(std::string_view line, Sample* sample) {
  if (line.empty() || line[0] == '#') return false;
  const std::size_t blank = line.rfind(' ');
  if (blank == std::string_view::npos) return false;
  if (!absl::SimpleAtod(base::ToAbsl(line.substr(blank + 1)), &sample->value)) return false;
  const std::string_view head = line.substr(0, blank);
  const std::size_t brace = head.find('{');
  sample->name = head.substr(0, brace);
  sample->labels = brace == std::string_view::npos
                       ? std::string_view()
                       : head.substr(brace + 1, head.size() - brace - 2);
  return true;
}

double BoundOf(std::string_view labels) {
  const std::size_t at = labels.find("le=\"");
  double bound = 0;
  if (at == std::string_view::npos) return bound;
  const std::string_view text = labels.substr(at + 4);
  (void)absl::SimpleAtod(base::ToAbsl(text.substr(0, text.find('"'))), &bound);
  return bound;
}

}  // namespace

double BucketCounts::Quantile(double q) const {
  const double wanted = q * count();
  double below = 0, lower = 0;
  for (const auto& [bound, at_most_bound] : at_most) {
    if (at_most_bound >= wanted && at_most_bound > below) {
      // The last bucket has no upper edge: what is known is its lower one.
      if (!(bound < 1e300)) return lower;
      return lower + (bound - lower) * (wanted - below) / (at_most_bound - below);
    }
    below = at_most_bound;
    lower = bound;
  }
  return 0;
}

BucketCounts BucketCounts::Since(const BucketCounts& before) const {
  BucketCounts difference = *this;
  if (before.at_most.size() != at_most.size()) return difference;
  for (std::size_t i = 0; i < at_most.size(); ++i) {
    difference.at_most[i].second = std::max(0.0, at_most[i].second - before.at_most[i].second);
  }
  return difference;
}

absl::Status ParseScheduler(std::string_view json, NodeStatus* status) {
  JsonDocument document;
  if (auto parsed = document.Parse(json); !parsed.ok()) return parsed;
  const JsonView root = document.root();
  if (!root["queues"].is_object()) {
    return base::InvalidArgument("this is not what a Muster node answers");
  }
  status->scheduler_json = json;
  status->policy = root["policy"].Text();
  status->workers = root["workers"].Unsigned();
  status->updates = QueueOf(root["queues"]["update"]);
  status->queries = QueueOf(root["queues"]["query"]);
  status->reallocations = root["reallocations"]["count"].Unsigned();
  root["reallocations"]["recent"].ForEachElement(
      [&](JsonView change) { status->last_reallocation = change["reason"].Text(); });
  return absl::OkStatus();
}

void ParseMetrics(std::string_view text, NodeStatus* status) {
  const std::pair<std::string_view, double*> sums[] = {
      {"muster_agents", &status->agents},
      {"muster_revision", &status->revision},
      {"muster_directory_bytes", &status->directory_bytes},
      {"muster_http_connections", &status->connections},
      {"muster_registrations_total", &status->registrations},
      {"muster_queries_answered_total", &status->queries_answered},
      {"muster_answers_stale_total", &status->answers_stale},
      {"muster_refusals_total", &status->refusals},
      {"muster_http_requests_total", &status->requests}};
  const std::pair<std::string_view, BucketCounts*> histograms[] = {
      {"muster_update_seconds_bucket", &status->update_seconds},
      {"muster_query_seconds_bucket", &status->query_seconds},
      {"muster_freshness_risk_ratio_bucket", &status->freshness_risk}};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    Sample sample;
    const bool is_sample = ParseSample(text.substr(0, end), &sample);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!is_sample) continue;
    for (const auto& [name, value] : sums) {
      if (sample.name == name) *value += sample.value;
    }
    for (const auto& [name, buckets] : histograms) {
      if (sample.name == name) buckets->at_most.emplace_back(BoundOf(sample.labels), sample.value);
    }
    if (sample.name == "muster_ready") status->is_ready = sample.value > 0;
    if (sample.name != "muster_reports_total") continue;
    if (sample.labels.find("applied") != std::string_view::npos) {
      status->reports_applied = sample.value;
    } else if (sample.labels.find("superseded") != std::string_view::npos) {
      status->reports_superseded = sample.value;
    }
  }
}

absl::StatusOr<NodeStatus> ReadNodeStatus(api::Client* client) {
  NodeStatus status;
  const auto scheduler = client->Send("GET", "/v1/scheduler");
  if (!scheduler.ok()) return scheduler.status();
  if (scheduler->status != 200) return absl::PermissionDeniedError(RefusalText(*scheduler));
  if (auto parsed = ParseScheduler(scheduler->body, &status); !parsed.ok()) return parsed;
  const auto metrics = client->Send("GET", "/metrics");
  if (!metrics.ok()) return metrics.status();
  if (metrics->status == 200) ParseMetrics(metrics->body, &status);
  return status;
}

}  // namespace muster::app
