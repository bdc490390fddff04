#include "app/demo/traffic.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "app/cli/figures.h"
#include "app/client/client_command.h"
#include "app/client/json_view.h"
#include "base/strings.h"

namespace muster::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLatest = 8;
// More reports than this that are due at once go as one upload, as a gateway would send them.
constexpr std::size_t kSinglesMax = 4;
constexpr std::size_t kUploadMax = 2000;
constexpr auto kNap = std::chrono::milliseconds(20);

double SecondsBetween(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

// Instants at which something is due: the recorded gaps, over and over, at a mean rate.
class Pace {
 public:
  Pace(const std::vector<double>& gaps, double rate)
      : gaps_(gaps), mean_(1 / rate), next_(Clock::now()) {}

  Clock::time_point next() const { return next_; }
  void Advance() {
    next_ += std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(gaps_[at_++ % gaps_.size()] * mean_));
  }

 private:
  const std::vector<double>& gaps_;
  const double mean_;
  Clock::time_point next_;
  std::size_t at_ = 0;
};

void SleepUntil(Clock::time_point at) {
  std::this_thread::sleep_until(std::min(at, Clock::now() + kNap));
}

void RecordSince(Clock::time_point due, base::Histogram* histogram) {
  const auto nanos = std::chrono::nanoseconds(Clock::now() - due).count();
  histogram->Record(static_cast<std::uint64_t>(std::max<std::int64_t>(nanos, 0)));
}

absl::StatusOr<api::Client> ClientOf(const std::string& url) {
  api::ClientOptions options;
  options.url = url;
  return api::Client::Make(options);
}

DemoAnswer AnswerOf(const DemoQuery& query, JsonView root) {
  DemoAnswer answer;
  answer.question = query.shown;
  answer.found = root["agents"].size();
  answer.freshness_risk = root["freshness_risk"].Number();
  answer.is_stale = root["stale"].Bool();
  root["agents"].ForEachElement([&](JsonView agent) {
    if (!answer.best.empty()) return;
    answer.best = agent["id"].Text();
    const JsonView load = agent["states"]["load"];
    if (!load.exists()) return;
    char text[96];
    std::snprintf(text, sizeof text, ": load %.2f, %s old", load["value"].Number(),
                  AgeText(load["age"].Text()).c_str());
    answer.best += text;
  });
  return answer;
}

}  // namespace

Traffic::Traffic(const TrafficOptions& options, const Fleet* fleet)
    : options_(options), fleet_(*fleet) {}

Traffic::~Traffic() { Stop(); }

void Traffic::Start() {
  threads_.emplace_back([this] { Report(); });
  threads_.emplace_back([this] { Ask(); });
}

void Traffic::Stop() {
  is_stopping_.store(true);
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Traffic::Report() {
  auto client = ClientOf(options_.url);
  if (!client.ok()) return;
  load::Random random(7);
  // Some agents report far more often than others.
  const load::Zipf choice(static_cast<std::uint32_t>(fleet_.agents().size()), 0.5);
  Pace pace(fleet_.report_gaps(), options_.reports_per_second);
  const Clock::time_point begin = pace.next();
  std::vector<Clock::time_point> due;
  while (!is_stopping_.load(std::memory_order_relaxed)) {
    const Clock::time_point now = Clock::now();
    due.clear();
    for (; pace.next() <= now && due.size() < kUploadMax; pace.Advance())
      due.push_back(pace.next());
    if (due.empty()) {
      SleepUntil(pace.next());
      continue;
    }
    const double seconds = SecondsBetween(begin, now);
    const bool is_upload = due.size() > kSinglesMax;
    std::string lines;
    for (const Clock::time_point at : due) {
      const DemoAgent& agent = fleet_.agents()[choice.Draw(&random)];
      if (is_upload) {
        base::StrAppend(&lines, fleet_.ReportJson(agent, seconds, true), "\n");
        continue;
      }
      const auto answer = client->Send("POST", AgentTarget(agent.id) + "/reports",
                                       fleet_.ReportJson(agent, seconds, false));
      if (!answer.ok() || answer->status >= 300) failures_.fetch_add(1);
      RecordSince(at, &report_nanos_);
    }
    if (is_upload) {
      const auto answer = client->Send("POST", "/v1/reports", lines, "application/x-ndjson");
      if (!answer.ok() || answer->status >= 300) failures_.fetch_add(1);
      for (const Clock::time_point at : due) RecordSince(at, &report_nanos_);
    }
    reports_.fetch_add(due.size(), std::memory_order_relaxed);
  }
}

void Traffic::Ask() {
  auto client = ClientOf(options_.url);
  if (!client.ok()) return;
  load::Random random(11);
  JsonDocument document;
  Pace pace(fleet_.query_gaps(), options_.queries_per_second);
  while (!is_stopping_.load(std::memory_order_relaxed)) {
    if (pace.next() > Clock::now()) {
      SleepUntil(pace.next());
      continue;
    }
    const Clock::time_point due = pace.next();
    pace.Advance();
    const DemoQuery query = fleet_.DrawQuery(&random);
    const auto response = client->Send("POST", "/v1/agents:discover", query.body);
    RecordSince(due, &query_nanos_);
    queries_.fetch_add(1, std::memory_order_relaxed);
    if (!response.ok() || response->status != 200 || !document.Parse(response->body).ok()) {
      failures_.fetch_add(1);
      continue;
    }
    DemoAnswer answer = AnswerOf(query, document.root());
    answer.seconds = SecondsBetween(due, Clock::now());
    if (answer.is_stale) stale_.fetch_add(1, std::memory_order_relaxed);
    Keep(std::move(answer));
  }
}

void Traffic::Keep(DemoAnswer answer) {
  base::MutexLock lock(&mutex_);
  latest_.push_front(std::move(answer));
  if (latest_.size() > kLatest) latest_.pop_back();
}

std::vector<DemoAnswer> Traffic::LatestAnswers() const {
  base::MutexLock lock(&mutex_);
  return {latest_.begin(), latest_.end()};
}

}  // namespace muster::app
