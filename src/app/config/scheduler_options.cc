#include "app/config/option_sections.h"

namespace muster::app {

namespace {

std::vector<Option> QueueOptions() {
  return {
      {"scheduler.updates.tasks_max", "tasks", "Updates that may wait; more are refused with 429.",
       [](Settings* s) -> Slot { return &s->node.schedule.updates.tasks_max; }, 1, 1 << 30},
      {"scheduler.updates.bytes_max", "bytes", "Bytes of the updates that may wait.",
       [](Settings* s) -> Slot { return &s->node.schedule.updates.bytes_max; }, 1, 1ll << 50},
      {"scheduler.updates.work_max", "",
       "Estimated work of the updates that may wait, in the time of "
       "one Worker.",
       [](Settings* s) -> Slot { return &s->node.schedule.updates.work_max; }, 1e-6, 86400},
      {"scheduler.queries.tasks_max", "tasks", "Queries that may wait; more are refused with 429.",
       [](Settings* s) -> Slot { return &s->node.schedule.queries.tasks_max; }, 1, 1 << 30},
      {"scheduler.queries.bytes_max", "bytes", "Bytes of the queries that may wait.",
       [](Settings* s) -> Slot { return &s->node.schedule.queries.bytes_max; }, 1, 1ll << 50},
      {"scheduler.queries.work_max", "",
       "Estimated work of the queries that may wait, in the time of "
       "one Worker.",
       [](Settings* s) -> Slot { return &s->node.schedule.queries.work_max; }, 1e-6, 86400},
  };
}

std::vector<std::string_view> Policies() {
  const auto& names = schedule::PolicyNames();
  return {names.begin(), names.end()};
}

std::vector<Option> JointWeights() {
  return {
      {"scheduler.joint.update_weights", "",
       "Weights in the urgency of the updates: waiting work, longest wait, mean wait, age, "
       "deadline "
       "pressure, offered load, benefit.",
       [](Settings* s) -> Slot { return std::span(s->node.schedule.joint.update_weights); }, 0,
       1000},
      {"scheduler.joint.query_weights", "",
       "Weights in the urgency of the queries: waiting work, longest wait, mean wait, deadline "
       "pressure, offered load.",
       [](Settings* s) -> Slot { return std::span(s->node.schedule.joint.query_weights); }, 0,
       1000},
      {"scheduler.joint.update_priority", "",
       "Weights in an update's priority: age, benefit, deadline pressure, waiting.",
       [](Settings* s) -> Slot { return std::span(s->node.schedule.joint.update_priority); }, 0,
       1000},
      {"scheduler.joint.query_priority", "",
       "Weights in a query's priority: deadline pressure, waiting.",
       [](Settings* s) -> Slot { return std::span(s->node.schedule.joint.query_priority); }, 0,
       1000},
      {"scheduler.joint.reference_wait_updates", "",
       "The wait of updates that counts as one in their urgency.",
       [](Settings* s) -> Slot { return &s->node.schedule.joint.reference_wait_updates; }, 0.001,
       3600},
      {"scheduler.joint.reference_wait_queries", "",
       "The wait of queries that counts as one in their urgency.",
       [](Settings* s) -> Slot { return &s->node.schedule.joint.reference_wait_queries; }, 0.001,
       3600},
  };
}

std::vector<Option> JointOptions() {
  return {
      {"scheduler.joint.share_min", "", "Share of the Workers that either queue keeps.",
       [](Settings* s) -> Slot { return &s->node.schedule.joint.share_min; }, 0.01, 0.5},
      {"scheduler.joint.damping", "",
       "Part of the way to its target that the division goes at once.",
       [](Settings* s) -> Slot { return &s->node.schedule.joint.damping; }, 1e-6, 1},
      {"scheduler.joint.hysteresis", "", "Smaller changes of the division are not made.",
       [](Settings* s) -> Slot { return &s->node.schedule.joint.hysteresis; }, 0, 1},
      {"scheduler.joint.holding_time", "", "Time between two changes of the division, at least.",
       [](Settings* s) -> Slot { return &s->node.schedule.joint.holding_time; }, 0.001, 3600},
      {"scheduler.joint.holding_tasks", "tasks",
       "Tasks between two changes of the division, at "
       "least.",
       [](Settings* s) -> Slot { return &s->node.schedule.joint.holding_tasks; }, 0, 1e12},
      {"scheduler.joint.holding_work", "", "Work between two changes of the division, at least.",
       [](Settings* s) -> Slot { return &s->node.schedule.joint.holding_work; }, 0, 3600},
      {"scheduler.joint.loan_part", "",
       "Part of all Workers that is lent in an emergency, at most.",
       [](Settings* s) -> Slot { return &s->node.schedule.joint.loan_part; }, 0, 0.5},
      {"scheduler.joint.loans_burst", "loans", "Loans in quick succession, at most.",
       [](Settings* s) -> Slot { return &s->node.schedule.joint.loans_burst; }, 0, 100},
      {"scheduler.joint.critical_age", "",
       "Age over its bound at which a state that is declared "
       "critical is an emergency.",
       [](Settings* s) -> Slot { return &s->node.schedule.joint.critical_age; }, 1, 1000},
      {"scheduler.joint.benefit_per_work", "",
       "Counts the benefit of an update per unit of its work: for comparisons.",
       [](Settings* s) -> Slot { return &s->node.schedule.joint.benefit_per_work; }},
  };
}

}  // namespace

std::vector<Option> SchedulerOptions() {
  std::vector<Option> options = {
      {"scheduler.policy", "", "How the Workers are divided between updates and queries.",
       [](Settings* s) -> Slot { return &s->node.schedule.policy; }, 0, kUnbounded, Policies()},
      {"scheduler.update_share", "", "Share of the Workers that the fixed split gives to updates.",
       [](Settings* s) -> Slot { return &s->node.schedule.update_share; }, 0.05, 0.95},
      {"scheduler.batch_tasks_max", "tasks",
       "Tasks that a Worker takes at once. More costs less a "
       "task and makes others wait longer.",
       [](Settings* s) -> Slot { return &s->node.schedule.batch_tasks_max; }, 1, 65536},
      {"scheduler.lent_tasks_max", "tasks",
       "Tasks that an idle Worker takes at once from the queue that is not its own.",
       [](Settings* s) -> Slot { return &s->node.schedule.lent_tasks_max; }, 1, 65536},
      {"scheduler.batch_work_max", "", "Estimated work that a Worker takes at once.",
       [](Settings* s) -> Slot { return &s->node.schedule.batch_work_max; }, 1e-9, 3600},
      {"scheduler.cost_initial", "",
       "Estimated service time of a kind of task before one has been "
       "measured.",
       [](Settings* s) -> Slot { return &s->node.schedule.cost_initial; }, 1e-9, 3600},
      {"scheduler.cost_weight", "",
       "Weight of the newest measurement in the running mean of a "
       "service time.",
       [](Settings* s) -> Slot { return &s->node.schedule.cost_weight; }, 1e-6, 1},
      {"scheduler.park_margin", "",
       "A query that waits for fresh states goes on this long before "
       "the last moment at which it could still be in time.",
       [](Settings* s) -> Slot { return &s->node.schedule.park_margin; }, 0, 60},
  };
  for (auto more : {JointWeights, JointOptions, QueueOptions}) {
    for (Option& option : more()) options.push_back(std::move(option));
  }
  return options;
}

}  // namespace muster::app
