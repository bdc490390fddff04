// What one Worker keeps for itself between calls: reused buffers and its share of the metrics.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "base/histogram.h"
#include "base/time.h"
#include "directory/directory.h"
#include "directory/plan.h"
#include "journal/journal.h"
#include "node/catalog_board.h"
#include "node/reply.h"
#include "node/snapshot.h"
#include "node/task.h"
#include "schedule/scheduler.h"

namespace muster::node {

// Written by one Worker, read by whoever takes a snapshot.
class Counter {
 public:
  void Add(std::uint64_t n = 1) {
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

inline constexpr std::size_t kRefusalKinds = static_cast<std::size_t>(Refusal::Kind::kInternal) + 1;

struct WorkerMetrics {
  Counter registrations, registrations_unchanged, removals;
  Counter reports_applied, reports_superseded, reports_duplicate;
  Counter queries_answered, answers_stale, queries_expired;
  Counter journal_writes, journal_syncs, journal_errors;
  std::array<Counter, kRefusalKinds> refusals;
  base::Histogram update_nanos, query_nanos, journal_write_nanos, freshness_risk_thousandths;

  void AddTo(Snapshot* snapshot) const;
};

struct FinishedTask {
  schedule::TaskId id;
  base::Duration used{0};
};

struct ExpiredQuery {
  ReplyTo reply_to;
  base::Duration waited{0};
};

// A report that passed its checks and waits for the scheduler's lock.
struct PreparedReport {
  ReportRequest* request = nullptr;
  model::AgentSlot slot = 0;
  model::Incarnation incarnation = 0;
  base::WallTime generated_at{};
  std::uint32_t states_begin = 0;  // in WorkerState::prepared_states
  std::uint32_t states_count = 0;
};

struct WorkerState {
  WorkerMetrics metrics;
  // It leads a lane that had more groups than one turn commits, and goes on at its next Work.
  bool leads_registrations = false;
  bool leads_reports = false;
  CatalogCopy catalog;

  std::vector<PreparedReport> prepared_reports;
  std::vector<schedule::StateUpdate> prepared_states;

  schedule::Batch batch;
  std::vector<Task*> taken;
  std::vector<Task*> lane_tasks;
  std::vector<ExpiredQuery> expired;
  std::vector<FinishedTask> finished;  // told to the scheduler under its next lock

  directory::QueryResult result;
  std::vector<directory::StateReading> readings;
  std::vector<AgentRow> rows;
  std::vector<std::size_t> row_ends;  // in readings
  std::vector<schedule::StateRef> stale_refs;
};

}  // namespace muster::node
