#include "api/event_poll.h"

#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "gtest/gtest.h"

namespace muster::api {
namespace {

using std::chrono::milliseconds;

class EventPollTest : public testing::Test {
 protected:
  EventPollTest() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends_), 0); }
  ~EventPollTest() override {
    for (const int end : ends_) {
      if (end >= 0) close(end);
    }
  }

  EventPoll poll_;
  int ends_[2] = {-1, -1};
};

TEST_F(EventPollTest, ReadinessLastsUntilItIsUsedUp) {
  poll_.Add(ends_[0], 7, true);
  EXPECT_TRUE(poll_.Wait(base::Duration(0)).empty());
  ASSERT_EQ(send(ends_[1], "ab", 2, 0), 2);
  for (int i = 0; i < 2; ++i) {
    const auto events = poll_.Wait(milliseconds(100));
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].token, 7u);
    EXPECT_TRUE(events[0].readable);
    EXPECT_FALSE(events[0].writable);
    char byte = 0;
    ASSERT_EQ(recv(ends_[0], &byte, 1, 0), 1);
  }
  EXPECT_TRUE(poll_.Wait(base::Duration(0)).empty());
}

TEST_F(EventPollTest, OnlyWhatIsAskedForIsTold) {
  poll_.Add(ends_[0], 7, false);
  ASSERT_EQ(send(ends_[1], "a", 1, 0), 1);
  EXPECT_TRUE(poll_.Wait(base::Duration(0)).empty());
  poll_.Change(ends_[0], 7, true, true);
  const auto events = poll_.Wait(base::Duration(0));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_TRUE(events[0].readable);
  EXPECT_TRUE(events[0].writable);
}

TEST_F(EventPollTest, AFullCloseIsToldWhateverWasAskedFor) {
  poll_.Add(ends_[0], 7, false);
  close(ends_[1]);
  ends_[1] = -1;
  const auto events = poll_.Wait(base::Duration(0));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_TRUE(events[0].broken);
}

TEST_F(EventPollTest, ManyWakesEndOneWait) {
  std::thread other([this] {
    for (int i = 0; i < 100; ++i) poll_.Wake();
  });
  // Without the wake, this would last for a minute.
  EXPECT_TRUE(poll_.Wait(std::chrono::minutes(1)).empty());
  other.join();
  poll_.Wait(base::Duration(0));
  poll_.Wake();
  EXPECT_TRUE(poll_.Wait(std::chrono::minutes(1)).empty());
}

}  // namespace
}  // namespace muster::api
