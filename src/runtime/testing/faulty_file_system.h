// A file system that passes everything on to the real one, but can be full, and knows what of each
// file a power failure would leave.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"

namespace muster::runtime::testing {

using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

class FaultyFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  FaultyFileSystem() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "FaultyFileSystem"; }

  // After `bytes` more the disk is full: an append beyond is cut off there and refused.
  void LeaveSpace(std::int64_t bytes) { space_ = bytes; }

  IOStatus GetFreeSpace(const std::string&, const IOOptions&, std::uint64_t* free_bytes,
                        IODebugContext*) override {
    *free_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(space_, 0));
    return IOStatus::OK();
  }
  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<FSWritableFile>* file, IODebugContext* dbg) override {
    const IOStatus status = target()->NewWritableFile(path, options, file, dbg);
    if (!status.ok()) return status;
    const std::lock_guard lock(mutex_);
    const auto synced = std::make_shared<std::atomic<std::uint64_t>>(0);
    synced_[path] = synced;
    *file = std::make_unique<File>(std::move(*file), this, synced);
    return status;
  }
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* dbg) override {
    const IOStatus status = target()->RenameFile(from, to, options, dbg);
    const std::lock_guard lock(mutex_);
    const auto found = synced_.find(from);
    if (status.ok() && found != synced_.end()) {
      synced_[to] = found->second;
      synced_.erase(from);
    }
    return status;
  }

  // Copies `directory` as a power failure now would leave it: of each file what was synced, and the
  // share `kept` (0 to 1) of what was not.
  void CopyAfterPowerFailure(const std::string& directory, const std::string& to, double kept) {
    const std::lock_guard lock(mutex_);
    std::filesystem::remove_all(to);
    std::filesystem::copy(directory, to);
    for (const auto& [path, synced] : synced_) {
      const std::filesystem::path copy =
          std::filesystem::path(to) / std::filesystem::path(path).filename();
      if (!std::filesystem::exists(copy)) continue;
      const std::uintmax_t size = std::filesystem::file_size(copy);
      const std::uintmax_t safe = std::min<std::uintmax_t>(*synced, size);
      const auto lucky = static_cast<std::uintmax_t>(static_cast<double>(size - safe) * kept);
      std::filesystem::resize_file(copy, safe + lucky);
    }
  }

 private:
  class File final : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    File(std::unique_ptr<FSWritableFile>&& file, FaultyFileSystem* system,
         std::shared_ptr<std::atomic<std::uint64_t>> synced)
        : FSWritableFileOwnerWrapper(std::move(file)), system_(system), synced_(synced) {}

    IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                    IODebugContext* dbg) override {
      const auto bytes = static_cast<std::int64_t>(data.size());
      const std::int64_t space = system_->space_.fetch_sub(bytes);
      const std::int64_t fitting = std::clamp<std::int64_t>(space, 0, bytes);
      const IOStatus status = FSWritableFileWrapper::Append(
          rocksdb::Slice(data.data(), static_cast<std::size_t>(fitting)), options, dbg);
      written_ += static_cast<std::uint64_t>(fitting);
      if (!status.ok() || fitting == bytes) return status;
      system_->space_ = 0;
      return IOStatus::NoSpace("no space left on this device");
    }
    IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                    const rocksdb::DataVerificationInfo&, IODebugContext* dbg) override {
      return Append(data, options, dbg);
    }
    IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
      const std::uint64_t written = written_;
      const IOStatus status = FSWritableFileWrapper::Sync(options, dbg);
      if (status.ok()) *synced_ = written;
      return status;
    }
    IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
      return Sync(options, dbg);
    }

   private:
    FaultyFileSystem* const system_;
    const std::shared_ptr<std::atomic<std::uint64_t>> synced_;
    std::atomic<std::uint64_t> written_{0};
  };

  std::atomic<std::int64_t> space_{std::int64_t{1} << 40};
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<std::atomic<std::uint64_t>>> synced_;
};

}  // namespace muster::runtime::testing
