#include "app/serve/temporary_directory.h"

#include <cstdlib>
#include <filesystem>

namespace muster::app {

absl::StatusOr<TemporaryDirectory> TemporaryDirectory::Make() {
  std::error_code error;
  std::string pattern = (std::filesystem::temp_directory_path(error) / "muster-XXXXXX").string();
  if (error || mkdtemp(pattern.data()) == nullptr) {
    return absl::UnavailableError("no temporary directory can be made: is TMPDIR writable?");
  }
  return TemporaryDirectory(std::move(pattern));
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code error;
  if (!path_.empty()) std::filesystem::remove_all(path_, error);
}

}  // namespace muster::app
