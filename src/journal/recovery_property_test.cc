// Random histories with crashes: whatever was acknowledged as durable is there after a restart, no
// batch is there by half, and what is lost is a suffix.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <map>
#include <memory>

#include "journal/faulty_storage.h"
#include "journal/journal.h"
#include "journal/memory_storage.h"
#include "journal/testing/differences.h"
#include "journal/testing/random_history.h"

namespace muster::journal::testing {
namespace {

constexpr Journal::Options kSmall = {.events_per_agent_max = 9, .tombstones_max = 5};

std::string Recovered(const absl::StatusOr<std::string>& differences) {
  return differences.ok() ? *differences : differences.status().ToString();
}

TEST(RecoveryProperty, EqualsTheModelAfterEveryRestart) {
  EXPECT_TRUE(rc::check([] {
    RandomHistory history(*rc::gen::arbitrary<std::uint64_t>(), kSmall);
    MemoryStorage storage;
    for (int restart = 0; restart < 3; ++restart) {
      Journal journal(&storage, kSmall);
      RC_ASSERT(Recovered(RecoverAndCompare(&journal, history.model(), history.lives())) == "");
      const int steps = *rc::gen::inRange(0, 25);
      for (int i = 0; i < steps; ++i) RC_ASSERT(history.Step(&journal).ok());
    }
  }));
}

// Crashes a history at random writes and restarts it with a random part of what was not synced.
class CrashingNode {
 public:
  explicit CrashingNode(std::uint64_t seed) : history_(seed, kSmall) {
    pasts_.emplace(0, history_.past());
  }

  // "" or how the recovered node differs from the one that the surviving writes make.
  std::string RunUntilCrash() {
    storage_.CrashAfter(history_.records().Below(20));
    Journal journal(&storage_, kSmall);
    const auto differences = RecoverAndCompare(&journal, history_.model(), history_.lives());
    if (absl::IsUnavailable(differences.status())) return Restart();
    if (!differences.ok()) return differences.status().ToString();
    if (!differences->empty()) return *differences;
    while (history_.Step(&journal).ok()) {
      pasts_.insert_or_assign(storage_.writes(), history_.past());
    }
    pasts_.insert_or_assign(storage_.writes() + 1, history_.attempted());
    return Restart();
  }

 private:
  std::string Restart() {
    const std::uint64_t durable = storage_.writes() + 1 - storage_.unsynced();
    storage_.Restart(history_.records().Below(storage_.unsynced() + 1));
    if (storage_.writes() < durable) return "a durable write is lost";
    const auto after = pasts_.upper_bound(storage_.writes());
    history_.Resume(std::prev(after)->second);
    pasts_.erase(after, pasts_.end());
    return "";
  }

  FaultyStorage storage_;
  RandomHistory history_;
  std::map<std::uint64_t, RandomHistory::Past> pasts_;  // by the writes that lead to them
};

TEST(RecoveryProperty, KeepsAPrefixWithEverythingDurableAfterCrashes) {
  EXPECT_TRUE(rc::check([] {
    CrashingNode node(*rc::gen::arbitrary<std::uint64_t>());
    for (int crash = 0; crash < 5; ++crash) RC_ASSERT(node.RunUntilCrash() == "");
  }));
}

TEST(RecoveryProperty, GoesOnAfterRefusedWritesAsIfTheyHadNotBeen) {
  EXPECT_TRUE(rc::check([] {
    RandomHistory history(*rc::gen::arbitrary<std::uint64_t>(), kSmall);
    FaultyStorage storage;
    {
      Journal journal(&storage, kSmall);
      RC_ASSERT(Recovered(RecoverAndCompare(&journal, history.model(), history.lives())) == "");
      for (int i = 0; i < 40; ++i) {
        const bool full = history.records().OneIn(3);
        storage.RefuseWrites(full ? absl::ResourceExhaustedError("full") : absl::OkStatus());
        const absl::Status status = history.Step(&journal);
        RC_ASSERT(status.ok() || (full && absl::IsResourceExhausted(status)));
      }
    }
    storage.RefuseWrites(absl::OkStatus());
    Journal journal(&storage, kSmall);
    RC_ASSERT(Recovered(RecoverAndCompare(&journal, history.model(), history.lives())) == "");
  }));
}

}  // namespace
}  // namespace muster::journal::testing
