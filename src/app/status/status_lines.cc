#include "app/status/status_lines.h"

#include <algorithm>

#include "app/cli/figures.h"
#include "app/cli/table.h"
#include "base/strings.h"

namespace muster::app {

namespace {

Lines SplitLines(const std::string& text) {
  Lines lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

void Append(Lines* lines, Lines more) {
  lines->insert(lines->end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

std::string RateText(double now, double before, double seconds) {
  return seconds > 0 ? CountText(std::max(0.0, now - before) / seconds) + "/s" : "-";
}

// Log scale: a queue of ten tasks is to be seen, one of a million not to burst.
double Fill(std::uint64_t tasks) {
  double fill = 0;
  for (std::uint64_t rest = tasks; rest > 0; rest /= 2) fill += 1.0 / 20;
  return fill;
}

std::vector<Table::Cell> QueueRow(const char* name, const QueueStatus& queue,
                                  const QueueStatus* before, double seconds) {
  const Colour colour = queue.refused > (before != nullptr ? before->refused : queue.refused)
                            ? Colour::kRed
                            : Colour::kCyan;
  return {{name},
          {BarText(Fill(queue.tasks), 16), colour},
          {ThousandsText(queue.tasks)},
          {ThousandsText(queue.parked)},
          {AgeText(queue.work)},
          {AgeText(queue.wait_max)},
          {before != nullptr ? RateText(static_cast<double>(queue.finished),
                                        static_cast<double>(before->finished), seconds)
                             : ThousandsText(queue.finished)},
          {ThousandsText(queue.merged + queue.superseded)},
          {ThousandsText(queue.refused + queue.expired),
           queue.refused + queue.expired > 0 ? Colour::kYellow : Colour::kPlain}};
}

}  // namespace

Lines QueueLines(const NodeStatus& now, const NodeStatus* before, double seconds,
                 const Terminal& terminal) {
  using Align = Table::Align;
  Table table({{"QUEUES"},
               {""},
               {"WAITING", Align::kRight},
               {"PARKED", Align::kRight},
               {"WORK", Align::kRight},
               {"LONGEST", Align::kRight},
               {"DONE", Align::kRight},
               {"MERGED", Align::kRight},
               {"REFUSED", Align::kRight}});
  table.AddRow(
      QueueRow("updates", now.updates, before != nullptr ? &before->updates : nullptr, seconds));
  table.AddRow(
      QueueRow("queries", now.queries, before != nullptr ? &before->queries : nullptr, seconds));
  return SplitLines(table.Render(terminal));
}

Lines WorkerLines(const NodeStatus& now, const Terminal& terminal) {
  constexpr int kWidth = 40;
  const double share = std::clamp(now.updates.share, 0.0, 1.0);
  const int updates = static_cast<int>(share * kWidth + 0.5);
  std::string left, right;
  for (int i = 0; i < updates; ++i) left += "█";
  for (int i = updates; i < kWidth; ++i) right += terminal.has_colours ? "█" : "░";
  std::string line = base::StrCat(
      "updates ", terminal.Paint(Colour::kBlue, left), terminal.Paint(Colour::kYellow, right),
      " queries   ", PercentText(share), " : ", PercentText(1 - share), ", aimed at ",
      PercentText(now.updates.share_target), "; ", now.reallocations, " reallocations");
  if (!now.last_reallocation.empty()) {
    base::StrAppend(&line, " (last: ", Printable(now.last_reallocation), ")");
  }
  return {base::StrCat(terminal.Paint(Colour::kBold, "WORKERS"), "  ", now.workers, ", policy ",
                       Printable(now.policy)),
          line};
}

Lines LatencyLines(const NodeStatus& now, const NodeStatus* before, const Terminal& terminal) {
  using Align = Table::Align;
  Table table({{"LATENCY"},
               {"P50", Align::kRight},
               {"P90", Align::kRight},
               {"P99", Align::kRight},
               {"P99.9", Align::kRight},
               {"OF", Align::kRight}});
  const auto add = [&](const char* name, BucketCounts NodeStatus::*member) {
    const BucketCounts counts =
        before != nullptr ? (now.*member).Since(before->*member) : now.*member;
    std::vector<Table::Cell> row = {{name}};
    for (const double q : {0.5, 0.9, 0.99, 0.999}) {
      row.push_back({counts.count() > 0 ? SecondsText(counts.Quantile(q)) : "-"});
    }
    row.push_back({CountText(counts.count())});
    table.AddRow(std::move(row));
  };
  add("updates", &NodeStatus::update_seconds);
  add("queries", &NodeStatus::query_seconds);
  return SplitLines(table.Render(terminal));
}

Lines FreshnessLines(const NodeStatus& now, const NodeStatus* before, const Terminal& terminal) {
  const BucketCounts counts =
      before != nullptr ? now.freshness_risk.Since(before->freshness_risk) : now.freshness_risk;
  Lines lines = {base::StrCat(terminal.Paint(Colour::kBold, "FRESHNESS RISK"),
                              " of answers: age of the deciding states over their bound")};
  if (counts.count() <= 0) {
    lines.push_back(terminal.Paint(Colour::kDim, "no answers yet"));
    return lines;
  }
  std::string line;
  double below = 0;
  for (const auto& [bound, at_most] : counts.at_most) {
    if (bound > 1.6 && bound < 1e300) continue;
    const double fraction = (at_most - below) / counts.count();
    below = at_most;
    char title[24];
    std::snprintf(title, sizeof title, bound < 1e300 ? "≤%.3g" : "more", bound);
    const Colour colour = bound <= 0.75 ? Colour::kGreen
                          : bound <= 1  ? Colour::kYellow
                                        : Colour::kRed;
    base::StrAppend(&line, line.empty() ? "" : "  ", title, " ",
                    terminal.Paint(colour, BarText(fraction, 6)), " ", PercentText(fraction));
  }
  lines.push_back(std::move(line));
  return lines;
}

Lines StatusLines(const std::string& url, const NodeStatus& now, const NodeStatus* before,
                  double seconds, const Terminal& terminal) {
  const auto count = [](double value) { return ThousandsText(static_cast<std::uint64_t>(value)); };
  Lines lines = {base::StrCat(terminal.Paint(Colour::kBold, url), "  ",
                              terminal.Paint(now.is_ready ? Colour::kGreen : Colour::kYellow,
                                             now.is_ready ? "ready" : "not ready"),
                              "   ", count(now.agents), " agents   revision ", count(now.revision),
                              "   connections ", count(now.connections), "   directory ",
                              BytesText(now.directory_bytes))};
  if (before != nullptr && seconds > 0) {
    lines.push_back(base::StrCat(
        "reports ", RateText(now.reports_applied, before->reports_applied, seconds), "   queries ",
        RateText(now.queries_answered, before->queries_answered, seconds), "   requests ",
        RateText(now.requests, before->requests, seconds)));
  } else {
    lines.push_back(base::StrCat("since it began: ", count(now.registrations), " registrations, ",
                                 count(now.reports_applied), " reports applied, ",
                                 count(now.queries_answered), " queries answered (",
                                 count(now.answers_stale), " stale), ", count(now.refusals),
                                 " refusals"));
  }
  for (Lines more : {QueueLines(now, before, seconds, terminal), WorkerLines(now, terminal),
                     LatencyLines(now, before, terminal), FreshnessLines(now, before, terminal)}) {
    lines.emplace_back();
    Append(&lines, std::move(more));
  }
  return lines;
}

}  // namespace muster::app
