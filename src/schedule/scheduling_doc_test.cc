// docs/scheduling.md ties each equation to code and to a test: both must be there.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace muster::schedule {
namespace {

std::string Read(const std::string& path) {
  std::ifstream file(std::string(MUSTER_SOURCE_DIR) + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> Cells(const std::string& row) {
  std::vector<std::string> cells;
  std::stringstream stream(row);
  for (std::string cell; std::getline(stream, cell, '|');) cells.push_back(cell);
  return cells;
}

std::vector<std::string> Quoted(const std::string& cell) {
  std::vector<std::string> quoted;
  for (std::size_t at = cell.find('`'); at != std::string::npos; at = cell.find('`', at)) {
    const std::size_t end = cell.find('`', at + 1);
    if (end == std::string::npos) break;
    quoted.push_back(cell.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return quoted;
}

TEST(SchedulingDocument, EveryEquationsCodeAndTestAreThere) {
  std::stringstream document(Read("docs/scheduling.md"));
  int rows = 0;
  for (std::string line; std::getline(document, line);) {
    if (line.rfind("| (", 0) != 0 && line.rfind("| case (", 0) != 0) continue;
    const std::vector<std::string> cells = Cells(line);
    ASSERT_EQ(cells.size(), 7u) << line;
    ++rows;
    for (const std::size_t column : {3u, 4u}) {
      const std::vector<std::string> named = Quoted(cells[column]);
      ASSERT_EQ(named.size(), 2u) << line;
      EXPECT_NE(Read("src/schedule/" + named[0]).find(named[1]), std::string::npos)
          << named[1] << " is not in " << named[0] << ": " << line;
    }
  }
  EXPECT_GE(rows, 20);
}

}  // namespace
}  // namespace muster::schedule
