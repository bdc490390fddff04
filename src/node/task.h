// What belongs to a task of the scheduler: who waits for it, and what it will do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/time.h"
#include "directory/directory.h"
#include "directory/plan.h"
#include "model/agent.h"
#include "node/reply.h"
#include "node/request.h"
#include "schedule/scheduler.h"

namespace muster::node {

// One report's sender, waiting for the update that its report became or was merged into.
struct Waiter {
  ReplyTo reply_to;
  Ack ack = Ack::kApplied;
  base::MonoTime arrived_at{};
  std::optional<base::MonoTime> expires_at;
  std::optional<std::uint64_t> sequence;
  bool duplicate = false;     // set at commit
  bool carries_more = false;  // counters or events
  StateSet carried;
  StateSet superseded;  // at admission
};

struct PendingCounter {
  std::uint32_t waiter = 0;
  model::StateIndex state = 0;
  base::WallTime generated_at{};
  double amount = 0;
};
struct PendingEvent {
  std::uint32_t waiter = 0;
  model::StateIndex state = 0;
  base::WallTime generated_at{};
  std::string json;
};

// One state of an update, as merged by the scheduler.
struct PendingState {
  model::StateIndex state = 0;
  base::WallTime generated_at{};
  directory::PackedValue value;
};

// All reports of one life of an agent that were merged into one update.
struct ReportWork {
  model::AgentSlot slot = 0;
  model::Incarnation incarnation = 0;
  base::WallTime received_at{};
  std::vector<Waiter> waiters;
  std::vector<PendingCounter> counters;
  std::vector<PendingEvent> events;
  std::vector<PendingState> states;  // copied from the scheduler when taken

  void Clear() {
    waiters.clear();
    counters.clear();
    events.clear();
    states.clear();
  }
};

// A registration, a removal or a query.
struct RequestWork {
  Request request;
  std::optional<directory::Plan> plan;  // of a discovery or list
  bool was_parked = false;
};

enum class TaskKind : std::uint8_t { kReport, kRegistration, kQuery };

// Lives in the slot of its TaskId and is reused with its buffers. The scheduler's lock guards it
// while it waits; the Worker that took it owns it while it runs.
struct Task {
  schedule::TaskId id;
  TaskKind kind = TaskKind::kReport;
  base::MonoTime arrived_at{};
  base::MonoTime expires_at{};  // of a query
  ReportWork report;
  RequestWork request;
};

class TaskTable {
 public:
  // The task in `id`'s slot; its address stays for the table's life.
  Task& at(schedule::TaskId id) {
    while (tasks_.size() <= id.slot) tasks_.push_back(std::make_unique<Task>());
    return *tasks_[id.slot];
  }

 private:
  std::vector<std::unique_ptr<Task>> tasks_;
};

}  // namespace muster::node
