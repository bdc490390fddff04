#include "journal/journal.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "journal/faulty_storage.h"
#include "journal/keys.h"
#include "journal/memory_storage.h"
#include "journal/testing/differences.h"

namespace muster::journal::testing {
namespace {

using ::testing::Test;

constexpr base::WallTime At(std::int64_t nanos) { return base::WallFromUnixNanos(nanos); }

model::Agent AgentOf(std::string id, model::AgentSlot slot, model::Incarnation life,
                     model::Revision revision) {
  model::Agent agent;
  agent.registration.id = std::move(id);
  agent.slot = slot;
  agent.incarnation = life;
  agent.revision = revision;
  return agent;
}

model::ReportRecord NumberReport(model::AgentSlot slot, model::Incarnation life,
                                 model::Revision revision, double number) {
  model::ReportRecord report;
  report.slot = slot;
  report.incarnation = life;
  report.revision = revision;
  report.states.push_back({0, At(5), {}});
  report.states.back().value.number = number;
  return report;
}

class JournalTest : public Test {
 protected:
  void Open() {
    journal_ = std::make_unique<Journal>(&storage_, options_);
    sink_ = RecordingSink();
    const auto summary = journal_->Recover(&sink_);
    ASSERT_TRUE(summary.ok()) << summary.status();
    summary_ = *summary;
  }
  absl::Status Register(const model::Agent& agent) {
    const RegistrationRecord record = {&agent, nullptr};
    return journal_->CommitRegistrations({}, {&record, 1}, At(10));
  }
  absl::Status Remove(const model::Tombstone& tombstone) {
    const RegistrationRecord record = {nullptr, &tombstone};
    return journal_->CommitRegistrations({}, {&record, 1}, At(20));
  }
  absl::Status Report(const model::ReportRecord& report, Durability durability) {
    return journal_->CommitReports({&report, 1}, At(30), durability);
  }
  void Crash() {
    storage_.Restart(0);
    Open();
  }

