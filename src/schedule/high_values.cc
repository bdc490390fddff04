#include "schedule/high_values.h"

#include <algorithm>

#include "schedule/score.h"

namespace muster::schedule {

namespace {

// Without a look for long, the young are settled all the same, as soon as most of them may have
// gone.
constexpr std::size_t kYoungMax = 1024;
constexpr std::size_t kSlack = 256;  // gone entries that are never worth a compaction

struct LaterOrigin {
  template <typename Entry>
  bool operator()(const Entry& a, const Entry& b) const {
    return a.key > b.key;
  }
};
struct LessValue {
  template <typename Entry>
  bool operator()(const Entry& a, const Entry& b) const {
    return a.key < b.key;
  }
};

}  // namespace

void HighValues::Enter(std::uint32_t slot) {
  const Task& task = tasks_.at(slot);
  ++tasks_entered_;
  deadlines_entered_ += task.deadline.count() > 0;
  states_entered_ += task.states().size();
  const std::size_t young_max = kYoungMax + 2 * tasks_entered_;
  if (young_.capacity() < young_max) young_.reserve(2 * young_max);
  if (young_.size() >= young_max) {
    std::erase_if(young_, [this](const Entry<char>& entry) { return !IsAlive(entry); });
  }
  young_.push_back({0, slot, task.epoch});
}

void HighValues::Leave(std::uint32_t slot) {
  Task& task = tasks_.at(slot);
  --tasks_entered_;
  deadlines_entered_ -= task.deadline.count() > 0;
  states_entered_ -= task.states().size();
  ++task.epoch;
}

void HighValues::clear() {
  tasks_entered_ = deadlines_entered_ = states_entered_ = 0;
  young_.clear();
  for (Lines* lines : {&deadlines_, &ages_}) {
    for (Bound& bound : lines->bounds) bound.heap.clear();
    lines->entries = 0;
  }
  benefits_.clear();
}

HighValues::Values HighValues::At(base::MonoTime now) {
  Settle();
  return {TopMeanOf(&deadlines_, tasks_entered_, now), TopMeanOf(&ages_, states_entered_, now),
          TopMeanOfBenefits(states_entered_)};
}

void HighValues::Settle() {
  CompactIfDue(&deadlines_, deadlines_entered_);
  CompactIfDue(&ages_, states_entered_);
  CompactBenefitsIfDue();
  for (const Entry<char>& entry : young_) {
    if (!IsAlive(entry)) continue;
    const Task& task = tasks_.at(entry.slot);
    if (task.deadline.count() > 0) {
      AddLine(&deadlines_, task.deadline.count(), task.arrived_at.time_since_epoch().count(),
              entry.slot);
    }
    for (const StateUpdate& state : task.states()) {
      AddLine(&ages_, state.max_age.count(), state.installed_at.time_since_epoch().count(),
              entry.slot);
      benefits_.push_back({Benefit(state, task.estimate), entry.slot, entry.epoch});
      std::push_heap(benefits_.begin(), benefits_.end(), LessValue());
    }
  }
  young_.clear();
}

void HighValues::AddLine(Lines* lines, std::int64_t bound, std::int64_t origin,
                         std::uint32_t slot) {
  const auto [it, is_new] = lines->index.try_emplace(bound, 0);
  if (is_new) {
    if (lines->spare.empty()) {
      lines->spare.push_back(static_cast<std::uint32_t>(lines->bounds.size()));
      lines->bounds.emplace_back();
      lines->spare.reserve(lines->bounds.capacity());
    }
    it->second = lines->spare.back();
    lines->spare.pop_back();
    lines->bounds[it->second].nanos = bound;
  }
  std::vector<LineEntry>& heap = lines->bounds[it->second].heap;
  heap.push_back({origin, slot, tasks_.at(slot).epoch});
  std::push_heap(heap.begin(), heap.end(), LaterOrigin());
  ++lines->entries;
}

void HighValues::PurgeTop(Bound* bound, Lines* lines) {
  while (!bound->heap.empty() && !IsAlive(bound->heap.front())) {
    std::pop_heap(bound->heap.begin(), bound->heap.end(), LaterOrigin());
    bound->heap.pop_back();
    --lines->entries;
  }
}

double HighValues::TopMeanOf(Lines* lines, std::size_t n, base::MonoTime now) {
  const std::size_t k = TopCount(n);
  if (k == 0) return 0;
  const auto value = [&](std::uint32_t i) {
    const Bound& bound = lines->bounds[i];
    return Ratio(now - base::MonoFromNanos(bound.heap.front().key), base::Duration(bound.nanos));
  };
  heads_.clear();
  for (std::uint32_t i = 0; i < lines->bounds.size(); ++i) {
    PurgeTop(&lines->bounds[i], lines);
    if (!lines->bounds[i].heap.empty()) heads_.push_back({value(i), i});
  }
  // The top k values lie under the top k heads.
  const auto greater = [](const Head& a, const Head& b) { return a.value > b.value; };
  const std::size_t kept = std::min(k, heads_.size());
  std::partial_sort(heads_.begin(), heads_.begin() + static_cast<std::ptrdiff_t>(kept),
                    heads_.end(), greater);
  heads_.resize(kept);
  double sum = 0;
  popped_lines_.clear();
  popped_from_.clear();
  while (popped_lines_.size() < k && !heads_.empty()) {
    const Head head = heads_.front();
    sum += head.value;
    Bound& bound = lines->bounds[head.bound];
    popped_lines_.push_back(bound.heap.front());
    popped_from_.push_back(head.bound);
    std::pop_heap(bound.heap.begin(), bound.heap.end(), LaterOrigin());
    bound.heap.pop_back();
    PurgeTop(&bound, lines);
    heads_.erase(heads_.begin());
    if (bound.heap.empty()) continue;
    const Head next{value(head.bound), head.bound};
    heads_.insert(std::upper_bound(heads_.begin(), heads_.end(), next, greater), next);
  }
  for (std::size_t i = 0; i < popped_lines_.size(); ++i) {
    std::vector<LineEntry>& heap = lines->bounds[popped_from_[i]].heap;
    heap.push_back(popped_lines_[i]);
    std::push_heap(heap.begin(), heap.end(), LaterOrigin());
  }
  return sum / static_cast<double>(k);
}

double HighValues::TopMeanOfBenefits(std::size_t n) {
  const std::size_t k = TopCount(n);
  if (k == 0) return 0;
  double sum = 0;
  popped_constants_.clear();
  while (popped_constants_.size() < k) {
    const ConstantEntry top = benefits_.front();
    std::pop_heap(benefits_.begin(), benefits_.end(), LessValue());
    benefits_.pop_back();
    if (!IsAlive(top)) continue;
    sum += top.key;
    popped_constants_.push_back(top);
  }
  for (const ConstantEntry& entry : popped_constants_) {
    benefits_.push_back(entry);
    std::push_heap(benefits_.begin(), benefits_.end(), LessValue());
  }
  return sum / static_cast<double>(k);
}

void HighValues::CompactIfDue(Lines* lines, std::size_t alive) {
  if (lines->entries <= 2 * alive + kSlack) return;
  lines->entries = 0;
  for (std::uint32_t i = 0; i < lines->bounds.size(); ++i) {
    Bound& bound = lines->bounds[i];
    if (bound.heap.empty()) continue;
    std::erase_if(bound.heap, [this](const LineEntry& entry) { return !IsAlive(entry); });
    std::make_heap(bound.heap.begin(), bound.heap.end(), LaterOrigin());
    lines->entries += bound.heap.size();
  }
  for (auto it = lines->index.begin(); it != lines->index.end();) {
    const auto entry = it++;
    if (!lines->bounds[entry->second].heap.empty()) continue;
    lines->spare.push_back(entry->second);
    lines->index.erase(entry);
  }
}

void HighValues::CompactBenefitsIfDue() {
  if (benefits_.size() <= 2 * states_entered_ + kSlack) return;
  std::erase_if(benefits_, [this](const ConstantEntry& entry) { return !IsAlive(entry); });
  std::make_heap(benefits_.begin(), benefits_.end(), LessValue());
}

}  // namespace muster::schedule
