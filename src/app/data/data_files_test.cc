#include "app/data/data_files.h"

#include <gtest/gtest.h>

#include <set>

namespace muster::app {
namespace {

const char kData[] = MUSTER_SOURCE_DIR "/data";

TEST(DataFilesTest, ReadsTheLastColumnOfASeries) {
  EXPECT_EQ(ParseSeries("timestamp,value\n2014-02-14 14:30:00,0.132\r\nbad,x\n,5\n"),
            (std::vector<double>{0.132, 5}));
  EXPECT_TRUE(ParseSeries("").empty());
}

TEST(DataFilesTest, ReadsGapsBetweenArrivalsAcrossMidnight) {
  const std::vector<double> gaps = ParseArrivalGaps(
      "TIMESTAMP,ContextTokens,GeneratedTokens\n"
      "2023-11-16 23:59:59.5000000,1,2\n"
      "2023-11-17 00:00:00.7500000,1,2\n"
      "2023-11-17 00:00:00.5000000,1,2\n"
      "2023-11-17 00:01:00.5000000,1,2\n");
  ASSERT_EQ(gaps.size(), 3u);
  EXPECT_NEAR(gaps[0], 1.25, 1e-6);
  EXPECT_EQ(gaps[1], 0);  // never negative
  EXPECT_NEAR(gaps[2], 60, 1e-6);
}

TEST(DataFilesTest, ReadsTheRealCardsUnderDistinctIds) {
  const auto agents = ReadSampleAgents(kData);
  ASSERT_TRUE(agents.ok()) << agents.status();
  EXPECT_EQ(agents->size(), 48u);
  std::set<std::string> ids;
  for (const SampleAgent& agent : *agents) EXPECT_TRUE(ids.insert(agent.id).second) << agent.id;
}

TEST(DataFilesTest, NamesAsManyDistinctSkillsAsAskedFor) {
  for (const char* directory : {kData, ""}) {
    const std::vector<std::string> names = SkillNames(directory, 1000);
    EXPECT_EQ(names.size(), 1000u);
  }
  EXPECT_EQ(SkillNames("", 2)[1], "skill-1");
}

TEST(DataFilesTest, SaysWhereItLookedInVain) {
  EXPECT_EQ(FindDataDirectory("/nowhere").status().code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(FindDataDirectory(kData).ok());
}

}  // namespace
}  // namespace muster::app