  FaultyStorage storage_;
  Journal::Options options_;
  std::unique_ptr<Journal> journal_;
  RecordingSink sink_;
  RecoverySummary summary_;
};

TEST_F(JournalTest, AnEmptyStoreIsTold) {
  Open();
  EXPECT_TRUE(summary_.was_empty);
  EXPECT_EQ(summary_.revision, 0u);
  EXPECT_EQ(summary_.last_written_at, base::WallTime{});
  Open();
  EXPECT_FALSE(summary_.was_empty);
}

TEST_F(JournalTest, ARegistrationIsDurableOnceItReturns) {
  Open();
  ASSERT_TRUE(Register(AgentOf("a", 3, 7, 7)).ok());
  Crash();
  ASSERT_EQ(sink_.agents.size(), 1u);
  EXPECT_EQ(summary_.revision, 7u);
  EXPECT_EQ(summary_.last_written_at, At(10));
}

TEST_F(JournalTest, AReplacingRegistrationReplacesTheRecord) {
  Open();
  ASSERT_TRUE(Register(AgentOf("a", 3, 7, 7)).ok());
  const model::Agent replaced = AgentOf("a", 3, 7, 9);
  ASSERT_TRUE(Register(replaced).ok());
  Open();
  EXPECT_EQ(sink_.agents, std::vector<std::string>{Describe(replaced)});
}

TEST_F(JournalTest, ABufferedReportIsThereAfterARestartAndMayGoInACrash) {
  Open();
  ASSERT_TRUE(Report(NumberReport(0, 1, 2, 0.5), Durability::kBuffered).ok());
  Open();
  EXPECT_EQ(sink_.reports.size(), 1u);
  Crash();
  EXPECT_EQ(sink_.reports.size(), 0u);
}

TEST_F(JournalTest, ASyncedReportOrASyncSurvivesACrash) {
  Open();
  ASSERT_TRUE(Report(NumberReport(0, 1, 2, 0.5), Durability::kSync).ok());
  Crash();
  EXPECT_EQ(sink_.reports.size(), 1u);
  ASSERT_TRUE(Report(NumberReport(0, 1, 3, 0.5), Durability::kBuffered).ok());
  ASSERT_TRUE(journal_->Sync().ok());
  Crash();
  EXPECT_EQ(sink_.reports.size(), 2u);
  ASSERT_TRUE(Report(NumberReport(0, 1, 4, 0.5), Durability::kBuffered).ok());
  ASSERT_TRUE(journal_->CommitReports({}, At(40), Durability::kSync).ok());
  Crash();
  EXPECT_EQ(sink_.reports.size(), 3u);
}

TEST_F(JournalTest, AReportThatItsPieceCoversIsNotPassed) {
  Open();
  ASSERT_TRUE(Report(NumberReport(0, 1, 10, 0.1), Durability::kBuffered).ok());
  ASSERT_TRUE(Report(NumberReport(kPieceSlots, 2, 11, 0.2), Durability::kBuffered).ok());
  ASSERT_TRUE(Report(NumberReport(0, 1, 12, 0.3), Durability::kBuffered).ok());
  model::AgentDynamics dynamics;
  dynamics.incarnation = 1;
  ASSERT_TRUE(journal_->WriteCheckpoint(0, {&dynamics, 1}, 11).ok());
  Open();
  EXPECT_EQ(sink_.checkpoint, std::vector<std::string>{Describe(dynamics, 11)});
  EXPECT_EQ(sink_.reports,
            (std::vector<std::string>{Describe(NumberReport(kPieceSlots, 2, 11, 0.2)),
                                      Describe(NumberReport(0, 1, 12, 0.3))}));
  EXPECT_EQ(summary_.reports, 2u);
  EXPECT_EQ(summary_.checkpoint_pieces, 1u);
}

TEST_F(JournalTest, TrimmingDeletesWholeRecordsAndKeepsTheRevision) {
  Open();
  const std::vector<model::ReportRecord> both = {NumberReport(0, 1, 10, 0.1),
                                                 NumberReport(0, 1, 12, 0.2)};
  ASSERT_TRUE(journal_->CommitReports(both, At(30), Durability::kBuffered).ok());
  ASSERT_TRUE(journal_->TrimReports(11).ok());
  Open();
  EXPECT_EQ(sink_.reports.size(), 2u);
  ASSERT_TRUE(journal_->TrimReports(12).ok());
  Open();
  EXPECT_EQ(sink_.reports.size(), 0u);
  EXPECT_EQ(summary_.revision, 12u);
  EXPECT_EQ(summary_.last_written_at, At(30));
}

TEST_F(JournalTest, TrimmingAgainWritesNothing) {
  Open();
  ASSERT_TRUE(Report(NumberReport(0, 1, 10, 0.1), Durability::kBuffered).ok());
  ASSERT_TRUE(journal_->TrimReports(10).ok());
  const std::uint64_t writes = storage_.writes();
  ASSERT_TRUE(journal_->TrimReports(10).ok());
  ASSERT_TRUE(journal_->TrimReports(999).ok());
  EXPECT_EQ(storage_.writes(), writes);
}

TEST_F(JournalTest, OneCommitIsOneWrite) {
  Open();
  const std::uint64_t before = storage_.writes();
  model::StateSpec spec;
  const DeclaredState declared = {4, &spec};
  const model::Agent a = AgentOf("a", 0, 1, 1), b = AgentOf("b", 1, 2, 2);
  const model::Tombstone gone = {"a", 1, 3, At(9)};
  const std::vector<RegistrationRecord> records = {{&a, nullptr}, {&b, nullptr}, {nullptr, &gone}};
  ASSERT_TRUE(journal_->CommitRegistrations({&declared, 1}, records, At(10)).ok());
  EXPECT_EQ(storage_.writes(), before + 1);
  Open();
  EXPECT_EQ(sink_.agents, std::vector<std::string>{Describe(b)});
  EXPECT_EQ(sink_.tombstones, std::vector<std::string>{Describe(gone)});
  EXPECT_EQ(sink_.states.size(), 1u);
}

TEST_F(JournalTest, NothingToCommitWritesNothing) {
  Open();
  const std::uint64_t before = storage_.writes();
  ASSERT_TRUE(journal_->CommitRegistrations({}, {}, At(10)).ok());
  ASSERT_TRUE(journal_->CommitReports({}, At(10), Durability::kBuffered).ok());
  EXPECT_EQ(storage_.writes(), before);
}

TEST_F(JournalTest, TheOldestTombstonesAreForgotten) {
  options_.tombstones_max = 2;
  Open();
  for (model::Revision revision = 1; revision <= 5; ++revision) {
    ASSERT_TRUE(Remove({"x", revision, 10 + revision, At(1)}).ok());
  }
  Open();
  EXPECT_EQ(sink_.tombstones, (std::vector<std::string>{Describe({"x", 4, 14, At(1)}),
                                                        Describe({"x", 5, 15, At(1)})}));
  ASSERT_TRUE(Remove({"x", 6, 16, At(1)}).ok());
  Open();
  EXPECT_EQ(sink_.tombstones.size(), 2u);
}

TEST_F(JournalTest, TheRevisionOutlivesWhatCarriedIt) {
  options_.tombstones_max = 0;
  Open();
  ASSERT_TRUE(Register(AgentOf("a", 0, 1, 1)).ok());
  ASSERT_TRUE(Remove({"a", 1, 50, At(1)}).ok());
  ASSERT_TRUE(Register(AgentOf("b", 0, 3, 3)).ok());
  ASSERT_TRUE(Remove({"b", 3, 4, At(1)}).ok());
  Open();
  EXPECT_EQ(summary_.revision, 50u);
}

TEST_F(JournalTest, TheSinksRefusalStopsRecoveryAndIsReturned) {
  Open();
  ASSERT_TRUE(Register(AgentOf("a", 0, 1, 1)).ok());
  ASSERT_TRUE(Report(NumberReport(0, 1, 2, 0.5), Durability::kBuffered).ok());
  for (int after = 0; after < 2; ++after) {
    Journal journal(&storage_, options_);
    RecordingSink sink;
    sink.refusal = absl::ResourceExhaustedError("too many");
    sink.refuse_after = after;
    EXPECT_EQ(journal.Recover(&sink).status(), sink.refusal);
  }
}

TEST_F(JournalTest, ACommitAfterARefusedOneIsWhole) {
  Open();
  storage_.RefuseWrites(absl::ResourceExhaustedError("full"));
  EXPECT_TRUE(absl::IsResourceExhausted(Register(AgentOf("a", 0, 1, 1))));
  EXPECT_TRUE(absl::IsResourceExhausted(Report(NumberReport(0, 1, 2, 0.5), Durability::kBuffered)));
  storage_.RefuseWrites(absl::OkStatus());
  ASSERT_TRUE(Register(AgentOf("b", 0, 3, 3)).ok());
  ASSERT_TRUE(Report(NumberReport(0, 3, 4, 0.5), Durability::kBuffered).ok());
  Open();
  EXPECT_EQ(sink_.agents.size(), 1u);
  EXPECT_EQ(sink_.reports.size(), 1u);
}

using JournalDeathTest = JournalTest;

TEST_F(JournalDeathTest, RevisionsThatDoNotRiseAreABrokenInvariant) {
  Open();
  ASSERT_TRUE(Report(NumberReport(0, 1, 10, 0.5), Durability::kBuffered).ok());
  EXPECT_DEATH((void)Report(NumberReport(0, 1, 10, 0.5), Durability::kBuffered),
               "revisions rise across commits");
}

TEST_F(JournalDeathTest, ACommitBeforeRecoveryIsABrokenInvariant) {
  journal_ = std::make_unique<Journal>(&storage_, options_);
  EXPECT_DEATH((void)Register(AgentOf("a", 0, 1, 1)), "recovery comes before");
}

}  // namespace
}  // namespace muster::journal::testing
