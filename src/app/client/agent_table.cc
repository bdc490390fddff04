#include "app/client/agent_table.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "app/cli/figures.h"
#include "app/cli/table.h"
#include "base/strings.h"

namespace muster::app {

namespace {

std::string Rounded(double number, const char* format = "%.4g") {
  char text[40];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

std::vector<std::string> StateNames(JsonView agents) {
  std::vector<std::string> names;
  agents.ForEachElement([&](JsonView agent) {
    agent["states"].ForEachMember([&](std::string_view name, JsonView) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    });
  });
  return names;
}

bool AnyHas(JsonView agents, std::string_view member) {
  bool has = false;
  agents.ForEachElement([&](JsonView agent) { has = has || agent[member].exists(); });
  return has;
}

Table::Cell StateCell(JsonView state) {
  if (!state.exists()) return {"-", Colour::kDim};
  return {base::StrCat(StateValueText(state["value"]), " (", AgeText(state["age"].Text()), ")"),
          FreshnessColour(state["freshness"].Number())};
}

std::string LabelsText(JsonView labels) {
  std::string text;
  labels.ForEachMember([&](std::string_view key, JsonView value) {
    base::StrAppend(&text, text.empty() ? "" : " ", key, "=", value.Text());
  });
  return text;
}

}  // namespace

std::string StateValueText(JsonView value) {
  if (value.is_number()) return Rounded(value.Number());
  if (value.is_object()) {
    return base::StrCat(Rounded(value["latitude"].Number(), "%.2f"), ", ",
                        Rounded(value["longitude"].Number(), "%.2f"));
  }
  return value.Shown();
}

Colour FreshnessColour(double freshness) {
  if (freshness >= 1) return Colour::kRed;
  return freshness >= 0.75 ? Colour::kYellow : Colour::kGreen;
}

std::string AgentTable(JsonView agents, const Terminal& terminal) {
  if (agents.size() == 0) return "";
  const std::vector<std::string> states = StateNames(agents);
  const bool has_score = AnyHas(agents, "score"), has_distance = AnyHas(agents, "distance"),
             has_labels = AnyHas(agents, "labels"), has_lapsed = AnyHas(agents, "lapsed");
  std::vector<Table::Column> columns = {{"ID", Table::Align::kLeft, true},
                                        {"NAME", Table::Align::kLeft, true}};
  if (has_lapsed) columns.push_back({"LEASE"});
  if (has_score) columns.push_back({"SCORE", Table::Align::kRight});
  if (has_distance) columns.push_back({"DISTANCE", Table::Align::kRight});
  for (const std::string& name : states) {
    std::string title = Printable(name);
    for (char& c : title) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    columns.push_back({std::move(title)});
  }
  if (has_labels) columns.push_back({"LABELS", Table::Align::kLeft, true});
  Table table(std::move(columns));
  agents.ForEachElement([&](JsonView agent) {
    std::vector<Table::Cell> row = {{std::string(agent["id"].Text())},
                                    {std::string(agent["name"].Text())}};
    if (has_lapsed) {
      row.push_back(agent["lapsed"].Bool() ? Table::Cell{"lapsed", Colour::kRed}
                                           : Table::Cell{"held", Colour::kGreen});
    }
    if (has_score) row.push_back({Rounded(agent["score"].Number())});
    if (has_distance) {
      row.push_back({base::StrCat(Rounded(agent["distance"].Number() / 1000, "%.1f"), " km")});
    }
    for (const std::string& name : states) row.push_back(StateCell(agent["states"][name]));
    if (has_labels) row.push_back({LabelsText(agent["labels"]), Colour::kDim});
    table.AddRow(std::move(row));
  });
  return table.Render(terminal);
}

}  // namespace muster::app
