// How what a journal recovers differs from what it must: one line each, empty when it is right.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/strings.h"
#include "journal/journal.h"
#include "journal/testing/describe.h"
#include "journal/testing/recording_sink.h"
#include "journal/testing/store_model.h"

namespace muster::journal::testing {

inline void Compare(std::string_view what, const std::vector<std::string>& got,
                    const std::vector<std::string>& want, std::string* differences) {
  for (std::size_t i = 0; i < got.size() || i < want.size(); ++i) {
    const std::string left = i < got.size() ? got[i] : "nothing";
    const std::string right = i < want.size() ? want[i] : "nothing";
    if (left == right) continue;
    *differences += base::StrCat(what, " ", i, ": got ", left, "\n  want ", right, "\n");
    return;
  }
}

inline absl::StatusOr<std::vector<std::string>> ReadAllEvents(const Journal& journal,
                                                              model::Incarnation life,
                                                              std::uint32_t page_size) {
  std::vector<std::string> lines;
  std::string cursor;
  do {
    const absl::StatusOr<EventPage> page = journal.ReadEvents(life, cursor, page_size);
    if (!page.ok()) return page.status();
    for (const EventPage::Event& event : page->events) {
      lines.push_back(DescribeEvent(event.state, event.revision, event.generated_at, event.json));
    }
    cursor = page->next_cursor;
  } while (!cursor.empty());
  return lines;
}

// Recovers `journal` and compares with `model`.
inline absl::StatusOr<std::string> RecoverAndCompare(Journal* journal, const StoreModel& model,
                                                     const std::vector<model::Agent>& lives) {
  RecordingSink sink;
  const absl::StatusOr<RecoverySummary> summary = journal->Recover(&sink);
  if (!summary.ok()) return summary.status();
  std::string differences;
  Compare("state", sink.states, model.States(), &differences);
  Compare("agent", sink.agents, model.Agents(), &differences);
  Compare("tombstone", sink.tombstones, model.Tombstones(), &differences);
  Compare("checkpoint", sink.checkpoint, model.Checkpoint(), &differences);
  Compare("report", sink.reports, model.Reports(), &differences);
  for (const model::Agent& agent : lives) {
    const auto events = ReadAllEvents(*journal, agent.incarnation, 3);
    if (!events.ok()) return events.status();
    Compare("event", *events, model.Events(agent.incarnation), &differences);
  }
  const auto number = [&](std::string_view what, std::uint64_t got, std::uint64_t want) {
    if (got != want) differences += base::StrCat(what, ": got ", got, ", want ", want, "\n");
  };
  number("revision", summary->revision, model.revision());
  number("last written",
         static_cast<std::uint64_t>(summary->last_written_at.time_since_epoch().count()),
         static_cast<std::uint64_t>(model.last_written_at().time_since_epoch().count()));
  number("agents", summary->agents, model.Agents().size());
  number("tombstones", summary->tombstones, model.Tombstones().size());
  number("reports", summary->reports, model.Reports().size());
  number("pieces", summary->checkpoint_pieces, model.pieces());
  return differences;
}

}  // namespace muster::journal::testing
