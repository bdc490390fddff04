// The store keeps the fault contract of journal/storage.h on real files.
#include "runtime/rocksdb_storage.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/strings.h"
#include "journal/journal.h"
#include "journal/memory_storage.h"
#include "journal/testing/differences.h"
#include "journal/testing/random_history.h"
#include "rocksdb/env.h"
#include "runtime/testing/faulty_file_system.h"
#include "runtime/testing/temporary_directory.h"

namespace muster::runtime::testing {
namespace {

namespace fs = std::filesystem;
using journal::Column;
using journal::Durability;
using journal::Journal;
using journal::WriteBatch;
using journal::testing::RandomHistory;
using journal::testing::RecoverAndCompare;

constexpr Journal::Options kSmall = {.events_per_agent_max = 9, .tombstones_max = 5};

std::unique_ptr<RocksDbStorage> OpenOrDie(const std::string& directory,
                                          rocksdb::Env* env = nullptr) {
  auto storage = RocksDbStorage::Open({.directory = directory, .env = env});
  MUSTER_CHECK(storage.ok(), storage.status().ToString().c_str());
  return *std::move(storage);
}

// Random histories, each drawn from one seed: a store costs too much to open for many of them.
class RandomLife : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomLife, ::testing::Range<std::uint64_t>(1, 5));

std::string Recovered(Journal* journal, const RandomHistory& history) {
  const auto differences = RecoverAndCompare(journal, history.model(), history.lives());
  return differences.ok() ? *differences : differences.status().ToString();
}

TEST(RocksDbStorage, ReadsWhatWasWritten) {
  TemporaryDirectory directory;
  const auto storage = OpenOrDie(directory.path());
  WriteBatch batch;
  for (const char* key : {"b", "a", "d", "c"}) batch.Put(Column::kAgents, key, key);
  batch.Put(Column::kEvents, "b", "another column");
  batch.Delete(Column::kAgents, "d");
  batch.DeleteRange(Column::kAgents, "b", "c");
  ASSERT_TRUE(storage->Write(batch, Durability::kBuffered).ok());
  ASSERT_TRUE(storage->Sync().ok());
  EXPECT_EQ(*storage->Get(Column::kEvents, "b"), "another column");
  EXPECT_TRUE(absl::IsNotFound(storage->Get(Column::kAgents, "b").status()));
  const auto scan = [&storage](std::string_view begin, std::string_view end, std::size_t most) {
    std::string keys;
    EXPECT_TRUE(storage
                    ->Scan(Column::kAgents, begin, end,
                           [&](std::string_view key, std::string_view value) {
                             EXPECT_EQ(key, value);
                             keys += key;
                             return keys.size() < most;
                           })
                    .ok());
    return keys;
  };
  EXPECT_EQ(scan("", "", 9), "ac");
  EXPECT_EQ(scan("", "", 1), "a");
  EXPECT_EQ(scan("a", "c", 9), "a");
  EXPECT_EQ(scan("b", "", 9), "c");
}

TEST(RocksDbStorage, KeysAndValuesAreAnyBytes) {
  TemporaryDirectory directory;
  const std::string bytes("\0\xff\0", 3);
  {
    const auto storage = OpenOrDie(directory.path());
    WriteBatch batch;
    batch.Put(Column::kMeta, bytes, bytes);
    batch.Put(Column::kMeta, "empty", "");
    ASSERT_TRUE(storage->Write(batch, Durability::kSync).ok());
  }
  const auto storage = OpenOrDie(directory.path());
  EXPECT_EQ(*storage->Get(Column::kMeta, bytes), bytes);
  EXPECT_EQ(*storage->Get(Column::kMeta, "empty"), "");
}

TEST_P(RandomLife, RecoversTheModelAfterEveryRestart) {
  RandomHistory history(GetParam(), kSmall);
  TemporaryDirectory directory;
  for (int restart = 0; restart < 3; ++restart) {
    const auto storage = OpenOrDie(directory.path());
    Journal journal(storage.get(), kSmall);
    ASSERT_EQ(Recovered(&journal, history), "");
    for (int i = 0; i < 25; ++i) ASSERT_TRUE(history.Step(&journal).ok());
  }
}

// What a SIGKILL leaves: the files as they are.
TEST_P(RandomLife, LosesNothingWhenItsProcessIsKilled) {
  RandomHistory history(GetParam(), kSmall);
  TemporaryDirectory directory;
  const auto storage = OpenOrDie(directory / "store");
  Journal journal(storage.get(), kSmall);
  ASSERT_EQ(Recovered(&journal, history), "");
  for (int kill = 0; kill < 3; ++kill) {
    for (int i = 0; i < 12; ++i) ASSERT_TRUE(history.Step(&journal).ok());
    fs::remove_all(directory / "copy");
    fs::copy(directory / "store", directory / "copy");
    const auto left = OpenOrDie(directory / "copy");
    Journal recovered(left.get(), kSmall);
    ASSERT_EQ(Recovered(&recovered, history), "");
  }
}

// Tells whether a write was asked to be durable.
class WatchedStorage final : public journal::Storage {
 public:
  explicit WatchedStorage(journal::Storage* storage) : storage_(storage) {}

