// Damaged bytes are reported, never acted upon and never fatal.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "journal/faulty_storage.h"
#include "journal/journal.h"
#include "journal/keys.h"
#include "journal/testing/differences.h"
#include "journal/testing/random_history.h"

namespace muster::journal::testing {
namespace {

using Place = std::pair<Column, std::string>;

std::vector<Place> Places(const Storage& storage) {
  std::vector<Place> places;
  for (int i = 0; i < kColumns; ++i) {
    const auto column = static_cast<Column>(i);
    const absl::Status status = storage.Scan(column, "", "", [&](std::string_view key, auto) {
      places.emplace_back(column, key);
      return true;
    });
    EXPECT_TRUE(status.ok()) << status;
  }
  return places;
}

void Fill(std::uint64_t seed, FaultyStorage* storage) {
  RandomHistory history(seed, {});
  Journal journal(storage, {});
  RecordingSink sink;
  RC_ASSERT(journal.Recover(&sink).ok());
  for (int i = 0; i < 25; ++i) RC_ASSERT(history.Step(&journal).ok());
}

TEST(Damage, FoundByTheStorageStopsRecoveryWithItsPlace) {
  EXPECT_TRUE(rc::check([] {
    FaultyStorage storage;
    Fill(*rc::gen::arbitrary<std::uint64_t>(), &storage);
    const Place place = *rc::gen::elementOf(Places(storage));
    RC_PRE(place.first != Column::kEvents);
    RC_ASSERT(storage.FlipBit(place.first, place.second, 0, false));
    Journal journal(&storage, {});
    RecordingSink sink;
    const absl::Status status = journal.Recover(&sink).status();
    RC_ASSERT(absl::IsDataLoss(status));
    RC_ASSERT(base::Message(status).find(Hex(place.second)) != std::string_view::npos);
    RC_ASSERT(base::Message(status).find(Name(place.first)) != std::string_view::npos);
  }));
}

TEST(Damage, UnnoticedByTheStorageNeverCrashesRecovery) {
  EXPECT_TRUE(rc::check([] {
    FaultyStorage storage;
    Fill(*rc::gen::arbitrary<std::uint64_t>(), &storage);
    for (int i = 0; i < 3; ++i) {
      const Place place = *rc::gen::elementOf(Places(storage));
      storage.FlipBit(place.first, place.second, *rc::gen::arbitrary<std::size_t>(), true);
    }
    Journal journal(&storage, {});
    RecordingSink sink;
    const absl::Status status = journal.Recover(&sink).status();
    RC_ASSERT(status.ok() || absl::IsDataLoss(status) || absl::IsFailedPrecondition(status));
  }));
}

TEST(Damage, OfAnEventIsToldWhenItIsRead) {
  FaultyStorage storage;
  Journal journal(&storage, {});
  RecordingSink sink;
  ASSERT_TRUE(journal.Recover(&sink).ok());
  model::ReportRecord report;
  report.incarnation = 1;
  report.revision = 2;
  report.events.push_back({3, std::nullopt, {}, 2, "{}"});
  ASSERT_TRUE(journal.CommitReports({&report, 1}, {}, Durability::kBuffered).ok());
  ASSERT_TRUE(storage.FlipBit(Column::kEvents, Key::OfEvent(1, 0).bytes(), 0, false));
  EXPECT_TRUE(absl::IsDataLoss(journal.ReadEvents(1, "", 10).status()));
}

TEST(Damage, MessageSaysWhereWhatAndWhatToDo) {
  FaultyStorage storage;
  WriteBatch batch;
  batch.Put(Column::kMeta, kFormatKey, "muster journal 1");
  batch.Put(Column::kAgents, Key::OfNumber(0x2a).bytes(), "\x01");
  ASSERT_TRUE(storage.Write(batch, Durability::kSync).ok());
  Journal journal(&storage, {});
  RecordingSink sink;
  const absl::Status status = journal.Recover(&sink).status();
  EXPECT_EQ(base::Message(status),
            "the store is damaged: record 0x000000000000002a in column agents: not a "
            "registration's bytes. Nothing was changed. Keep a copy of the data directory, then "
            "restore a backup, or start with an empty directory: agents come back as they register "
            "again");
}

struct Version {
  const char* name;
  Column column;
  std::string key;
  std::string value;
};
class NewerFormat : public ::testing::TestWithParam<Version> {};

TEST_P(NewerFormat, IsRefusedWithoutAGuess) {
  FaultyStorage storage;
  WriteBatch batch;
  batch.Put(Column::kMeta, kFormatKey, "muster journal 1");
  batch.Put(GetParam().column, GetParam().key, GetParam().value);
  ASSERT_TRUE(storage.Write(batch, Durability::kSync).ok());
  Journal journal(&storage, {});
  RecordingSink sink;
  const absl::Status status = journal.Recover(&sink).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_NE(base::Message(status).find("newer Muster"), std::string_view::npos) << status;
}

INSTANTIATE_TEST_SUITE_P(
    Columns, NewerFormat,
    ::testing::Values(
        Version{"store", Column::kMeta, std::string(kFormatKey), "muster journal 2"},
        Version{"state", Column::kMeta, std::string(Key::OfState(1).bytes()), "\x02"},
        Version{"agent", Column::kAgents, std::string(Key::OfNumber(1).bytes()), "\x02"},
        Version{"tombstone", Column::kTombstones, std::string(Key::OfNumber(1).bytes()), "\x02"},
        Version{"report", Column::kReports, std::string(Key::OfNumber(1).bytes()), "\x02"},
        Version{"checkpoint", Column::kCheckpoint, std::string(Key::OfPiece(1).bytes()), "\x02"}),
    [](const auto& test) { return test.param.name; });

TEST(NewerFormat, AStoreWithRecordsButWithoutAMarkIsNotOurs) {
  FaultyStorage storage;
  WriteBatch batch;
  batch.Put(Column::kEvents, "somebody's", "data");
  ASSERT_TRUE(storage.Write(batch, Durability::kSync).ok());
  Journal journal(&storage, {});
  RecordingSink sink;
  EXPECT_TRUE(absl::IsDataLoss(journal.Recover(&sink).status()));
  EXPECT_TRUE(absl::IsNotFound(storage.Get(Column::kMeta, kFormatKey).status()));
}

}  // namespace
}  // namespace muster::journal::testing
