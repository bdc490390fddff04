// One thread commits while others read: what ThreadSanitizer watches, and what readers may see.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "base/strings.h"
#include "directory/testing/sample.h"

namespace muster::directory {
namespace {

using testing::AtSecond;
using testing::SampleDirectory;
using testing::ServedSecond;
using testing::WallSecond;

constexpr int kAgents = 200;
constexpr int kRounds = 300;

class Committing : public ::testing::Test {
 protected:
  Committing() {
    sample_.Declare("served", model::StateType::kNumber, model::StateKind::kCounter);
    for (int i = 0; i < kAgents; ++i) {
      sample_.Put({.id = base::StrCat("agent-", i), .skills = {i % 2 == 0 ? "even" : "odd"}});
    }
    ready_ = sample_.Packed(std::string("ready"));
    busy_ = sample_.Packed(std::string("busy"));
  }

  // Round r installs the value r with the generation time r everywhere.
  void Commit() {
    const StateIndex load = sample_.State("load");
    const StateIndex availability = sample_.State("availability");
    const StateIndex served = sample_.State("served");
    for (int round = 1; round <= kRounds; ++round) {
      for (AgentSlot slot = 0; slot < kAgents; ++slot) {
        const base::WallTime at = WallSecond(round);
        sample_.directory.Install(slot, load, Pack(static_cast<double>(round)), at);
        sample_.directory.Install(slot, availability, round % 2 == 0 ? ready_ : busy_, at);
        sample_.directory.AddCounter(slot, served, 1, at);
        sample_.directory.MarkHeard(slot, at, ServedSecond(round));
        sample_.directory.sequences(slot)->Mark(static_cast<std::uint64_t>(round));
      }
    }
    is_done_.store(true);
  }

  // A value is never older than the time beside it, and times never go back.
  void ReadOne(AgentSlot slot, std::vector<base::WallTime>* newest) const {
    std::vector<StateReading> states;
    sample_.directory.ReadStates(slot, &states);
    for (const StateReading& reading : states) {
      EXPECT_GE(reading.generated_at, (*newest)[reading.state]);
      (*newest)[reading.state] = reading.generated_at;
      if (reading.value.type != model::StateType::kNumber) continue;
      EXPECT_GE(reading.value.number, base::ToSeconds(reading.generated_at.time_since_epoch()));
    }
  }

  void Read(AgentSlot watched) {
    std::vector<base::WallTime> newest(sample_.directory.catalog().size());
    model::Query query;
    query.filter = "skill:even AND (load >= 1 OR served > 0) AND availability:* AND lapsed = false";
    query.order_by = "load desc, availability";
    query.limit = 20;
    const Plan plan = *sample_.directory.Compile(query);
    do {
      ReadOne(watched, &newest);
      QueryResult result;
      sample_.directory.Execute(plan, AtSecond(kRounds), &result);
      EXPECT_LE(result.rows.size(), 20U);
      sample_.directory.MarkHeard(watched, WallSecond(1), ServedSecond(1));
    } while (!is_done_.load());
  }

  SampleDirectory sample_;
  PackedValue ready_, busy_;
  std::atomic<bool> is_done_{false};
};

TEST_F(Committing, StandsBesideReaders) {
  std::vector<std::thread> readers;
  for (AgentSlot slot = 0; slot < 3; ++slot) {
    readers.emplace_back([this, slot] { Read(slot * 60); });
  }
  Commit();
  for (std::thread& reader : readers) reader.join();
  const StateIndex served = sample_.State("served");
  EXPECT_EQ(sample_.directory.GeneratedAt(0, served), WallSecond(kRounds));
  EXPECT_EQ(sample_.Ids("served = 300").size(), std::size_t{kAgents});
}

}  // namespace
}  // namespace muster::directory