  absl::Status Write(const WriteBatch& batch, Durability durability) override {
    if (durability == Durability::kSync) ++syncs_;
    return storage_->Write(batch, durability);
  }
  absl::Status Sync() override {
    ++syncs_;
    return storage_->Sync();
  }
  absl::StatusOr<std::string> Get(Column column, std::string_view key) const override {
    return storage_->Get(column, key);
  }
  absl::Status Scan(
      Column column, std::string_view begin, std::string_view end,
      const std::function<bool(std::string_view, std::string_view)>& visit) const override {
    return storage_->Scan(column, begin, end, visit);
  }
  int syncs() const { return syncs_; }

 private:
  journal::Storage* storage_;
  int syncs_ = 0;
};

// What a power failure leaves: at least what was synced, and a beginning of the rest.
TEST_P(RandomLife, KeepsAPrefixWithEverythingSyncedAfterAPowerFailure) {
  RandomHistory history(GetParam(), kSmall);
  TemporaryDirectory directory;
  const auto system = std::make_shared<FaultyFileSystem>();
  const auto env = rocksdb::NewCompositeEnv(system);
  const auto storage = OpenOrDie(directory / "store", env.get());
  WatchedStorage watched(storage.get());
  Journal journal(&watched, kSmall);
  ASSERT_EQ(Recovered(&journal, history), "");
  std::vector<RandomHistory::Past> since_sync = {history.past()};
  const auto steps = 1 + history.records().Below(40);
  for (std::uint64_t i = 0; i < steps; ++i) {
    const int syncs = watched.syncs();
    ASSERT_TRUE(history.Step(&journal).ok());
    if (watched.syncs() > syncs) since_sync.clear();
    since_sync.push_back(history.past());
  }
  const double kept = static_cast<double>(history.records().Below(11)) / 10;
  system->CopyAfterPowerFailure(directory / "store", directory / "copy", kept);
  std::string differences;
  for (const RandomHistory::Past& past : since_sync) {
    history.Resume(past);
    const auto left = OpenOrDie(directory / "copy");
    Journal recovered(left.get(), kSmall);
    differences = Recovered(&recovered, history);
    if (differences.empty()) return;
  }
  FAIL() << differences;
}

constexpr int kCommits = 200;

void CommitFromTwoLanesAndRead(journal::Storage* storage) {
  Journal journal(storage, kSmall);
  journal::testing::RecordingSink sink;
  ASSERT_TRUE(journal.Recover(&sink).ok());
  std::thread registrations([&journal] {
    for (model::Revision revision = 1; revision <= kCommits; ++revision) {
      model::Agent agent;
      agent.incarnation = agent.revision = revision;
      const model::Tombstone gone = {"gone", revision + kCommits, revision, {}};
      const std::vector<journal::RegistrationRecord> records = {{&agent, nullptr},
                                                                {nullptr, &gone}};
      EXPECT_TRUE(journal.CommitRegistrations({}, records, {}).ok());
    }
  });
  std::thread reader([&journal] {
    for (int i = 0; i < kCommits; ++i) EXPECT_TRUE(journal.ReadEvents(1, "", 5).ok());
  });
  for (model::Revision revision = 1; revision <= kCommits; ++revision) {
    model::ReportRecord report;
    report.incarnation = 1;
    report.revision = revision;
    report.events.push_back({0, {}, {}, revision, "{}"});
    EXPECT_TRUE(journal.CommitReports({&report, 1}, {}, Durability::kBuffered).ok());
    EXPECT_TRUE(journal.WriteCheckpoint(1, {}, revision).ok());
  }
  registrations.join();
  reader.join();
}

void ExpectBothLanes(journal::Storage* storage) {
  Journal journal(storage, kSmall);
  journal::testing::RecordingSink sink;
  ASSERT_TRUE(journal.Recover(&sink).ok());
  EXPECT_EQ(sink.agents.size(), kCommits);
  EXPECT_EQ(sink.reports.size(), kCommits);
}

TEST(TwoLanes, MayCommitAtOnceInMemory) {
  journal::MemoryStorage storage;
  CommitFromTwoLanesAndRead(&storage);
  ExpectBothLanes(&storage);
}

TEST(TwoLanes, MayCommitAtOnceOnFiles) {
  TemporaryDirectory directory;
  CommitFromTwoLanesAndRead(OpenOrDie(directory.path()).get());
  ExpectBothLanes(OpenOrDie(directory.path()).get());
}

}  // namespace
}  // namespace muster::runtime::testing
