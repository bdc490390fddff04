// Event histories through the journal: order, paging, cutting, and the end of a life.
#include "journal/event_history.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "journal/event_codec.h"
#include "journal/faulty_storage.h"
#include "journal/journal.h"
#include "journal/keys.h"
#include "journal/testing/differences.h"

namespace muster::journal::testing {
namespace {

class EventHistory : public ::testing::Test {
 protected:
  void Open() {
    journal_ = std::make_unique<Journal>(&storage_, options_);
    RecordingSink sink;
    const auto summary = journal_->Recover(&sink);
    ASSERT_TRUE(summary.ok()) << summary.status();
  }
  void Register(model::Incarnation life) {
    model::Agent agent;
    agent.incarnation = agent.revision = life;
    const RegistrationRecord record = {&agent, nullptr};
    ASSERT_TRUE(journal_->CommitRegistrations({}, {&record, 1}, {}).ok());
  }
  absl::Status Report(model::Incarnation life, const std::vector<std::string>& events) {
    model::ReportRecord report;
    report.incarnation = life;
    report.revision = ++revision_;
    for (const std::string& json : events) report.events.push_back({3, {}, {}, revision_, json});
    return journal_->CommitReports({&report, 1}, {}, Durability::kBuffered);
  }
  std::string Events(model::Incarnation life, std::uint32_t page_size = 2) {
    std::string joined, cursor;
    do {
      const auto page = journal_->ReadEvents(life, cursor, page_size);
      if (!page.ok()) return page.status().ToString();
      for (const auto& event : page->events) joined += event.json + " ";
      cursor = page->next_cursor;
    } while (!cursor.empty());
    return joined;
  }

  FaultyStorage storage_;
  Journal::Options options_ = {.events_per_agent_max = 16};
  std::unique_ptr<Journal> journal_;
  model::Revision revision_ = 100;
};

TEST_F(EventHistory, IsReadInOrderPageByPage) {
  Open();
  ASSERT_TRUE(Report(1, {"a", "b"}).ok());
  ASSERT_TRUE(Report(1, {"c"}).ok());
  for (std::uint32_t page_size = 1; page_size < 5; ++page_size) {
    EXPECT_EQ(Events(1, page_size), "a b c ");
  }
  EXPECT_EQ(Events(2), "");
}

TEST_F(EventHistory, GoesOnAfterARestart) {
  for (int i = 0; i < 5; ++i) {
    Open();
    Register(1);
    ASSERT_TRUE(Report(1, {std::to_string(i) + "x", std::to_string(i) + "y"}).ok());
  }
  EXPECT_EQ(Events(1), "0x 0y 1x 1y 2x 2y 3x 3y 4x 4y ");
}

TEST_F(EventHistory, LosesItsOldestEighthWhenItPassesItsBound) {
  Open();
  Register(1);
  for (int i = 0; i < 16; ++i) ASSERT_TRUE(Report(1, {std::to_string(i)}).ok());
  EXPECT_EQ(Events(1), "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 ");
  ASSERT_TRUE(Report(1, {"16"}).ok());
  EXPECT_EQ(Events(1), "3 4 5 6 7 8 9 10 11 12 13 14 15 16 ");
  Open();
  ASSERT_TRUE(Report(1, {"17", "18", "19"}).ok());
  EXPECT_EQ(Events(1), "6 7 8 9 10 11 12 13 14 15 16 17 18 19 ");
}

TEST_F(EventHistory, HoldsNoMoreThanItsBoundAfterOneLargeReport) {
  Open();
  std::vector<std::string> events;
  for (int i = 0; i < 40; ++i) events.push_back(std::to_string(i));
  ASSERT_TRUE(Report(1, events).ok());
  EXPECT_EQ(Events(1), "26 27 28 29 30 31 32 33 34 35 36 37 38 39 ");
}

TEST_F(EventHistory, ContinuesWithoutAGapAfterARefusedWrite) {
  Open();
  ASSERT_TRUE(Report(1, {"a"}).ok());
  storage_.RefuseWrites(absl::ResourceExhaustedError("full"));
  EXPECT_TRUE(absl::IsResourceExhausted(Report(1, {"b"})));
  storage_.RefuseWrites(absl::OkStatus());
  ASSERT_TRUE(Report(1, {"c"}).ok());
  EXPECT_EQ(Events(1), "a c ");
  EXPECT_TRUE(storage_.Get(Column::kEvents, Key::OfEvent(1, 1).bytes()).ok());
}

TEST_F(EventHistory, GoesWithItsAgent) {
  Open();
  Register(1);
  ASSERT_TRUE(Report(1, {"a"}).ok());
  const model::Tombstone tombstone = {"x", 1, 2, {}};
  const RegistrationRecord removal = {nullptr, &tombstone};
  ASSERT_TRUE(journal_->CommitRegistrations({}, {&removal, 1}, {}).ok());
  EXPECT_EQ(Events(1), "");
}

TEST_F(EventHistory, OfALifeThatIsOverIsDroppedAtTheNextStart) {
  Open();
  Register(1);
  ASSERT_TRUE(Report(1, {"kept"}).ok());
  ASSERT_TRUE(Report(7, {"orphan"}).ok());
  Open();
  EXPECT_EQ(Events(1), "kept ");
  EXPECT_EQ(Events(7), "");
}

TEST_F(EventHistory, OfAYoungerLifeInTheSameSlotIsItsOwn) {
  Open();
  ASSERT_TRUE(Report(1, {"old"}).ok());
  ASSERT_TRUE(Report(5, {"new"}).ok());
  ASSERT_TRUE(Report(1, {"late"}).ok());
  EXPECT_EQ(Events(1), "old ");
  EXPECT_EQ(Events(5), "new ");
}

TEST_F(EventHistory, CursorSurvivesACutAndARestart) {
  Open();
  Register(1);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(Report(1, {std::to_string(i)}).ok());
  const auto page = journal_->ReadEvents(1, "", 1);
  ASSERT_TRUE(page.ok());
  Open();
  for (int i = 4; i < 17; ++i) ASSERT_TRUE(Report(1, {std::to_string(i)}).ok());
  const auto next = journal_->ReadEvents(1, page->next_cursor, 1);
  ASSERT_TRUE(next.ok());
  EXPECT_EQ(next->events[0].json, "3");
}

TEST_F(EventHistory, RefusesABadCursor) {
  Open();
  ASSERT_TRUE(Report(1, {"a", "b"}).ok());
  const std::string cursor = journal_->ReadEvents(1, "", 1)->next_cursor;
  for (const std::string& bad :
       {std::string("x"), cursor + "0", cursor.substr(1), std::string(32, 'g'),
        std::string(32, 'A'), std::string(32, '\0'), EncodeCursor(2, 1)}) {
    EXPECT_TRUE(absl::IsInvalidArgument(journal_->ReadEvents(1, bad, 1).status())) << bad;
  }
  EXPECT_TRUE(absl::IsInvalidArgument(journal_->ReadEvents(1, "", 0).status()));
}

}  // namespace
}  // namespace muster::journal::testing
