#include "schedule/accumulating_priority_queue.h"

#include <algorithm>

namespace muster::schedule {

namespace {
// Up to so many slopes are compared one by one; empty ones among them are kept for the next task of
// their kind. A tournament that was needed goes on until few are left.
constexpr std::size_t kScannedMax = 16;
constexpr std::size_t kScannedAgain = 8;
}  // namespace

void AccumulatingPriorityQueue::AddLine(std::uint32_t slot, std::uint64_t order, const Line& line,
                                        bool inherited) {
  if (first_record_.size() <= slot) first_record_.resize(slot + 1, kNone);
  const std::uint32_t index = NewRecord();
  const std::uint32_t slope = SlopeIndex(line.slope);
  records_[index] = {slot, slope, first_record_[slot], inherited};
  first_record_[slot] = index;
  ++lines_in_use_;
  slopes_[slope].heap.Push(
      {line.intercept, order, index},
      [this](const Entry& entry, std::uint32_t position) { positions_[entry.line] = position; });
  if (positions_[index] == 0) HeadChanged(slope);
}

void AccumulatingPriorityQueue::Inherit(std::uint32_t slot, std::uint64_t order, const Line& line,
                                        base::MonoTime now) {
  const auto lies_above = [now](const Line& upper, const Line& lower) {
    return upper.slope >= lower.slope && upper.At(now) >= lower.At(now);
  };
  for (std::uint32_t i = first_record_[slot]; i != kNone; i = records_[i].next) {
    if (records_[i].inherited && lies_above(LineOf(i), line)) return;
  }
  RemoveWhere(slot, [&](std::uint32_t record) {
    return records_[record].inherited && lies_above(line, LineOf(record));
  });
  AddLine(slot, order, line, true);
}

Line AccumulatingPriorityQueue::LineOf(std::uint32_t record) const {
  const Slope& slope = slopes_[records_[record].slope];
  return {slope.heap.at(positions_[record]).intercept, slope.value};
}

void AccumulatingPriorityQueue::RemoveOwn(std::uint32_t slot) {
  RemoveWhere(slot, [this](std::uint32_t record) { return !records_[record].inherited; });
}

void AccumulatingPriorityQueue::RemoveAll(std::uint32_t slot) {
  RemoveWhere(slot, [](std::uint32_t) { return true; });
}

template <typename Predicate>
void AccumulatingPriorityQueue::RemoveWhere(std::uint32_t slot, const Predicate& matches) {
  std::uint32_t* link = &first_record_[slot];
  while (*link != kNone) {
    const std::uint32_t index = *link;
    Record& record = records_[index];
    if (!matches(index)) {
      link = &record.next;
      continue;
    }
    *link = record.next;
    RemoveFromHeap(index);
    record.next = free_record_;
    free_record_ = index;
    --lines_in_use_;
  }
}

void AccumulatingPriorityQueue::RemoveFromHeap(std::uint32_t index) {
  const std::uint32_t slope = records_[index].slope;
  const bool was_head = positions_[index] == 0;
  slopes_[slope].heap.RemoveAt(
      positions_[index],
      [this](const Entry& entry, std::uint32_t position) { positions_[entry.line] = position; });
  if (was_head) HeadChanged(slope);
  if (slopes_[slope].heap.empty() && used_slopes_.size() > kScannedAgain) Retire(slope);
}

void AccumulatingPriorityQueue::clear() {
  for (const std::uint32_t slope : used_slopes_) {
    slopes_[slope].heap.clear();
    free_slopes_.push_back(slope);
  }
  used_slopes_.clear();
  slope_index_.clear();
  records_.clear();
  positions_.clear();
  free_record_ = kNone;
  std::fill(first_record_.begin(), first_record_.end(), kNone);
  lines_in_use_ = 0;
  has_tournament_ = false;
}

const AccumulatingPriorityQueue::Entry* AccumulatingPriorityQueue::Head(base::MonoTime now) const {
  if (!has_tournament_) return HeadByScan(now);
  const std::uint32_t slope = tournament_.Winner(now);
  return slope == KineticTournament::kNone ? nullptr : &slopes_[slope].heap.top();
}

const AccumulatingPriorityQueue::Entry* AccumulatingPriorityQueue::HeadByScan(
    base::MonoTime now) const {
  const Entry* best = nullptr;
  Int128 best_priority = 0;
  for (const std::uint32_t index : used_slopes_) {
    const Slope& slope = slopes_[index];
    if (slope.heap.empty()) continue;
    const Entry& head = slope.heap.top();
    const Int128 priority = Line{head.intercept, slope.value}.At(now);
    if (best == nullptr || priority > best_priority ||
        (priority == best_priority && head.order < best->order)) {
      best = &head;
      best_priority = priority;
    }
  }
  return best;
}

std::uint32_t AccumulatingPriorityQueue::Top(base::MonoTime now) const {
  const Entry* head = Head(now);
  return head == nullptr ? kNone : records_[head->line].slot;
}

Int128 AccumulatingPriorityQueue::TopPriority(base::MonoTime now) const {
  const Entry* head = Head(now);
  return head == nullptr ? 0 : LineOf(head->line).At(now);
}

// The tournament learns of a slope's new head, or that it has none.
void AccumulatingPriorityQueue::HeadChanged(std::uint32_t slope) {
  if (!has_tournament_) return;
  const IndexedHeap<Entry>& heap = slopes_[slope].heap;
  if (heap.empty()) {
    tournament_.Clear(slope);
  } else {
    tournament_.Set(slope, {{heap.top().intercept, slopes_[slope].value}, heap.top().order});
  }
}

void AccumulatingPriorityQueue::StartTournament() {
  has_tournament_ = true;
  tournament_.Reset(static_cast<std::uint32_t>(slopes_.size()));
  for (const std::uint32_t slope : used_slopes_) HeadChanged(slope);
}

std::uint32_t AccumulatingPriorityQueue::NewRecord() {
  if (free_record_ == kNone) {
    records_.emplace_back();
    positions_.push_back(kNone);
    return static_cast<std::uint32_t>(records_.size() - 1);
  }
  const std::uint32_t index = free_record_;
  free_record_ = records_[index].next;
  return index;
}

std::uint32_t AccumulatingPriorityQueue::SlopeIndex(std::int64_t value) {
  const auto [it, is_new] = slope_index_.try_emplace(value, 0);
  if (!is_new) return it->second;
  if (free_slopes_.empty()) {
    free_slopes_.push_back(static_cast<std::uint32_t>(slopes_.size()));
    slopes_.emplace_back();
  }
  it->second = free_slopes_.back();
  free_slopes_.pop_back();
  slopes_[it->second].value = value;
  slopes_[it->second].used_index = static_cast<std::uint32_t>(used_slopes_.size());
  used_slopes_.push_back(it->second);
  const bool outgrew = has_tournament_ && slopes_.size() > tournament_.leaves();
  if (outgrew || (!has_tournament_ && used_slopes_.size() > kScannedMax)) StartTournament();
  return it->second;
}

void AccumulatingPriorityQueue::Retire(std::uint32_t slope) {
  slope_index_.erase(slopes_[slope].value);
  const std::uint32_t index = slopes_[slope].used_index;
  used_slopes_[index] = used_slopes_.back();
  slopes_[used_slopes_[index]].used_index = index;
  used_slopes_.pop_back();
  free_slopes_.push_back(slope);
  if (used_slopes_.size() <= kScannedAgain) has_tournament_ = false;
}

}  // namespace muster::schedule
