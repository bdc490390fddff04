#include "api/metrics.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <cmath>
#include <sstream>
#include <utility>

#include "api/http.h"
#include "api/route.h"

namespace muster::api {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Families = std::vector<MetricFamily>;
using Labels = std::vector<ClientMetric::Label>;

MetricFamily& Family(Families* families, std::string name, std::string help, MetricType type) {
  MetricFamily& family = families->emplace_back();
  family.name = std::move(name);
  family.help = std::move(help);
  family.type = type;
  return family;
}

void AddValue(MetricFamily* family, double value, Labels labels = {}) {
  ClientMetric& metric = family->metric.emplace_back();
  metric.label = std::move(labels);
  if (family->type == MetricType::Counter) {
    metric.counter.value = value;
  } else {
    metric.gauge.value = value;
  }
}

void Gauge(Families* families, std::string name, std::string help, double value) {
  AddValue(&Family(families, std::move(name), std::move(help), MetricType::Gauge), value);
}

void Counter(Families* families, std::string name, std::string help, std::uint64_t value) {
  AddValue(&Family(families, std::move(name), std::move(help), MetricType::Counter),
           static_cast<double>(value));
}

// `scale`: what one unit of the metric is in the histogram's integers.
void Histogram(Families* families, std::string name, std::string help,
               const base::Histogram& histogram, double scale,
               std::initializer_list<double> bounds) {
  ClientMetric& metric = Family(families, std::move(name), std::move(help), MetricType::Histogram)
                             .metric.emplace_back();
  std::uint64_t below = 0;
  for (const double bound : bounds) {
    below = histogram.CountAtMost(static_cast<std::uint64_t>(std::llround(bound * scale)));
    metric.histogram.bucket.push_back({below, bound});
  }
  // The copy is not of one instant: the total must still be at least the last bucket's count.
  const std::uint64_t count = std::max(histogram.count(), below);
  metric.histogram.bucket.push_back({count, INFINITY});
  metric.histogram.sample_count = count;
  metric.histogram.sample_sum = static_cast<double>(histogram.sum()) / scale;
}

void AddNode(const node::Snapshot& node, node::Phase phase, Families* families) {
  Gauge(families, "muster_ready", "1 while the node serves, 0 while it warms up or drains.",
        phase == node::Phase::kServing ? 1 : 0);
  Gauge(families, "muster_agents", "Registered agents.", static_cast<double>(node.agents));
  Gauge(families, "muster_tombstones", "Removed agents that are still remembered.",
        static_cast<double>(node.tombstones));
  Gauge(families, "muster_revision", "The node's revision: changes since its store was made.",
        static_cast<double>(node.revision));
  Gauge(families, "muster_directory_bytes", "Memory of the directory beyond the cards' own.",
        static_cast<double>(node.directory_bytes));
  Counter(families, "muster_registrations_total", "Agents registered or replaced.",
          node.registrations);
  Counter(families, "muster_registrations_unchanged_total",
          "Registrations that were already in force.", node.registrations_unchanged);
  Counter(families, "muster_removals_total", "Agents removed.", node.removals);
  MetricFamily& reports = Family(families, "muster_reports_total",
                                 "Reports answered, by what became of them.", MetricType::Counter);
  AddValue(&reports, static_cast<double>(node.reports_applied), {{"result", "applied"}});
  AddValue(&reports, static_cast<double>(node.reports_superseded), {{"result", "superseded"}});
  AddValue(&reports, static_cast<double>(node.reports_duplicate), {{"result", "duplicate"}});
  Counter(families, "muster_queries_answered_total", "Queries answered.", node.queries_answered);
  Counter(families, "muster_answers_stale_total",
          "Answers that said stale: a freshness bound could not be met in time.",
          node.answers_stale);
  Counter(families, "muster_queries_expired_total", "Queries that passed their deadline.",
          node.queries_expired);
}

std::string_view RefusalName(std::size_t kind) {
  constexpr std::string_view kNames[] = {
      "bad_request", "not_found",       "conflict",    "gone",     "precondition_failed",
      "overloaded",  "not_implemented", "unavailable", "deadline", "storage_full",
      "internal"};
  return kind < std::size(kNames) ? kNames[kind] : "other";
}

void AddJournal(const node::Snapshot& node, Families* families) {
  MetricFamily& refusals =
      Family(families, "muster_refusals_total", "Requests that the node refused, by reason.",
             MetricType::Counter);
  for (std::size_t kind = 0; kind < node.refusals.size(); ++kind) {
    AddValue(&refusals, static_cast<double>(node.refusals[kind]),
             {{"reason", std::string(RefusalName(kind))}});
  }
  Counter(families, "muster_journal_writes_total", "Writes to the store.", node.journal_writes);
  Counter(families, "muster_journal_syncs_total", "Writes that waited for stable storage.",
          node.journal_syncs);
  Counter(families, "muster_journal_errors_total", "Writes that the store refused.",
          node.journal_errors);
  Counter(families, "muster_stalls_total", "Times that the node itself stood still.", node.stalls);
  AddValue(
      &Family(families, "muster_stalled_seconds_total",
              "Time in which the node stood still; leases did not run on.", MetricType::Counter),
      base::ToSeconds(node.stalled));
}

void AddHistograms(const node::Snapshot& node, Families* families) {
  const std::initializer_list<double> kLatency = {0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025,
                                                  0.005,   0.01,   0.025,   0.05,   0.1,   0.25,
                                                  0.5,     1,      2.5,     5};
  Histogram(families, "muster_update_seconds", "From an update's submission to its reply.",
            node.update_nanos, 1e9, kLatency);
  Histogram(families, "muster_query_seconds", "From a query's submission to its reply.",
            node.query_nanos, 1e9, kLatency);
  Histogram(families, "muster_journal_write_seconds", "Duration of writes to the store.",
            node.journal_write_nanos, 1e9, kLatency);
  Histogram(families, "muster_freshness_risk_ratio",
            "Freshness risk F of answers: the largest age over its bound among the states that "
            "decided them.",
            node.freshness_risk_thousandths, 1e3, {0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 5, 10, 100});
}

struct QueueMetric {
  const char* name;
  const char* help;
  MetricType type;
  double (*value)(const schedule::QueueSnapshot&);
};

const QueueMetric kQueueMetrics[] = {
    {"muster_queue_tasks", "Tasks that wait.", MetricType::Gauge,
     [](const auto& q) { return static_cast<double>(q.tasks); }},
    {"muster_queue_parked", "Queries that wait for updates.", MetricType::Gauge,
     [](const auto& q) { return static_cast<double>(q.parked); }},
    {"muster_queue_running", "Tasks that run.", MetricType::Gauge,
     [](const auto& q) { return static_cast<double>(q.running); }},
    {"muster_queue_bytes", "Memory of the tasks that wait.", MetricType::Gauge,
     [](const auto& q) { return static_cast<double>(q.bytes); }},
    {"muster_queue_work_seconds", "Estimated Worker time of the tasks that wait.",
     MetricType::Gauge, [](const auto& q) { return base::ToSeconds(q.work); }},
    {"muster_queue_wait_max_seconds", "The longest wait among the tasks that wait.",
     MetricType::Gauge, [](const auto& q) { return base::ToSeconds(q.wait_max); }},
    {"muster_queue_wait_mean_seconds", "The mean wait of the tasks that wait.", MetricType::Gauge,
     [](const auto& q) { return base::ToSeconds(q.wait_mean); }},
    {"muster_queue_score_ratio", "The queue's score: P_U or P_Q.", MetricType::Gauge,
     [](const auto& q) { return q.score; }},
    {"muster_queue_load_ratio", "Offered load over capacity.", MetricType::Gauge,
     [](const auto& q) { return q.load; }},
    {"muster_queue_share_ratio", "The queue's share of the Workers.", MetricType::Gauge,
     [](const auto& q) { return q.share; }},
    {"muster_queue_share_target_ratio", "The share that the scores ask for.", MetricType::Gauge,
     [](const auto& q) { return q.share_target; }},
    {"muster_queue_submitted_total", "Tasks submitted.", MetricType::Counter,
     [](const auto& q) { return static_cast<double>(q.submitted); }},
    {"muster_queue_merged_total", "Tasks merged into a waiting one.", MetricType::Counter,
     [](const auto& q) { return static_cast<double>(q.merged); }},
    {"muster_queue_superseded_total", "Tasks dropped for newer ones.", MetricType::Counter,
     [](const auto& q) { return static_cast<double>(q.superseded); }},
    {"muster_queue_refused_total", "Tasks refused: the queue was full.", MetricType::Counter,
     [](const auto& q) { return static_cast<double>(q.refused); }},
    {"muster_queue_expired_total", "Tasks that could not start in time.", MetricType::Counter,
     [](const auto& q) { return static_cast<double>(q.expired); }},
    {"muster_queue_finished_total", "Tasks finished.", MetricType::Counter,
     [](const auto& q) { return static_cast<double>(q.finished); }},
};

void AddScheduler(const schedule::Snapshot& scheduler, Families* families) {
  for (const QueueMetric& metric : kQueueMetrics) {
    MetricFamily& family = Family(families, metric.name, metric.help, metric.type);
    AddValue(&family, metric.value(scheduler.queue[0]), {{"queue", "update"}});
    AddValue(&family, metric.value(scheduler.queue[1]), {{"queue", "query"}});
  }
  Gauge(families, "muster_workers", "Workers of the node.", scheduler.workers);
  Counter(families, "muster_reallocations_total", "Changes of the Workers' division.",
          scheduler.reallocations);
}

std::uint64_t Sum(const std::vector<const Counters*>& reactors, Count Counters::*member) {
  std::uint64_t sum = 0;
  for (const Counters* counters : reactors) sum += (counters->*member).value();
  return sum;
}

void AddConnections(const std::vector<const Counters*>& reactors, Families* families) {
  Gauge(families, "muster_http_connections", "Open connections.",
        static_cast<double>(Sum(reactors, &Counters::connections_open)));
  Counter(families, "muster_http_connections_accepted_total", "Connections accepted.",
          Sum(reactors, &Counters::connections_accepted));
  Counter(families, "muster_http_connections_refused_total",
          "Connections refused: too many, or no file descriptor left.",
          Sum(reactors, &Counters::connections_refused));
  Counter(families, "muster_http_connections_timed_out_total",
          "Connections closed because the client was silent or slow.",
          Sum(reactors, &Counters::connections_timed_out));
  Counter(families, "muster_http_connections_broken_total",
          "Connections that the client reset or left in the middle of a request.",
          Sum(reactors, &Counters::connections_broken));
  Counter(families, "muster_http_received_bytes_total", "Bytes received.",
          Sum(reactors, &Counters::received_bytes));
  Counter(families, "muster_http_sent_bytes_total", "Bytes sent.",
          Sum(reactors, &Counters::sent_bytes));
  Counter(families, "muster_http_upload_lines_total", "Lines of NDJSON uploads.",
          Sum(reactors, &Counters::upload_lines));
}

void AddRequests(const std::vector<const Counters*>& reactors, Families* families) {
  MetricFamily& requests =
      Family(families, "muster_http_requests_total", "Requests, by call.", MetricType::Counter);
  for (std::size_t route = 0; route < kRoutes; ++route) {
    std::uint64_t sum = 0;
    for (const Counters* counters : reactors) sum += counters->requests[route].value();
    AddValue(&requests, static_cast<double>(sum), {{"call", std::string(AllRoutes()[route].name)}});
  }
  MetricFamily& responses =
      Family(families, "muster_http_responses_total", "Responses, by status.", MetricType::Counter);
  for (std::size_t status = 0; status < reactors.front()->responses.size(); ++status) {
    std::uint64_t sum = 0;
    for (const Counters* counters : reactors) sum += counters->responses[status].value();
    if (sum > 0 || status == 200) {
      AddValue(&responses, static_cast<double>(sum), {{"status", std::to_string(status)}});
    }
  }
}

}  // namespace

void AppendMetricsText(const MetricsInput& input, std::string* out) {
  Families families;
  families.reserve(64);
  AddNode(input.node, input.phase, &families);
  AddJournal(input.node, &families);
  AddHistograms(input.node, &families);
  AddScheduler(input.scheduler, &families);
  if (!input.reactors.empty()) {
    AddConnections(input.reactors, &families);
    AddRequests(input.reactors, &families);
  }
  out->append(prometheus::TextSerializer().Serialize(families));
}

}  // namespace muster::api
