#include "journal/storage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "journal/faulty_storage.h"
#include "journal/memory_storage.h"

namespace muster::journal {
namespace {

WriteBatch PutOf(std::string_view key, std::string_view value) {
  WriteBatch batch;
  batch.Put(Column::kAgents, key, value);
  return batch;
}

std::string Keys(const Storage& storage, std::string_view begin, std::string_view end) {
  std::string keys;
  const absl::Status status =
      storage.Scan(Column::kAgents, begin, end, [&keys](std::string_view key, std::string_view) {
        keys += key;
        return keys.size() < 3;
      });
  return status.ok() ? keys : status.ToString();
}

TEST(WriteBatch, KeepsItsOrderAndIsEmptyOnceCleared) {
  WriteBatch batch;
  EXPECT_TRUE(batch.empty());
  batch.Put(Column::kMeta, "a", "1");
  batch.Delete(Column::kAgents, "b");
  batch.DeleteRange(Column::kEvents, "c", "d");
  ASSERT_EQ(batch.operations().size(), 3u);
  EXPECT_EQ(batch.operations()[1].kind, WriteBatch::Operation::Kind::kDelete);
  EXPECT_EQ(batch.operations()[2].value, "d");
  batch.Clear();
  EXPECT_TRUE(batch.empty());
  batch.Delete(Column::kMeta, "e");
  ASSERT_EQ(batch.operations().size(), 1u);
  EXPECT_EQ(batch.operations()[0].key, "e");
  EXPECT_EQ(batch.operations()[0].value, "");
}

TEST(WriteBatch, AClearedOneReusesItsBuffers) {
  WriteBatch batch = PutOf("key", std::string(1000, 'x'));
  const char* before = batch.operations()[0].value.data();
  batch.Clear();
  batch.Put(Column::kReports, "other", std::string(900, 'y'));
  EXPECT_EQ(batch.operations()[0].value.data(), before);
}

TEST(MemoryStorage, AppliesOperationsInOrder) {
  MemoryStorage storage;
  WriteBatch batch;
  for (const char* key : {"d", "b", "a", "c"}) batch.Put(Column::kAgents, key, key);
  batch.DeleteRange(Column::kAgents, "b", "d");
  batch.Put(Column::kAgents, "c", "again");
  ASSERT_TRUE(storage.Write(batch, Durability::kBuffered).ok());
  EXPECT_EQ(Keys(storage, "", ""), "acd");
  EXPECT_EQ(Keys(storage, "b", "d"), "c");
  EXPECT_EQ(*storage.Get(Column::kAgents, "c"), "again");
  EXPECT_TRUE(absl::IsNotFound(storage.Get(Column::kAgents, "b").status()));
  EXPECT_TRUE(absl::IsNotFound(storage.Get(Column::kMeta, "c").status()));
}

TEST(MemoryStorage, ARangeThatEndsBeforeItBeginsIsEmpty) {
  MemoryStorage storage;
  WriteBatch batch = PutOf("b", "");
  batch.DeleteRange(Column::kAgents, "c", "a");
  ASSERT_TRUE(storage.Write(batch, Durability::kBuffered).ok());
  EXPECT_EQ(Keys(storage, "", ""), "b");
}

TEST(FaultyStorage, KeepsTheSyncedAndTheChosenPartOfTheRest) {
  for (std::size_t survivors = 0; survivors < 4; ++survivors) {
    FaultyStorage storage;
    ASSERT_TRUE(storage.Write(PutOf("a", ""), Durability::kSync).ok());
    ASSERT_TRUE(storage.Write(PutOf("b", ""), Durability::kBuffered).ok());
    ASSERT_TRUE(storage.Write(PutOf("c", ""), Durability::kBuffered).ok());
    EXPECT_EQ(storage.unsynced(), 2u);
    storage.Restart(survivors);
    EXPECT_EQ(Keys(storage, "", ""),
              std::string("abc").substr(0, 1 + std::min<std::size_t>(survivors, 2)));
  }
}

TEST(FaultyStorage, ASyncedWriteMakesTheEarlierOnesDurable) {
  FaultyStorage storage;
  ASSERT_TRUE(storage.Write(PutOf("a", ""), Durability::kBuffered).ok());
  ASSERT_TRUE(storage.Write(PutOf("b", ""), Durability::kSync).ok());
  storage.Restart(0);
  EXPECT_EQ(Keys(storage, "", ""), "ab");
}

TEST(FaultyStorage, RefusesEverythingBetweenACrashAndItsRestart) {
  FaultyStorage storage;
  storage.CrashAfter(1);
  EXPECT_TRUE(storage.Write(PutOf("a", ""), Durability::kSync).ok());
  EXPECT_TRUE(absl::IsUnavailable(storage.Write(PutOf("b", ""), Durability::kSync)));
  EXPECT_TRUE(absl::IsUnavailable(storage.Write(PutOf("c", ""), Durability::kSync)));
  EXPECT_TRUE(absl::IsUnavailable(storage.Sync()));
  EXPECT_TRUE(absl::IsUnavailable(storage.Get(Column::kAgents, "a").status()));
  storage.Restart(storage.unsynced());
  EXPECT_EQ(Keys(storage, "", ""), "ab");
  EXPECT_EQ(storage.writes(), 2u);
}

TEST(FaultyStorage, ADamagedValueIsToldUntilItIsWrittenAgain) {
  FaultyStorage storage;
  ASSERT_TRUE(storage.Write(PutOf("a", "value"), Durability::kSync).ok());
  ASSERT_TRUE(storage.FlipBit(Column::kAgents, "a", 3, false));
  EXPECT_TRUE(absl::IsDataLoss(storage.Get(Column::kAgents, "a").status()));
  ASSERT_TRUE(storage.Write(PutOf("a", "value"), Durability::kSync).ok());
  EXPECT_EQ(*storage.Get(Column::kAgents, "a"), "value");
  ASSERT_TRUE(storage.FlipBit(Column::kAgents, "a", 0, true));
  EXPECT_EQ(*storage.Get(Column::kAgents, "a"), "walue");
  EXPECT_FALSE(storage.FlipBit(Column::kAgents, "nowhere", 0, true));
}

}  // namespace
}  // namespace muster::journal
