#include "directory/cursor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"
#include "directory/testing/sample.h"

namespace muster::directory {
namespace {

using testing::AtSecond;
using testing::SampleDirectory;

using ::testing::HasSubstr;

class Cursor : public ::testing::Test {
 protected:
  Cursor() {
    for (const char* id : {"a", "b", "c", "d", "e"}) {
      sample_.Put({.id = id, .name = std::string(300, 'n') + id});
    }
    query_.limit = 2;
  }

  Plan Compiled() const { return *sample_.directory.Compile(query_); }

  // The rows after `cursor`, which moves on; or the refusal.
  std::string Page(std::string* cursor) const {
    QueryResult result;
    std::string next;
    const absl::Status status =
        sample_.directory.ExecutePage(Compiled(), AtSecond(0), *cursor, &result, &next);
    if (!status.ok()) {
      EXPECT_TRUE(absl::IsInvalidArgument(status));
      return std::string(base::Message(status));
    }
    *cursor = next;
    std::string ids;
    for (const std::string& id : sample_.ToIds(result)) ids += id;
    return ids;
  }

  SampleDirectory sample_;
  model::Query query_;
};

TEST_F(Cursor, TurnsPageByPage) {
  std::string cursor;
  EXPECT_EQ(Page(&cursor), "ab");
  EXPECT_EQ(Page(&cursor), "cd");
  EXPECT_EQ(Page(&cursor), "e");
  EXPECT_EQ(cursor, "");
}

TEST_F(Cursor, GoesOnWhereTheLastRowStoodThoughItIsGone) {
  std::string cursor;
  EXPECT_EQ(Page(&cursor), "ab");
  sample_.Remove("b");
  sample_.Put({.id = "aa"});
  sample_.Put({.id = "bb"});
  EXPECT_EQ(Page(&cursor), "bbc");
  query_.order_by = "id desc";
  cursor = "";
  EXPECT_EQ(Page(&cursor), "ed");
  sample_.Remove("d");
  EXPECT_EQ(Page(&cursor), "cbb");
}

TEST_F(Cursor, LongTextsOrderByTheirBeginningAndStayOutOfTheToken) {
  query_.order_by = "name desc";
  std::string cursor;
  EXPECT_EQ(Page(&cursor), "ab");
  EXPECT_LT(cursor.size(), 600U);
  EXPECT_EQ(Page(&cursor), "cd");
}

TEST_F(Cursor, RefusesAnotherPlansToken) {
  std::string cursor;
  Page(&cursor);
  query_.filter = "id < z";
  EXPECT_THAT(Page(&cursor), HasSubstr("belongs to another query"));
  query_.filter = "";
  query_.limit = 3;
  EXPECT_EQ(Page(&cursor), "cde");
}

TEST_F(Cursor, RefusesGarbage) {
  std::string good;
  Page(&good);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = bad[i] == 'A' ? 'B' : 'A';
    EXPECT_THAT(Page(&bad), HasSubstr("[/page_token]")) << i;
    if (i == 0) continue;
    std::string cut = good.substr(0, i);
    EXPECT_THAT(Page(&cut), HasSubstr("[/page_token]")) << i;
  }
  std::string huge(100'000, 'A');
  EXPECT_THAT(Page(&huge), HasSubstr("no page token"));
  std::string bytes("\x80\xff\0", 3);
  EXPECT_THAT(Page(&bytes), HasSubstr("no page token"));
}

}  // namespace
}  // namespace muster::directory
