#include "app/config/option_sections.h"

namespace muster::app {

namespace {

std::vector<Option> RegistrationLimits() {
  return {
      {"limits.id_bytes_max", "bytes", "Length of an agent's id.",
       [](Settings* s) -> Slot { return &s->node.limits.id_bytes_max; }, 1, 4096},
      {"limits.card_bytes_max", "bytes", "Size of an agent card.",
       [](Settings* s) -> Slot { return &s->node.limits.card_bytes_max; }, 64, 1 << 26},
      {"limits.card_values_max", "values",
       "Skills, tags, domains and protocols of one card, "
       "together.",
       [](Settings* s) -> Slot { return &s->node.limits.card_values_max; }, 1, 1e6},
      {"limits.json_depth_max", "levels", "Nesting of any JSON that a client sends.",
       [](Settings* s) -> Slot { return &s->node.limits.json_depth_max; }, 4, 1024},
      {"limits.labels_max", "labels", "Labels of one agent.",
       [](Settings* s) -> Slot { return &s->node.limits.labels_max; }, 0, 4096},
      {"limits.label_bytes_max", "bytes", "Length of a label's key and of its value.",
       [](Settings* s) -> Slot { return &s->node.limits.label_bytes_max; }, 1, 65536},
      {"limits.agents_max", "agents", "Agents on the node; one more is refused with 507.",
       [](Settings* s) -> Slot { return &s->node.limits.agents_max; }, 1, 1e8},
      {"limits.tombstones_max", "agents",
       "Removed agents that are remembered, so that their late "
       "reports are answered 410 rather than 404.",
       [](Settings* s) -> Slot { return &s->node.limits.tombstones_max; }, 0, 1e8},
      {"limits.lease_default", "",
       "Lease of an agent that asks for none: without a report for this "
       "long it is shown as lapsed.",
       [](Settings* s) -> Slot { return &s->node.limits.lease_default; }, 0.01, 31536000},
      {"limits.lease_max", "", "The longest lease that an agent may ask for.",
       [](Settings* s) -> Slot { return &s->node.limits.lease_max; }, 0.01, 315360000},
  };
}

std::vector<Option> ReportLimits() {
  return {
      {"limits.states_max", "states", "States declared on the node, the built-in ones included.",
       [](Settings* s) -> Slot { return &s->node.limits.states_max; }, 8,
       static_cast<double>(model::kStatesLimit)},
      {"limits.state_name_bytes_max", "bytes", "Length of a state's name.",
       [](Settings* s) -> Slot { return &s->node.limits.state_name_bytes_max; }, 1, 1024},
      {"limits.state_text_bytes_max", "bytes", "Length of a text value of a state.",
       [](Settings* s) -> Slot { return &s->node.limits.state_text_bytes_max; }, 1, 1 << 20},
      {"limits.state_texts_max", "texts", "Distinct text values of states on the node.",
       [](Settings* s) -> Slot { return &s->node.limits.state_texts_max; }, 1, 1e8},
      {"limits.report_bytes_max", "bytes", "Size of one report.",
       [](Settings* s) -> Slot { return &s->node.limits.report_bytes_max; }, 64, 1 << 26},
      {"limits.report_states_max", "states", "States in one report.",
       [](Settings* s) -> Slot { return &s->node.limits.report_states_max; }, 1, 64},
      {"limits.report_events_max", "events", "Events in one report.",
       [](Settings* s) -> Slot { return &s->node.limits.report_events_max; }, 0, 65536},
      {"limits.event_bytes_max", "bytes", "Size of one event's data.",
       [](Settings* s) -> Slot { return &s->node.limits.event_bytes_max; }, 2, 1 << 24},
      {"limits.events_per_agent_max", "events",
       "Events that are kept for one agent; the oldest go "
       "first.",
       [](Settings* s) -> Slot { return &s->node.limits.events_per_agent_max; }, 0, 1e9},
      {"limits.clock_skew_max", "",
       "How far ahead of the node's clock a report's generation time "
       "may lie; further is refused.",
       [](Settings* s) -> Slot { return &s->node.limits.clock_skew_max; }, 0, 86400},
  };
}

std::vector<Option> QueryLimits() {
  return {
      {"limits.filter_bytes_max", "bytes", "Length of a filter.",
       [](Settings* s) -> Slot { return &s->node.limits.filter_bytes_max; }, 1, 1 << 20},
      {"limits.filter_terms_max", "terms", "Comparisons in one filter.",
       [](Settings* s) -> Slot { return &s->node.limits.filter_terms_max; }, 1, 65536},
      {"limits.order_keys_max", "keys", "Keys in one `order_by` and weights in one `rank`.",
       [](Settings* s) -> Slot { return &s->node.limits.order_keys_max; }, 1, 64},
      {"limits.query_limit_max", "agents", "The most agents that one answer may be asked for.",
       [](Settings* s) -> Slot { return &s->node.limits.query_limit_max; }, 1, 1e6},
      {"limits.query_limit_default", "agents", "Agents in an answer where the query sets no limit.",
       [](Settings* s) -> Slot { return &s->node.limits.query_limit_default; }, 1, 1e6},
  };
}

}  // namespace

std::vector<Option> LimitOptions() {
  std::vector<Option> options = RegistrationLimits();
  for (auto more : {ReportLimits, QueryLimits}) {
    for (Option& option : more()) options.push_back(std::move(option));
  }
  return options;
}

}  // namespace muster::app
