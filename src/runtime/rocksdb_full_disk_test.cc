// A full disk refuses writes, loses nothing, and is left behind without a restart.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/strings.h"
#include "journal/journal.h"
#include "journal/testing/differences.h"
#include "journal/testing/random_history.h"
#include "rocksdb/env.h"
#include "runtime/rocksdb_storage.h"
#include "runtime/testing/faulty_file_system.h"
#include "runtime/testing/temporary_directory.h"

namespace muster::runtime::testing {
namespace {

using journal::Column;
using journal::Durability;
using journal::Journal;
using journal::WriteBatch;
using journal::testing::RandomHistory;
using journal::testing::RecoverAndCompare;

constexpr std::int64_t kPlenty = std::int64_t{1} << 40;

class FullDisk : public ::testing::Test {
 protected:
  void Open() {
    auto opened = RocksDbStorage::Open({.directory = directory_ / "store", .env = env_.get()});
    ASSERT_TRUE(opened.ok()) << opened.status();
    storage_ = *std::move(opened);
  }
  absl::Status Put(const std::string& key, std::size_t bytes, Durability durability) {
    WriteBatch batch;
    batch.Put(Column::kAgents, key, std::string(bytes, 'x'));
    return storage_->Write(batch, durability);
  }
  bool Has(const std::string& key) { return storage_->Get(Column::kAgents, key).ok(); }

  TemporaryDirectory directory_;
  std::shared_ptr<FaultyFileSystem> system_ = std::make_shared<FaultyFileSystem>();
  std::unique_ptr<rocksdb::Env> env_ = rocksdb::NewCompositeEnv(system_);
  std::unique_ptr<RocksDbStorage> storage_;
};

TEST_F(FullDisk, RefusesWritesReadsOnAndRecoversByItself) {
  for (const Durability durability : {Durability::kSync, Durability::kBuffered}) {
    Open();
    ASSERT_TRUE(Put("before", 1000, durability).ok());
    system_->LeaveSpace(500);
    const absl::Status refused = Put("during", 1000, durability);
    EXPECT_TRUE(absl::IsResourceExhausted(refused)) << refused;
    EXPECT_NE(base::Message(refused).find(directory_ / "store"), std::string_view::npos) << refused;
    EXPECT_TRUE(absl::IsResourceExhausted(Put("still", 10, durability)));
    EXPECT_TRUE(Has("before"));
    EXPECT_FALSE(Has("during"));
    system_->LeaveSpace(kPlenty);
    EXPECT_TRUE(Put("after", 1000, durability).ok());
    EXPECT_TRUE(Has("before"));
    EXPECT_TRUE(Has("after"));
    EXPECT_FALSE(Has("during"));
    storage_.reset();
    Open();
    EXPECT_TRUE(Has("before"));
    EXPECT_TRUE(Has("after"));
    EXPECT_FALSE(Has("during"));
    storage_.reset();
  }
}

TEST_F(FullDisk, IsNotTriedAgainForAFewBytes) {
  Open();
  system_->LeaveSpace(0);
  ASSERT_FALSE(Put("a", 1000, Durability::kSync).ok());
  system_->LeaveSpace(4096);
  EXPECT_TRUE(absl::IsResourceExhausted(Put("b", 1, Durability::kSync)));
  system_->LeaveSpace(kPlenty);
}

TEST_F(FullDisk, SyncSaysSoToo) {
  Open();
  system_->LeaveSpace(0);
  ASSERT_FALSE(Put("a", 1000, Durability::kBuffered).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(storage_->Sync()));
  system_->LeaveSpace(kPlenty);
  EXPECT_TRUE(storage_->Sync().ok());
}

TEST_F(FullDisk, AtOpenIsToldAndHarmsNothing) {
  Open();
  ASSERT_TRUE(Put("before", 1000, Durability::kSync).ok());
  storage_.reset();
  system_->LeaveSpace(10);
  const auto refused = RocksDbStorage::Open({.directory = directory_ / "store", .env = env_.get()});
  EXPECT_TRUE(absl::IsResourceExhausted(refused.status())) << refused.status();
  system_->LeaveSpace(kPlenty);
  Open();
  EXPECT_TRUE(Has("before"));
}

TEST_F(FullDisk, WhenItsProcessIsKilledMeanwhileLosesNothing) {
  Open();
  ASSERT_TRUE(Put("before", 1000, Durability::kSync).ok());
  system_->LeaveSpace(500);
  ASSERT_FALSE(Put("during", 1000, Durability::kSync).ok());
  std::filesystem::copy(directory_ / "store", directory_ / "copy");
  system_->LeaveSpace(kPlenty);
  const auto left = RocksDbStorage::Open({.directory = directory_ / "copy"});
  ASSERT_TRUE(left.ok()) << left.status();
  EXPECT_TRUE((*left)->Get(Column::kAgents, "before").ok());
  EXPECT_FALSE((*left)->Get(Column::kAgents, "during").ok());
}

class FullDiskHistory : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, FullDiskHistory, ::testing::Range<std::uint64_t>(1, 4));

TEST_P(FullDiskHistory, GoesOnAsIfTheRefusedWritesHadNotBeen) {
  TemporaryDirectory directory;
  const auto system = std::make_shared<FaultyFileSystem>();
  const auto env = rocksdb::NewCompositeEnv(system);
  RandomHistory history(GetParam(), {});
  for (int restart = 0; restart < 2; ++restart) {
    const auto storage = RocksDbStorage::Open({.directory = directory / "store", .env = env.get()});
    ASSERT_TRUE(storage.ok());
    Journal journal(storage->get(), {});
    const auto differences = RecoverAndCompare(&journal, history.model(), history.lives());
    ASSERT_TRUE(differences.ok());
    ASSERT_EQ(*differences, "");
    for (int i = 0; i < 30; ++i) {
      const bool scarce = history.records().OneIn(3);
      system->LeaveSpace(scarce ? static_cast<std::int64_t>(history.records().Below(2000))
                                : kPlenty);
      const absl::Status status = history.Step(&journal);
      ASSERT_TRUE(status.ok() || (scarce && absl::IsResourceExhausted(status)));
    }
    system->LeaveSpace(kPlenty);
  }
}

}  // namespace
}  // namespace muster::runtime::testing
