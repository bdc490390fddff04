// The demonstration's clients: threads that report and ask, at the pace of recorded arrivals.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "api/client.h"
#include "app/demo/fleet.h"
#include "base/histogram.h"
#include "base/mutex.h"

namespace muster::app {

struct DemoAnswer {
  std::string question;
  std::string best;  // "invoice-bot: load 0.21, 84ms old"; empty: nobody matched
  std::size_t found = 0;
  double freshness_risk = 0;
  bool is_stale = false;
  double seconds = 0;  // from the instant at which it was due
};

struct TrafficOptions {
  std::string url;
  double reports_per_second = 2000;  // on average
  double queries_per_second = 200;
};

class Traffic {
 public:
  Traffic(const TrafficOptions& options, const Fleet* fleet);
  ~Traffic();
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  void Start();
  void Stop();

  std::uint64_t reports() const { return reports_.load(std::memory_order_relaxed); }
  std::uint64_t queries() const { return queries_.load(std::memory_order_relaxed); }
  std::uint64_t stale() const { return stale_.load(std::memory_order_relaxed); }
  std::uint64_t failures() const { return failures_.load(std::memory_order_relaxed); }
  base::Histogram report_nanos() const { return report_nanos_; }
  base::Histogram query_nanos() const { return query_nanos_; }
  std::vector<DemoAnswer> LatestAnswers() const;  // newest first

 private:
  void Report();
  void Ask();
  void Keep(DemoAnswer answer);

  const TrafficOptions options_;
  const Fleet& fleet_;
  std::atomic<bool> is_stopping_{false};
  std::atomic<std::uint64_t> reports_{0}, queries_{0}, stale_{0}, failures_{0};
  base::Histogram report_nanos_, query_nanos_;
  mutable base::Mutex mutex_;
  std::deque<DemoAnswer> latest_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_;
};

}  // namespace muster::app
