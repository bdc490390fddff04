#include "schedule/accumulating_priority_queue.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "schedule/testing/tasks.h"

namespace muster::schedule {
namespace {

using testing::At;

Line LineFrom(double slope, base::MonoTime zero_at) {
  Line line;
  line.AddSlope(SlopeOf(slope), zero_at);
  return line;
}

TEST(AccumulatingPriorityQueue, TheSteeperLineOvertakesWhereTheyCross) {
  AccumulatingPriorityQueue queue;
  queue.Add(0, 0, LineFrom(1, At(0)));
  queue.Add(1, 1, LineFrom(3, At(200)));  // t = 3 (t - 200) at 300; the older wins a tie
  EXPECT_EQ(queue.Top(At(250)), 0u);
  EXPECT_EQ(queue.Top(At(300)), 0u);
  EXPECT_EQ(queue.Top(At(300) + base::Duration(1)), 1u);
}

TEST(AccumulatingPriorityQueue, ATaskCountsByTheGreatestOfItsLines) {
  AccumulatingPriorityQueue queue;
  queue.Add(0, 0, LineFrom(1, At(0)));
  queue.Add(1, 1, LineFrom(1, At(100)));
  queue.Inherit(1, 1, LineFrom(1, At(-100)), At(200));
  EXPECT_EQ(queue.Top(At(200)), 1u);
  queue.RemoveOwn(1);
  EXPECT_EQ(queue.Top(At(200)), 1u);
  queue.RemoveAll(1);
  EXPECT_EQ(queue.Top(At(200)), 0u);
}

// Every top is the brute-force argmax: lines come, go and are inherited, slopes few or all
// different.
void PlayAgainstBruteForce(std::uint64_t seed, int slopes, int steps) {
  struct Held {
    Line line;
    bool inherited;
  };
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  AccumulatingPriorityQueue queue;
  std::map<std::uint32_t, std::vector<Held>> tasks;
  std::vector<std::uint64_t> orders(64, 0);
  std::uint64_t next_order = 0;
  base::MonoTime now = At(1'000'000);
  for (int step = 0; step < steps; ++step) {
    now += base::Duration(below(4) == 0 ? below(2'000'000) : below(50));
    const auto slot = static_cast<std::uint32_t>(below(64));
    const Line line{static_cast<Int128>(below(1000)) * Line::kOne / 10 -
                        static_cast<Int128>(below(5)) * Line::kOne * 100,
                    static_cast<std::int64_t>(1 + below(slopes)) * Line::kSlopeUnit / 7};
    std::vector<Held>& lines = tasks[slot];
    switch (below(6)) {
      case 0:
      case 1:
        if (lines.empty()) orders[slot] = next_order++;
        if (lines.size() < 4) {
          lines.push_back({line, false});
          queue.Add(slot, orders[slot], line);
        }
        break;
      case 2:
        if (lines.empty()) break;
        lines.push_back({line, true});
        queue.Inherit(slot, orders[slot], line, now);
        break;
      case 3:
        if (lines.empty()) break;
        queue.RemoveOwn(slot);
        std::erase_if(lines, [](const Held& held) { return !held.inherited; });
        break;
      default:
        if (lines.empty() || below(3) != 0) break;
        queue.RemoveAll(slot);
        lines.clear();
    }
    std::uint32_t best = AccumulatingPriorityQueue::kNone;
    Int128 best_priority = 0;
    for (const auto& [candidate, held] : tasks) {
      for (const Held& h : held) {
        const Int128 priority = h.line.At(now);
        if (best == AccumulatingPriorityQueue::kNone || priority > best_priority ||
            (priority == best_priority && orders[candidate] < orders[best])) {
          best = candidate;
          best_priority = priority;
        }
      }
    }
    ASSERT_EQ(queue.Top(now), best) << "seed " << seed << ", step " << step;
    ASSERT_EQ(queue.empty(), best == AccumulatingPriorityQueue::kNone);
    if (best != AccumulatingPriorityQueue::kNone) {
      ASSERT_TRUE(queue.TopPriority(now) == best_priority) << "seed " << seed << ", step " << step;
    }
  }
}

TEST(AccumulatingPriorityQueue, TheTopIsTheArgmaxOfFewSlopes) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) PlayAgainstBruteForce(seed, 5, 4000);
}

TEST(AccumulatingPriorityQueue, TheTopIsTheArgmaxOfManySlopes) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) PlayAgainstBruteForce(seed, 1'000'000, 4000);
}

TEST(AccumulatingPriorityQueue, TheTopIsTheArgmaxWhileTheNumberOfSlopesComesAndGoes) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) PlayAgainstBruteForce(seed, 24, 4000);
}

}  // namespace
}  // namespace muster::schedule
