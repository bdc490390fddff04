#include "api/mailbox.h"

#include "gtest/gtest.h"

namespace muster::api {
namespace {

TEST(Mailbox, LettersOfSeveralSendersStayWhole) {
  Mailbox box;
  Mail first;
  first.Begin()->append("one");
  first.Seal({0, 1, 10});
  first.Begin()->append("two");
  first.Seal({0, 2, 20});
  Mail second;
  second.Begin()->append("three");
  second.Seal({0, 3, 30});
  second.AddLine({0, 4, 40}, {LineOutcome::Kind::kDuplicate, {}});
  EXPECT_TRUE(box.Post(&first));
  EXPECT_TRUE(first.empty());
  EXPECT_FALSE(box.Post(&second));

  Mail got;
  box.Collect(&got);
  ASSERT_EQ(got.letters().size(), 3u);
  EXPECT_EQ(got.text(got.letters()[0]), "one");
  EXPECT_EQ(got.text(got.letters()[1]), "two");
  EXPECT_EQ(got.text(got.letters()[2]), "three");
  EXPECT_EQ(got.letters()[2].to.connection, 3u);
  ASSERT_EQ(got.lines().size(), 1u);
  EXPECT_EQ(got.lines()[0].to.request, 40u);
  got.Clear();
  EXPECT_TRUE(got.empty());

  first.Begin()->append("four");
  first.Seal({0, 5, 50});
  EXPECT_TRUE(box.Post(&first));
  box.Collect(&got);
  EXPECT_EQ(got.text(got.letters()[0]), "four");
}

}  // namespace
}  // namespace muster::api
