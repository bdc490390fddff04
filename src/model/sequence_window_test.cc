#include <rapidcheck.h>

#include <limits>
#include <set>
#include <vector>

#include "gtest/gtest.h"
#include "model/report.h"

namespace muster::model {
namespace {

TEST(SequenceWindow, HasSeenNothingAtFirst) {
  const SequenceWindow window;
  EXPECT_FALSE(window.Seen(0));
  EXPECT_FALSE(window.Seen(std::numeric_limits<std::uint64_t>::max()));
}

TEST(SequenceWindow, RemembersZero) {
  SequenceWindow window;
  window.Mark(0);
  EXPECT_TRUE(window.Seen(0));
  EXPECT_FALSE(window.Seen(1));
}

TEST(SequenceWindow, CountsWhatIsOlderThanTheWindowAsSeen) {
  SequenceWindow window;
  window.Mark(100);
  EXPECT_FALSE(window.Seen(37));
  EXPECT_TRUE(window.Seen(36));
  window.Mark(36);
  EXPECT_FALSE(window.Seen(37));
  window.Mark(164);
  EXPECT_TRUE(window.Seen(100));
  EXPECT_FALSE(window.Seen(101));
}

// The model: all sequences ever marked, and the newest.
TEST(SequenceWindow, AgreesWithASet) {
  EXPECT_TRUE(rc::check([] {
    const std::uint64_t base = *rc::gen::element<std::uint64_t>(
        0, 1, 1'000'000, std::numeric_limits<std::uint64_t>::max() - 400);
    const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 400));
    SequenceWindow window;
    std::set<std::uint64_t> marked;
    for (const int step : steps) {
      const std::uint64_t sequence = base + static_cast<std::uint64_t>(step);
      const bool is_old =
          !marked.empty() && sequence < *marked.rbegin() && *marked.rbegin() - sequence >= 64;
      RC_ASSERT(window.Seen(sequence) == (is_old || marked.count(sequence) == 1));
      window.Mark(sequence);
      marked.insert(sequence);
      window = SequenceWindow::Restore(window.newest(), window.bits());
      RC_ASSERT(window.Seen(sequence));
      RC_ASSERT(window.newest() == *marked.rbegin());
    }
  }));
}

}  // namespace
}  // namespace muster::model
