// The high values of one queue, D, A_U and B_U of (11) and (13): exact top-k means, kept as tasks
// come and go.
//
// A task that comes and goes between two looks costs an append: only what is still there at a look
// enters the heaps, one for each bound (lines of equal slope never cross). What has gone is dropped
// when it surfaces, or when the heaps are more than half full of it.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/time.h"
#include "schedule/task.h"

namespace muster::schedule {

class HighValues {
 public:
  explicit HighValues(TaskTable* tasks) : tasks_(*tasks) {}

  // `slot` waits or is parked from now on, with the states and the deadline that it has; then no
  // longer, or not with these.
  void Enter(std::uint32_t slot);
  void Leave(std::uint32_t slot);
  void clear();

  struct Values {
    double deadline_pressure = 0;  // D, (12), over tasks; 0 for one without a deadline
    double age = 0;                // A, (6), over states with something pending
    double benefit = 0;            // B, (10), over the same
  };
  Values At(base::MonoTime now);

 private:
  // (now - origin) / bound for lines; the value itself for constants.
  template <typename Key>
  struct Entry {
    Key key;
    std::uint32_t slot;
    std::uint32_t epoch;
  };
  using LineEntry = Entry<std::int64_t>;
  using ConstantEntry = Entry<double>;
  struct Bound {
    std::int64_t nanos = 0;
    std::vector<LineEntry> heap;  // least origin on top
  };
  struct Lines {
    absl::flat_hash_map<std::int64_t, std::uint32_t> index;
    std::vector<Bound> bounds;  // spare ones are kept for their buffers
    std::vector<std::uint32_t> spare;
    std::size_t entries = 0;
  };
  struct Head {
    double value;
    std::uint32_t bound;
  };

  template <typename AnyEntry>
  bool IsAlive(const AnyEntry& entry) const {
    return tasks_.at(entry.slot).epoch == entry.epoch;
  }
  void Settle();
  void AddLine(Lines* lines, std::int64_t bound, std::int64_t origin, std::uint32_t slot);
  void PurgeTop(Bound* bound, Lines* lines);
  double TopMeanOf(Lines* lines, std::size_t n, base::MonoTime now);
  double TopMeanOfBenefits(std::size_t n);
  void CompactIfDue(Lines* lines, std::size_t alive);
  void CompactBenefitsIfDue();

  TaskTable& tasks_;
  std::size_t tasks_entered_ = 0;
  std::size_t deadlines_entered_ = 0;
  std::size_t states_entered_ = 0;
  std::vector<Entry<char>> young_;  // entered since the last look
  Lines deadlines_;
  Lines ages_;
  std::vector<ConstantEntry> benefits_;     // greatest on top
  std::vector<Head> heads_;                 // scratch
  std::vector<LineEntry> popped_lines_;     // scratch
  std::vector<std::uint32_t> popped_from_;  // scratch: bounds
  std::vector<ConstantEntry> popped_constants_;
};

}  // namespace muster::schedule
