// Whatever is wrong with a data directory is told with its path and what to do, and nothing in it
// is changed.
#include "runtime/rocksdb_open.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "rocksdb/db.h"
#include "runtime/rocksdb_storage.h"
#include "runtime/testing/temporary_directory.h"

namespace muster::runtime::testing {
namespace {

namespace fs = std::filesystem;
using journal::Column;
using journal::Durability;

absl::Status StatusOfOpen(const std::string& directory) {
  return RocksDbStorage::Open({.directory = directory}).status();
}

void Write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void Fill(RocksDbStorage* storage, int keys) {
  for (int i = 0; i < keys; ++i) {
    journal::WriteBatch batch;
    const std::string key = base::StrCat("key", i);
    batch.Put(Column::kAgents, key, key + std::string(200, 'v'));
    ASSERT_TRUE(storage->Write(batch, Durability::kSync).ok());
  }
}

// How many of `keys` have their value; -1: one has another.
int Intact(const RocksDbStorage& storage, int keys) {
  int found = 0;
  for (int i = 0; i < keys; ++i) {
    const std::string key = base::StrCat("key", i);
    const auto value = storage.Get(Column::kAgents, key);
    if (value.ok() && *value != key + std::string(200, 'v')) return -1;
    if (value.ok()) ++found;
  }
  return found;
}

void ExpectSays(const absl::Status& status, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(base::Message(status).find(part), std::string_view::npos) << status << "\n" << part;
  }
}

class OpenStore : public ::testing::Test {
 protected:
  TemporaryDirectory directory_;
  const std::string path_ = directory_ / "store";
};

TEST_F(OpenStore, CreatesTheDirectoryAndItsParents) {
  EXPECT_TRUE(StatusOfOpen(path_ + "/a/b").ok());
  EXPECT_TRUE(fs::exists(path_ + "/a/b/CURRENT"));
}

TEST_F(OpenStore, TwiceInOneProcessIsRefused) {
  const auto first = RocksDbStorage::Open({.directory = path_});
  ASSERT_TRUE(first.ok());
  const absl::Status second = StatusOfOpen(path_);
  EXPECT_TRUE(absl::IsUnavailable(second)) << second;
  ExpectSays(second, {path_, "in use", "Stop that node first"});
}

TEST_F(OpenStore, ByAnotherProcessIsRefusedWithItsNumber) {
  ASSERT_TRUE(StatusOfOpen(path_).ok());
  int ready[2], done[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(done), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const int fd = ::open((path_ + "/LOCK").c_str(), O_RDWR);
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    char byte = ::fcntl(fd, F_SETLK, &lock) == 0 ? 'y' : 'n';
    const bool told = ::write(ready[1], &byte, 1) == 1;
    ::_exit(told && ::read(done[0], &byte, 1) == 1 ? 0 : 1);
  }
  char byte = 'n';
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ASSERT_EQ(byte, 'y');
  const absl::Status status = StatusOfOpen(path_);
  ASSERT_EQ(::write(done[1], &byte, 1), 1);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  ExpectSays(status, {path_, base::StrCat("process ", child, " has it open")});
  EXPECT_TRUE(StatusOfOpen(path_).ok());
  for (const int fd : {ready[0], ready[1], done[0], done[1]}) ::close(fd);
}

TEST_F(OpenStore, AFileInItsPlaceIsRefused) {
  Write(path_, "a file");
  const absl::Status status = StatusOfOpen(path_);
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  ExpectSays(status, {path_, "Not a directory"});
}

TEST_F(OpenStore, ADirectoryWithSomethingElseIsRefusedUntouched) {
  fs::create_directory(path_);
  Write(path_ + "/holiday.jpg", "a picture");
  const absl::Status status = StatusOfOpen(path_);
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  ExpectSays(status, {path_, "holiday.jpg", "Choose another directory"});
  EXPECT_EQ(std::distance(fs::directory_iterator(path_), fs::directory_iterator()), 1);
}

TEST_F(OpenStore, AnotherProgramsDatabaseIsRefused) {
  for (const bool has_family : {false, true}) {
    fs::remove_all(path_);
    rocksdb::DB* db = nullptr;
    rocksdb::Options options;
    options.create_if_missing = true;
    ASSERT_TRUE(rocksdb::DB::Open(options, path_, &db).ok());
    ASSERT_TRUE(db->Put({}, "its", "record").ok());
    if (has_family) {
      rocksdb::ColumnFamilyHandle* family = nullptr;
      ASSERT_TRUE(db->CreateColumnFamily({}, "theirs", &family).ok());
      ASSERT_TRUE(db->DestroyColumnFamilyHandle(family).ok());
    }
    delete db;
    const absl::Status status = StatusOfOpen(path_);
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    ExpectSays(status, {path_, has_family ? "theirs" : "another program", "not a Muster store"});
  }
}

TEST_F(OpenStore, AStoreWhoseCreationWasInterruptedIsCreatedAgain) {
  rocksdb::DB* db = nullptr;
  rocksdb::Options options;
  options.create_if_missing = true;
  ASSERT_TRUE(rocksdb::DB::Open(options, path_, &db).ok());
  delete db;
  EXPECT_TRUE(StatusOfOpen(path_).ok());
}

TEST_F(OpenStore, AReadOnlyDirectoryIsRefused) {
  fs::create_directory(path_);
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(path_.c_str(), 0555), 0);
  constexpr uid_t kNobody = 65534;
  const uid_t self = ::geteuid();
  const bool is_root = self == 0;
  ASSERT_EQ(::seteuid(is_root ? kNobody : self), 0);
  const absl::Status unwritable = StatusOfOpen(path_);
  const absl::Status uncreatable = StatusOfOpen(path_ + "/below");
  ASSERT_EQ(::seteuid(self), 0);
  EXPECT_TRUE(absl::IsPermissionDenied(unwritable)) << unwritable;
  ExpectSays(unwritable, {path_, "Permission denied", "change its owner"});
  EXPECT_TRUE(absl::IsPermissionDenied(uncreatable)) << uncreatable;
}

