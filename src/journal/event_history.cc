#include "journal/event_history.h"

#include <algorithm>

#include "absl/status/status.h"
#include "journal/damage.h"
#include "journal/event_codec.h"
#include "journal/keys.h"

namespace muster::journal {

EventHistories::EventHistories(const Storage* storage, std::uint64_t events_per_agent_max)
    : storage_(storage), events_max_(std::max<std::uint64_t>(events_per_agent_max, 1)) {}

absl::Status EventHistories::Append(const model::ReportRecord& report, WriteBatch* batch) {
  if (report.events.empty()) return absl::OkStatus();
  if (report.slot >= histories_.size()) histories_.resize(report.slot + std::size_t{1});
  History& history = histories_[report.slot];
  if (history.life > report.incarnation) return absl::OkStatus();
  if (history.life < report.incarnation) {
    history = {.life = report.incarnation, .known = report.incarnation > recovered_};
  }
  if (!history.known) {
    if (auto status = LookUp(&history); !status.ok()) return status;
  }
  touched_.push_back(report.slot);
  for (const model::EventRecord& event : report.events) {
    encoder_.Clear();
    EncodeEvent(event, &encoder_);
    batch->Put(Column::kEvents, Key::OfEvent(history.life, history.next++).bytes(),
               encoder_.bytes());
  }
  const std::uint64_t count = history.next - history.first;
  if (count <= events_max_) return absl::OkStatus();
  const std::uint64_t first = history.next - (events_max_ - events_max_ / 8);
  batch->DeleteRange(Column::kEvents, Key::OfEvent(history.life, history.first).bytes(),
                     Key::OfEvent(history.life, first).bytes());
  history.first = first;
  return absl::OkStatus();
}

void EventHistories::Settle(bool written) {
  if (!written) {
    for (const model::AgentSlot slot : touched_) histories_[slot].known = false;
  }
  touched_.clear();
}

absl::Status EventHistories::LookUp(History* history) const {
  const model::Incarnation life = history->life;
  history->first = history->next = 0;
  absl::Status status;
  bool found = false;
  const absl::Status scanned =
      storage_->Scan(Column::kEvents, Key::OfEvent(life, 0).bytes(),
                     Key::OfNumber(life + 1).bytes(), [&](std::string_view key, std::string_view) {
                       const std::optional<EventPlace> place = EventPlaceOf(key);
                       found = place.has_value();
                       if (found) history->first = place->number;
                       if (!found)
                         status = DamagedRecord(Column::kEvents, key, "its key is not an event's");
                       return false;
                     });
  if (!scanned.ok()) return scanned;
  if (!status.ok()) return status;
  history->known = true;
  if (!found) return absl::OkStatus();
  // Numbers have no gaps, so the end is found by doubling and halving.
  std::uint64_t there = history->first, gone = 0;
  for (std::uint64_t step = 1; gone == 0; step *= 2) {
    const absl::StatusOr<bool> exists = Exists(life, history->first + step);
    if (!exists.ok()) return exists.status();
    (*exists ? there : gone) = history->first + step;
  }
  while (gone - there > 1) {
    const std::uint64_t middle = there + (gone - there) / 2;
    const absl::StatusOr<bool> exists = Exists(life, middle);
    if (!exists.ok()) return exists.status();
    (*exists ? there : gone) = middle;
  }
  history->next = gone;
  return absl::OkStatus();
}

absl::StatusOr<bool> EventHistories::Exists(model::Incarnation life, std::uint64_t number) const {
  const auto got = storage_->Get(Column::kEvents, Key::OfEvent(life, number).bytes());
  if (got.ok()) return true;
  if (absl::IsNotFound(got.status())) return false;
  return got.status();
}

}  // namespace muster::journal
