// Short ways to write the tasks of a test; times in microseconds.
#pragma once

#include <memory>
#include <vector>

#include "schedule/options.h"
#include "schedule/scheduler.h"

namespace muster::schedule::testing {

inline base::MonoTime At(std::int64_t micros) { return base::MonoFromNanos(micros * 1000); }
inline base::Duration Micros(std::int64_t micros) { return std::chrono::microseconds(micros); }

inline StateUpdate State(StateKey state, base::MonoTime generated_at, base::MonoTime installed_at,
                         base::Duration max_age, std::uint64_t value = 0) {
  return {state, false, generated_at, installed_at, max_age, {value, 0}};
}

inline UpdateTask Update(AgentKey agent, base::MonoTime arrived_at,
                         std::span<const StateUpdate> states) {
  UpdateTask task;
  task.agent = agent;
  task.arrived_at = arrived_at;
  task.states = states;
  return task;
}

inline QueryTask Query(base::MonoTime arrived_at, base::Duration deadline,
                       CostClass cost_class = 1) {
  QueryTask task;
  task.cost_class = cost_class;
  task.arrived_at = arrived_at;
  task.deadline = deadline;
  return task;
}

// One Worker, 100 us a task until measured, one task a batch.
inline Options TestOptions(std::string policy, std::uint32_t workers = 1) {
  Options options;
  options.policy = std::move(policy);
  options.workers = workers;
  options.batch_tasks_max = 1;
  options.lent_tasks_max = 1;
  options.cost_initial = Micros(100);
  options.park_margin = Micros(50);
  return options;
}

}  // namespace muster::schedule::testing
