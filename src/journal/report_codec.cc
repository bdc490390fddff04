#include "journal/report_codec.h"

#include <limits>

#include "base/check.h"
#include "journal/damage.h"
#include "journal/value_codec.h"

namespace muster::journal {
namespace {

constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kItemBytesMin = 6;
constexpr std::size_t kCounterBytesMin = 10;
constexpr std::size_t kEventBytesMin = 3;
constexpr std::uint64_t kIndexMax = std::numeric_limits<model::StateIndex>::max();

// A state's index with one bit: whether a sequence follows.
void EncodeSource(model::StateIndex state, const std::optional<std::uint64_t>& sequence,
                  Encoder* out) {
  out->Varint(static_cast<std::uint64_t>(state) << 1 |
              static_cast<std::uint64_t>(sequence.has_value()));
  if (sequence.has_value()) out->Varint(*sequence);
}

model::StateIndex DecodeSource(Decoder* in, std::optional<std::uint64_t>* sequence) {
  const std::uint64_t head = in->VarintAtMost(kIndexMax << 1 | 1);
  sequence->reset();
  if ((head & 1) != 0) *sequence = in->Varint();
  return static_cast<model::StateIndex>(head >> 1);
}

void EncodeItem(const model::ReportRecord& record, model::Revision previous,
                base::WallTime written_at, Encoder* out) {
  const bool has_more = !record.counters.empty() || !record.events.empty();
  out->Varint(record.revision - previous);
  out->Varint(record.slot);
  out->Varint(record.incarnation);
  base::WallTime at = written_at;
  EncodeInstant(record.received_at, &at, out);
  out->Varint(record.sequences.size());
  std::uint64_t before = 0;
  for (const std::uint64_t sequence : record.sequences) {
    out->Signed(static_cast<std::int64_t>(sequence - before));
    before = sequence;
  }
  out->Varint(record.states.size() << 1 | static_cast<std::size_t>(has_more));
  for (const model::StateRecord& state : record.states) EncodeState(state, &at, out);
  if (!has_more) return;
  out->Varint(record.counters.size());
  for (const model::CounterRecord& counter : record.counters) {
    EncodeSource(counter.state, counter.sequence, out);
    EncodeInstant(counter.generated_at, &at, out);
    out->Double(counter.amount);
  }
  out->Varint(record.events.size());
  for (const model::EventRecord& event : record.events) {
    EncodeSource(event.state, event.sequence, out);
    EncodeInstant(event.generated_at, &at, out);
    out->Signed(static_cast<std::int64_t>(record.revision - event.revision));
  }
}

void DecodeSequences(Decoder* in, std::vector<std::uint64_t>* sequences) {
  sequences->resize(in->Count(1));
  std::uint64_t before = 0;
  for (std::uint64_t& sequence : *sequences) {
    sequence = before + static_cast<std::uint64_t>(in->Signed());
    before = sequence;
  }
}

void DecodeMore(Decoder* in, base::WallTime* at, model::ReportRecord* record) {
  record->counters.resize(in->Count(kCounterBytesMin));
  for (model::CounterRecord& counter : record->counters) {
    counter.state = DecodeSource(in, &counter.sequence);
    counter.generated_at = DecodeInstant(at, in);
    counter.amount = DecodeFinite(in);
  }
  record->events.resize(in->Count(kEventBytesMin));
  for (model::EventRecord& event : record->events) {
    event.state = DecodeSource(in, &event.sequence);
    event.generated_at = DecodeInstant(at, in);
    event.revision = record->revision - static_cast<std::uint64_t>(in->Signed());
    event.json = {};
  }
}

}  // namespace

void EncodeReports(std::span<const model::ReportRecord> records, base::WallTime written_at,
                   Encoder* out) {
  MUSTER_CHECK(!records.empty(), "a packed record holds at least one report");
  out->Byte(kVersion);
  out->Signed(written_at.time_since_epoch().count());
  out->Varint(records.size());
  model::Revision previous = 0;
  for (const model::ReportRecord& record : records) {
    MUSTER_CHECK(record.revision > previous, "revisions rise within a commit");
    EncodeItem(record, previous, written_at, out);
    previous = record.revision;
  }
}

ReportReader::ReportReader(std::string_view key, std::string_view value) : key_(key), in_(value) {
  const std::uint8_t version = in_.Byte();
  if (in_.ok() && version > kVersion) {
    status_ = NewerRecord(Column::kReports, key, version);
    return;
  }
  written_at_ = base::WallFromUnixNanos(in_.Signed());
  left_ = in_.Count(kItemBytesMin);
  if (!in_.ok() || version == 0 || left_ == 0) Refuse("not a head of packed reports");
}

void ReportReader::Refuse(std::string_view what) {
  status_ = DamagedRecord(Column::kReports, key_, what);
  left_ = 0;
}

bool ReportReader::Next(model::ReportRecord* record) {
  if (left_ == 0) return false;
  const std::uint64_t distance = in_.Varint();
  if (distance == 0 || revision_ + distance < revision_) in_.Fail();
  revision_ += distance;
  record->revision = revision_;
  record->slot =
      static_cast<model::AgentSlot>(in_.VarintAtMost(std::numeric_limits<model::AgentSlot>::max()));
  record->incarnation = in_.Varint();
  base::WallTime at = written_at_;
  record->received_at = DecodeInstant(&at, &in_);
  DecodeSequences(&in_, &record->sequences);
  const std::uint64_t shape = in_.Varint();
  if ((shape >> 1) > in_.left() / kStateBytesMin) in_.Fail();
  record->states.resize(in_.ok() ? static_cast<std::size_t>(shape >> 1) : 0);
  for (model::StateRecord& state : record->states) DecodeState(&in_, &at, &state);
  record->counters.clear();
  record->events.clear();
  if ((shape & 1) != 0) DecodeMore(&in_, &at, record);
  if (!in_.ok()) {
    Refuse("not a report's bytes");
    return false;
  }
  if (--left_ == 0) {
    if (!in_.Finished()) Refuse("bytes follow its last report");
    if (NumberOf(key_) != revision_) Refuse("it belongs to another commit");
  }
  return status_.ok();
}

}  // namespace muster::journal
