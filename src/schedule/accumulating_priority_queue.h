// Waiting tasks whose priorities are lines in time; the exact argmax at any instant.
//
// A task may have several lines: its priority is the greatest of them. Lines of equal slope never
// cross, so each slope has one heap, and a look at the top compares the heads of the slopes: all of
// them where they are few, by a kinetic tournament where they are many. Ties go to the smaller
// `order`. Kleinrock's accumulating priority queue, where all start at 0.
//
// The instants given to one queue never go back.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/time.h"
#include "schedule/indexed_heap.h"
#include "schedule/kinetic_tournament.h"
#include "schedule/line.h"

namespace muster::schedule {

class AccumulatingPriorityQueue {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  bool empty() const { return lines_in_use_ == 0; }
  std::size_t slopes() const { return slope_index_.size(); }

  // An own line of task `slot`, whose place among ties is `order`.
  void Add(std::uint32_t slot, std::uint64_t order, const Line& line) {
    AddLine(slot, order, line, false);
  }
  // An inherited line, unless another one of this task lies above it for ever; those that it lies
  // above for ever go. Bounds a task's inherited lines by the slopes among them.
  void Inherit(std::uint32_t slot, std::uint64_t order, const Line& line, base::MonoTime now);
  void RemoveOwn(std::uint32_t slot);
  void RemoveAll(std::uint32_t slot);
  void clear();

  // The slot of greatest priority at `now`, or kNone; and that priority, if there is one.
  std::uint32_t Top(base::MonoTime now) const;
  Int128 TopPriority(base::MonoTime now) const;

 private:
  struct Entry {
    Int128 intercept;
    std::uint64_t order;
    std::uint32_t line;

    bool Precedes(const Entry& other) const {
      return intercept != other.intercept ? intercept > other.intercept : order < other.order;
    }
  };
  struct Slope {
    std::int64_t value = 0;
    std::uint32_t used_index = 0;  // in used_slopes_
    IndexedHeap<Entry> heap;
  };
  struct Record {
    std::uint32_t slot = kNone;
    std::uint32_t slope = kNone;  // index into slopes_
    std::uint32_t next = kNone;   // of the same task; or of the free list
    bool inherited = false;
  };

  void AddLine(std::uint32_t slot, std::uint64_t order, const Line& line, bool inherited);
  Line LineOf(std::uint32_t record) const;
  const Entry* Head(base::MonoTime now) const;
  const Entry* HeadByScan(base::MonoTime now) const;
  template <typename Predicate>
  void RemoveWhere(std::uint32_t slot, const Predicate& matches);
  std::uint32_t SlopeIndex(std::int64_t value);
  std::uint32_t NewRecord();
  void RemoveFromHeap(std::uint32_t record);
  void Retire(std::uint32_t slope);
  void HeadChanged(std::uint32_t slope);
  void StartTournament();

  std::vector<Slope> slopes_;
  std::vector<std::uint32_t> free_slopes_;
  std::vector<std::uint32_t> used_slopes_;
  absl::flat_hash_map<std::int64_t, std::uint32_t> slope_index_;
  std::vector<Record> records_;
  // By record: where it is in its heap. Apart, because every step of a sift writes one.
  std::vector<std::uint32_t> positions_;
  std::uint32_t free_record_ = kNone;
  std::vector<std::uint32_t> first_record_;  // by slot
  std::size_t lines_in_use_ = 0;
  bool has_tournament_ = false;
  // Between slopes, by their index; a cache of what the heaps say.
  mutable KineticTournament tournament_;
};

}  // namespace muster::schedule
