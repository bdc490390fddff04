#include "runtime/rocksdb_open.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/strings.h"

namespace muster::runtime {
namespace {

namespace fs = std::filesystem;

absl::Status SystemError(const std::string& directory, std::string_view tried, int error) {
  const std::string what =
      base::StrCat("can't ", tried, " the data directory ", directory, ": ", std::strerror(error));
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return absl::ResourceExhaustedError(
          base::StrCat(what, ". Free some space there, or choose another directory"));
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::PermissionDeniedError(base::StrCat(
          what,
          ". The user that runs Muster must be able to read and write it: change its owner "
          "or its mode, or choose another directory"));
    default:
      return absl::FailedPreconditionError(base::StrCat(what, ". Choose another directory"));
  }
}

// Files that the first Open may have left when it was interrupted, or that file systems make.
bool IsHarmless(const std::string& name) {
  const std::string_view text = name;
  return text == "LOCK" || text == "IDENTITY" || text == "lost+found" || text.starts_with("LOG") ||
         text.starts_with("MANIFEST-") || text.starts_with("OPTIONS-") || text.ends_with(".dbtmp");
}

// RocksDB's records: 000012.sst, 000013.log.
bool HoldsRecords(const fs::path& file) {
  const std::string name = file.stem().string();
  return (file.extension() == ".sst" || file.extension() == ".log") && !name.empty() &&
         name.find_first_not_of("0123456789") == std::string::npos;
}

absl::Status CheckNewDirectory(const std::string& directory) {
  std::error_code error;
  std::string foreign;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (HoldsRecords(entry->path())) {
      return absl::DataLossError(base::StrCat(
          "the store in ", directory, " is damaged: its file CURRENT is missing, but ", name,
          " is there. Nothing was changed. Restore the directory from a backup, or start with an "
          "empty directory: agents come back as they register again"));
    }
    if (!IsHarmless(name)) foreign = name;
  }
  if (error) return SystemError(directory, "list", error.value());
  if (foreign.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(base::StrCat(
      "the data directory ", directory, " is not a Muster store and not empty: it holds ", foreign,
      ". Choose another directory"));
}

// The process that holds the lock file; nullopt: none, or it can't be told.
std::optional<pid_t> LockHolder(const std::string& lock_file) {
  const int fd = ::open(lock_file.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  const bool told = ::fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  ::close(fd);
  if (!told || lock.l_pid <= 0) return std::nullopt;
  return lock.l_pid;
}

absl::Status LockedError(const std::string& directory, const std::string& why) {
  // Asking would release the lock if this process held it.
  std::optional<pid_t> holder;
  if (why.find("current process") == std::string::npos) {
    holder = LockHolder(base::StrCat(directory, "/LOCK"));
  }
  const std::string who = holder.has_value() ? base::StrCat("process ", *holder, " has it open")
                                             : std::string("another node has it open");
  return absl::UnavailableError(
      base::StrCat("the data directory ", directory, " is in use: ", who, " (", directory,
                   "/LOCK is held). Stop that node first, or choose another directory"));
}

absl::Status DamagedStore(const std::string& directory, const std::string& why) {
  return absl::DataLossError(base::StrCat(
      "the store in ", directory, " is damaged: ", why,
      ". It was not repaired and no node was started. Keep a copy of the directory, check the "
      "disk, "
      "then restore a backup, or start with an empty directory: agents come back as they register "
      "again"));
}

}  // namespace

absl::Status PrepareDirectory(const std::string& directory) {
  if (directory.empty()) return absl::FailedPreconditionError("no data directory was given");
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return SystemError(directory, "create", error.value());
  if (!fs::is_directory(directory, error)) return SystemError(directory, "open", ENOTDIR);
  if (::faccessat(AT_FDCWD, directory.c_str(), R_OK | W_OK | X_OK, AT_EACCESS) != 0) {
    return SystemError(directory, "write to", errno);
  }
  if (fs::exists(fs::path(directory) / "CURRENT", error)) return absl::OkStatus();
  return CheckNewDirectory(directory);
}

absl::Status OpenError(const std::string& directory, const rocksdb::Status& status) {
  const std::string why = status.ToString();
  if (status.IsCorruption() || status.IsPathNotFound()) return DamagedStore(directory, why);
  if (why.find("/LOCK") != std::string::npos && status.IsIOError() &&
      why.find("lock") != std::string::npos && why.find("denied") == std::string::npos) {
    return LockedError(directory, why);
  }
  if (status.IsNoSpace()) return SystemError(directory, "open the store in", ENOSPC);
  if (why.find(std::strerror(EACCES)) != std::string::npos) {
    return SystemError(directory, "write to", EACCES);
  }
  if (why.find(std::strerror(EROFS)) != std::string::npos) {
    return SystemError(directory, "write to", EROFS);
  }
  if (why.find(std::strerror(ENOENT)) != std::string::npos) return DamagedStore(directory, why);
  if (status.IsInvalidArgument() || status.IsNotSupported()) {
    return absl::FailedPreconditionError(
        base::StrCat("the store in ", directory, " can't be opened: ", why,
                     ". It is not a Muster store, or a newer Muster wrote it: start that version"));
  }
  return absl::UnavailableError(base::StrCat("can't open the store in ", directory, ": ", why,
                                             ". Check the disk, then start again"));
}

}  // namespace muster::runtime
