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
  for (Option& option : QueueOptions()) options.push_back(std::move(option));
  return options;
}

}  // namespace muster::app
