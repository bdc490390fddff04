#include "api/access.h"

#include <cstdio>
#include <fstream>

#include "base/strings.h"
#include "gtest/gtest.h"

namespace muster::api {
namespace {

using Verdict = TokenTable::Verdict;

constexpr char kTokens[] =
    "# who       what           token\n"
    "dashboard   read           dashboard-token-0001\n"
    "\n"
    "  gateway\tread,report\tgateway-token-000002  \r\n"
    "root        admin          root-token-000000003\n";

TEST(TokenTable, ScopesDecide) {
  const auto table = TokenTable::Parse(kTokens);
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(table->size(), 3u);
  EXPECT_EQ(table->Check("Bearer dashboard-token-0001", Scope::kRead), Verdict::kAllowed);
  EXPECT_EQ(table->Check("bearer  dashboard-token-0001 ", Scope::kRead), Verdict::kAllowed);
  EXPECT_EQ(table->Check("Bearer dashboard-token-0001", Scope::kReport), Verdict::kScopeMissing);
  EXPECT_EQ(table->Check("Bearer gateway-token-000002", Scope::kReport), Verdict::kAllowed);
  EXPECT_EQ(table->Check("Bearer gateway-token-000002", Scope::kRegister), Verdict::kScopeMissing);
  for (const Scope scope : {Scope::kRead, Scope::kReport, Scope::kRegister, Scope::kAdmin}) {
    EXPECT_EQ(table->Check("Bearer root-token-000000003", scope), Verdict::kAllowed);
  }
  EXPECT_EQ(table->Check("Bearer root-token-000000004", Scope::kRead), Verdict::kUnknownToken);
  EXPECT_EQ(table->Check("Bearer root-token-00000000", Scope::kRead), Verdict::kUnknownToken);
  EXPECT_EQ(table->Check("Bearer ", Scope::kRead), Verdict::kUnknownToken);
  EXPECT_EQ(table->Check("", Scope::kRead), Verdict::kNoToken);
  EXPECT_EQ(table->Check("Basic cm9vdDp4", Scope::kRead), Verdict::kNoToken);
}

TEST(TokenTable, MistakesNameTheirLine) {
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"a read token-0000000001\nb\n", "line 2: expected `name scope[,scope] token`"},
      {"a write token-0000000001\n", "line 1: scope \"write\" is not one of"},
      {"a read short\n", "line 1: the token must have 16 to 512"},
      {"a read token-0000000001\nb read token-0000000001\n", "line 2: its name or token stands"},
      {"a read token-0000000001\na read token-0000000002\n", "line 2: its name or token stands"},
      {"a read token-00000000\xc3\xa4z\n", "line 1: the token holds a character"},
      {"# nobody\n", "holds no token"},
      {"", "holds no token"},
  };
  for (const auto& c : cases) {
    const auto table = TokenTable::Parse(c.text);
    ASSERT_FALSE(table.ok()) << c.text;
    EXPECT_NE(base::Message(table.status()).find(c.expected), std::string_view::npos)
        << table.status();
  }
}

class AccessFile : public testing::Test {
 protected:
  void Write(const std::string& text) { std::ofstream(path_) << text; }
  void TearDown() override { std::remove(path_.c_str()); }
  std::string path_ = testing::TempDir() + "muster_access_" +
                      testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(AccessFile, EverybodyMayUntilAFileIsLoaded) {
  Access access;
  AccessReader reader(&access);
  EXPECT_EQ(reader.Check("", Scope::kAdmin), Verdict::kAllowed);
  Write(kTokens);
  ASSERT_TRUE(access.Load(path_).ok());
  EXPECT_EQ(reader.Check("", Scope::kAdmin), Verdict::kNoToken);
  EXPECT_EQ(reader.Check("", Scope::kNone), Verdict::kAllowed);
}

TEST_F(AccessFile, AReloadTakesEffectAndAMistakeChangesNothing) {
  Access access;
  AccessReader reader(&access);
  EXPECT_TRUE(access.Reload().ok());
  Write("a read token-0000000001\n");
  ASSERT_TRUE(access.Load(path_).ok());
  EXPECT_EQ(reader.Check("Bearer token-0000000001", Scope::kRead), Verdict::kAllowed);
  Write("a read token-0000000002\n");
  ASSERT_TRUE(access.Reload().ok());
  EXPECT_EQ(reader.Check("Bearer token-0000000001", Scope::kRead), Verdict::kUnknownToken);
  EXPECT_EQ(reader.Check("Bearer token-0000000002", Scope::kRead), Verdict::kAllowed);
  Write("nonsense\n");
  const absl::Status reloaded = access.Reload();
  EXPECT_FALSE(reloaded.ok());
  EXPECT_NE(base::Message(reloaded).find(path_), std::string_view::npos);
  EXPECT_EQ(reader.Check("Bearer token-0000000002", Scope::kRead), Verdict::kAllowed);
}

TEST_F(AccessFile, AMissingFileIsSaid) {
  Access access;
  EXPECT_TRUE(absl::IsNotFound(access.Load(path_ + ".none")));
}

}  // namespace
}  // namespace muster::api
