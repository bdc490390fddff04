#include "app/demo/demo_view.h"

#include <algorithm>
#include <cstdio>

#include "app/cli/figures.h"
#include "app/client/agent_table.h"
#include "base/strings.h"

namespace muster::app {

namespace {

std::string Padded(std::string text, std::size_t width) {
  text = Fit(text, width);
  text.append(width - DisplayWidth(text), ' ');
  return text;
}

std::string PaddedLeft(const std::string& text, std::size_t width) {
  const std::size_t columns = DisplayWidth(text);
  return std::string(columns < width ? width - columns : 0, ' ') + text;
}

std::string Nanos(const base::Histogram& histogram, double q) {
  if (histogram.count() == 0) return "-";
  return SecondsText(static_cast<double>(histogram.Quantile(q)) / 1e9);
}

double RateOf(std::uint64_t now, std::uint64_t before, double seconds) {
  return seconds > 0 ? static_cast<double>(now - before) / seconds : 0;
}

std::string ClockText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%02d:%02d", static_cast<int>(seconds) / 60,
                static_cast<int>(seconds) % 60);
  return text;
}

std::string TrafficLine(const char* name, double rate, const std::deque<double>& rates,
                        const base::Histogram& nanos, Colour colour, const Terminal& terminal) {
  return base::StrCat(
      terminal.Paint(Colour::kBold, Padded(name, 9)), PaddedLeft(CountText(rate) + "/s", 9), "  ",
      terminal.Paint(colour, Sparkline(rates, 40)), "  p50 ", PaddedLeft(Nanos(nanos, 0.5), 7),
      "  p99 ", PaddedLeft(Nanos(nanos, 0.99), 7), "  max ", PaddedLeft(Nanos(nanos, 1), 7));
}

std::string AgeLine(const DemoAge& age, const Terminal& terminal) {
  const Colour colour = FreshnessColour(age.freshness);
  char load[16];
  std::snprintf(load, sizeof load, "%.2f", age.load);
  return base::StrCat(Padded(Printable(age.id), 34), PaddedLeft(load, 5), PaddedLeft(age.age, 8),
                      " of ", Padded(age.bound, 7),
                      terminal.Paint(colour, BarText(age.freshness, 24)),
                      age.freshness >= 1 ? terminal.Paint(Colour::kRed, "  stale") : "");
}

std::string AnswerLine(const DemoAnswer& answer, const Terminal& terminal) {
  constexpr int kFigures = 26;  // columns of what stands behind the texts
  const auto room = static_cast<std::size_t>(std::max(terminal.width - kFigures, 40));
  const std::size_t asked = std::min<std::size_t>(room / 2, 46);
  char risk[24];
  std::snprintf(risk, sizeof risk, "%.2f", answer.freshness_risk);
  const Colour colour = answer.found == 0 ? Colour::kDim : FreshnessColour(answer.freshness_risk);
  const std::string best = answer.found == 0 ? "nobody matches" : Printable(answer.best);
  const std::string verdict =
      answer.found == 0 ? "" : PaddedLeft(risk, 5) + (answer.is_stale ? " stale" : " fresh");
  return base::StrCat(Padded(Printable(answer.question), asked), " → ",
                      Padded(best, std::min<std::size_t>(room - asked, 50)), " ",
                      terminal.Paint(colour, PaddedLeft(verdict, 11)),
                      PaddedLeft(SecondsText(answer.seconds), 8));
}

void Append(Lines* lines, Lines more) {
  lines->emplace_back();
  lines->insert(lines->end(), more.begin(), more.end());
}

}  // namespace

std::string Sparkline(const std::deque<double>& values, std::size_t width) {
  static const char* const kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::size_t shown = std::min(values.size(), width);
  std::string line(width - shown, ' ');
  double largest = 0;
  for (std::size_t i = values.size() - shown; i < values.size(); ++i) {
    largest = std::max(largest, values[i]);
  }
  for (std::size_t i = values.size() - shown; i < values.size(); ++i) {
    const double part = largest > 0 ? values[i] / largest : 0;
    line += kBlocks[std::clamp(static_cast<int>(part * 8), 0, 7)];
  }
  return line;
}

