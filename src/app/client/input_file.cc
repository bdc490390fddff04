#include "app/client/input_file.h"

#include <fstream>
#include <iostream>

#include "base/strings.h"

namespace muster::app {

absl::StatusOr<std::string> ReadInput(const std::string& path, std::size_t bytes_max) {
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& in = path == "-" ? std::cin : file;
  std::string text;
  char piece[1 << 16];
  while (in.read(piece, sizeof piece), in.gcount() > 0) {
    text.append(piece, static_cast<std::size_t>(in.gcount()));
    if (text.size() > bytes_max) {
      return absl::ResourceExhaustedError(
          base::StrCat("`", path, "` has more than ", bytes_max, " bytes"));
    }
  }
  if (in.bad() || (path != "-" && !file.is_open())) {
    return absl::NotFoundError(base::StrCat("`", path, "` can't be read: is the path right?"));
  }
  return text;
}

}  // namespace muster::app
