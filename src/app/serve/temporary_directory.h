// A directory that goes, with all in it, when this does.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace muster::app {

class TemporaryDirectory {
 public:
  // Unavailable: none can be made.
  static absl::StatusOr<TemporaryDirectory> Make();
  ~TemporaryDirectory();
  TemporaryDirectory(TemporaryDirectory&& other) noexcept : path_(std::move(other.path_)) {
    other.path_.clear();
  }
  TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace muster::app