Lines DemoFrame(const DemoScene& scene, const Terminal& terminal) {
  const double seconds = scene.now.seconds - scene.before.seconds;
  Lines lines = {
      base::StrCat(terminal.Paint(Colour::kCyan, terminal.Paint(Colour::kBold, "MUSTER")), "  ",
                   scene.url, "  ", scene.agents, " agents from ", scene.cards, " real cards  ",
                   ClockText(scene.now.seconds), terminal.Paint(Colour::kDim, "  Ctrl-C ends it"))};
  lines.emplace_back();
  lines.push_back(TrafficLine("reports", RateOf(scene.now.reports, scene.before.reports, seconds),
                              scene.report_rates, scene.now.report_nanos, Colour::kBlue, terminal));
  lines.push_back(TrafficLine("queries", RateOf(scene.now.queries, scene.before.queries, seconds),
                              scene.query_rates, scene.now.query_nanos, Colour::kYellow, terminal));
  Append(&lines, QueueLines(scene.now.node, &scene.before.node, seconds, terminal));
  Append(&lines, WorkerLines(scene.now.node, terminal));
  Lines ages = {base::StrCat(terminal.Paint(Colour::kBold, "AGES"),
                             " of load against each agent's own bound")};
  for (const DemoAge& age : scene.ages) ages.push_back(AgeLine(age, terminal));
  Append(&lines, std::move(ages));
  Lines answers = {base::StrCat(terminal.Paint(Colour::kBold, "LATEST ANSWERS"),
                                ", freshness risk (oldest deciding value over its bound), time")};
  for (const DemoAnswer& answer : scene.answers) answers.push_back(AnswerLine(answer, terminal));
  Append(&lines, std::move(answers));
  Append(&lines, FreshnessLines(scene.now.node, nullptr, terminal));
  return lines;
}

std::string DemoLine(const DemoScene& scene) {
  const double seconds = scene.now.seconds - scene.before.seconds;
  const NodeStatus& node = scene.now.node;
  std::string line = base::StrCat(
      ClockText(scene.now.seconds), "  reports ",
      CountText(RateOf(scene.now.reports, scene.before.reports, seconds)), "/s p99 ",
      Nanos(scene.now.report_nanos, 0.99), "  queries ",
      CountText(RateOf(scene.now.queries, scene.before.queries, seconds)), "/s p99 ",
      Nanos(scene.now.query_nanos, 0.99), "  waiting ", node.updates.tasks, "+", node.queries.tasks,
      "  Workers ", PercentText(node.updates.share), ":", PercentText(node.queries.share));
  if (!scene.answers.empty()) {
    const DemoAnswer& answer = scene.answers.front();
    char risk[24];
    std::snprintf(risk, sizeof risk, "%.2f", answer.freshness_risk);
    base::StrAppend(&line, "  | ", Printable(answer.question), " -> ",
                    answer.found == 0 ? "nobody matches" : Printable(answer.best),
                    answer.found == 0 ? "" : base::StrCat(" (risk ", risk, ")"));
  }
  return line;
}

Lines DemoSummary(const DemoScene& scene, std::uint64_t stale, std::uint64_t failures,
                  const Terminal& terminal) {
  const DemoMoment& now = scene.now;
  const auto total = [&](const char* name, std::uint64_t count, const base::Histogram& nanos) {
    return base::StrCat("  ", Padded(name, 9), PaddedLeft(ThousandsText(count), 11), "  ",
                        PaddedLeft(CountText(RateOf(count, 0, now.seconds)) + "/s", 9), "   p50 ",
                        Nanos(nanos, 0.5), "   p99 ", Nanos(nanos, 0.99), "   p99.9 ",
                        Nanos(nanos, 0.999), "   max ", Nanos(nanos, 1));
  };
  Lines lines = {base::StrCat(terminal.Paint(Colour::kBold, "Summary"), " of ",
                              SecondsText(now.seconds), " with ", scene.agents, " agents"),
                 total("reports", now.reports, now.report_nanos),
                 total("queries", now.queries, now.query_nanos)};
  lines.push_back(base::StrCat("  ", ThousandsText(stale), " of ", ThousandsText(now.queries),
                               " answers had a deciding value past its bound, and said so; ",
                               ThousandsText(now.node.updates.merged + now.node.updates.superseded),
                               " reports gave way to newer ones; ", ThousandsText(failures),
                               " failures"));
  Append(&lines, FreshnessLines(now.node, nullptr, terminal));
  Append(&lines, {"A node of your own: muster serve --data ./muster-data, then muster --help."});
  return lines;
}

}  // namespace muster::app