TEST_F(OpenStore, AMissingCurrentFileIsDamageNotAnEmptyStore) {
  {
    const auto storage = RocksDbStorage::Open({.directory = path_});
    ASSERT_TRUE(storage.ok());
    Fill(storage->get(), 3);
  }
  fs::rename(path_ + "/CURRENT", path_ + "/moved");
  const absl::Status status = StatusOfOpen(path_);
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  ExpectSays(status, {path_, "CURRENT is missing", "Nothing was changed"});
  fs::rename(path_ + "/moved", path_ + "/CURRENT");
  const auto storage = RocksDbStorage::Open({.directory = path_});
  ASSERT_TRUE(storage.ok());
  EXPECT_EQ(Intact(**storage, 3), 3);
}

// Every file of a store, changed at a random place: it is told at Open or at the read, or nothing
// that was stored is wrong.
class DamagedFile : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Shutdown, DamagedFile, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "Clean" : "Killed"; });

TEST_P(DamagedFile, IsNeverReadAsSomethingElse) {
  constexpr int kKeys = 40;
  TemporaryDirectory directory;
  {
    const auto storage = RocksDbStorage::Open({.directory = directory / "store"});
    ASSERT_TRUE(storage.ok());
    Fill(storage->get(), kKeys);
    if (!GetParam()) fs::copy(directory / "store", directory / "killed");
  }
  const std::string left = directory / (GetParam() ? "store" : "killed");
  int told = 0;
  for (const auto& entry : fs::directory_iterator(left)) {
    const std::string name = entry.path().filename();
    const std::uintmax_t size = entry.file_size();
    if (size == 0 || name.starts_with("LOG") || name.starts_with("OPTIONS")) continue;
    for (const std::uintmax_t place : {size / 9, size / 2, size - size / 7 - 1}) {
      SCOPED_TRACE(base::StrCat(name, " at ", place, " of ", size));
      const std::string copy = directory / "copy";
      fs::remove_all(copy);
      fs::copy(left, copy);
      std::fstream file(copy + "/" + name, std::ios::binary | std::ios::in | std::ios::out);
      file.seekg(static_cast<std::streamoff>(place));
      const auto byte = static_cast<char>(file.get() ^ 0x10);
      file.seekp(static_cast<std::streamoff>(place));
      file.put(byte);
      file.close();
      const auto storage = RocksDbStorage::Open({.directory = copy});
      if (!storage.ok()) {
        EXPECT_TRUE(absl::IsDataLoss(storage.status())) << storage.status();
        ++told;
        continue;
      }
      const int intact = Intact(**storage, kKeys);
      EXPECT_NE(intact, -1);
      if (intact == kKeys) continue;
      const absl::Status scan =
          (*storage)->Scan(Column::kAgents, "", "", [](auto, auto) { return true; });
      EXPECT_TRUE(absl::IsDataLoss(scan)) << scan << intact;
      ++told;
    }
  }
  EXPECT_GT(told, 2);
}

}  // namespace
}  // namespace muster::runtime::testing
