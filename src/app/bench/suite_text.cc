#include <cstdio>

#include "app/bench/suite.h"
#include "app/cli/figures.h"
#include "app/cli/table.h"
#include "base/json_writer.h"
#include "base/strings.h"

namespace muster::app {

namespace {

std::string ValueText(double value, const std::string& unit) {
  if (unit == "/s") return ThousandsText(static_cast<std::uint64_t>(value + 0.5)) + "/s";
  if (unit == "ms") return SecondsText(value / 1000);
  return ThousandsText(static_cast<std::uint64_t>(value + 0.5)) + " " + unit;
}

std::string Milliseconds(double value) { return value > 0 ? SecondsText(value / 1000) : ""; }

bool IsReached(const Figure& figure) {
  return figure.less_is_better ? figure.value <= figure.target : figure.value >= figure.target;
}

std::string RatioText(const Figure& figure) {
  if (figure.ceiling <= 0) return "";
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", figure.value / figure.ceiling);
  return text;
}

}  // namespace

std::string FiguresTable(const std::vector<Figure>& figures, const Terminal& terminal) {
  using Align = Table::Align;
  Table table({{"FIGURE"},
               {"VALUE", Align::kRight},
               {"TARGET", Align::kRight},
               {"", Align::kLeft},
               {"CEILING", Align::kRight},
               {"RATIO", Align::kRight},
               {"P50", Align::kRight},
               {"P99", Align::kRight},
               {"P99.9", Align::kRight},
               {"CPU", Align::kRight},
               {"ERRORS", Align::kRight},
               {"CEILING IS", Align::kLeft}});
  for (const Figure& figure : figures) {
    const bool has_target = figure.target > 0;
    const bool is_reached = has_target && IsReached(figure);
    table.AddRow({{figure.name},
                  {ValueText(figure.value, figure.unit), Colour::kBold},
                  {has_target ? ValueText(figure.target, figure.unit) : ""},
                  {!has_target  ? ""
                   : is_reached ? "reached"
                                : "missed",
                   is_reached ? Colour::kGreen : Colour::kRed},
                  {figure.ceiling > 0 ? ValueText(figure.ceiling, figure.unit) : ""},
                  {RatioText(figure)},
                  {Milliseconds(figure.p50_ms)},
                  {Milliseconds(figure.p99_ms)},
                  {Milliseconds(figure.p999_ms)},
                  {figure.cpu_us > 0 ? SecondsText(figure.cpu_us / 1e6) : ""},
                  {figure.errors > 0 ? ThousandsText(figure.errors) : "", Colour::kRed},
                  {figure.ceiling_name, Colour::kDim}});
  }
  return table.Render(terminal);
}

std::string FiguresJson(const std::vector<Figure>& figures) {
  std::string text;
  base::JsonWriter json(&text);
  json.BeginObject();
  json.Key("figures");
  json.BeginArray();
  for (const Figure& figure : figures) {
    json.BeginObject();
    const std::pair<std::string_view, std::string_view> texts[] = {
        {"name", figure.name}, {"unit", figure.unit}, {"ceiling_name", figure.ceiling_name}};
    for (const auto& [key, value] : texts) {
      if (value.empty()) continue;
      json.Key(key);
      json.String(value);
    }
    const std::pair<std::string_view, double> numbers[] = {
        {"value", figure.value},   {"target", figure.target}, {"ceiling", figure.ceiling},
        {"p50_ms", figure.p50_ms}, {"p99_ms", figure.p99_ms}, {"p99.9_ms", figure.p999_ms},
        {"cpu_us", figure.cpu_us}};
    for (const auto& [key, value] : numbers) {
      if (value == 0 && key != "value") continue;
      json.Key(key);
      json.Number(value);
    }
    json.Key("errors");
    json.Unsigned(figure.errors);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  text += '\n';
  return text;
}

}  // namespace muster::app
