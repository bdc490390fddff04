#include "api/listening_socket.h"

#include <unistd.h>

#include "base/strings.h"
#include "gtest/gtest.h"

namespace muster::api {
namespace {

TEST(HostPortText, ComesBackAsItWas) {
  for (const char* address : {"127.0.0.1:7700", "0.0.0.0:0", "[::1]:65535", "[fe80::1]:80"}) {
    const auto parsed = ParseHostPort(address);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(Text(*parsed), address);
  }
  EXPECT_EQ(Text(*ParseHostPort("localhost:1")), "127.0.0.1:1");
}

TEST(HostPortText, MistakesAreRefused) {
  for (const char* bad :
       {"", ":", "7700", "127.0.0.1", "127.0.0.1:", "127.0.0.1:-1", "127.0.0.1:65536",
        "127.0.0.1:80x", "node.example:80", "127.0.0.256:80", "[::1:80", " 127.0.0.1:80"}) {
    EXPECT_FALSE(ParseHostPort(bad).ok()) << bad;
  }
}

TEST(ListeningSocket, ReactorsShareAPortAndStrangersDoNot) {
  const auto first = OpenListeningSocket("127.0.0.1", 0);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_NE(first->port, 0);
  const auto second = OpenListeningSocket("127.0.0.1", first->port);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ(second->port, first->port);
  const absl::Status taken = CheckNobodyListens({"127.0.0.1", first->port});
  EXPECT_TRUE(absl::IsUnavailable(taken)) << taken;
  close(first->socket);
  close(second->socket);
  EXPECT_TRUE(CheckNobodyListens({"127.0.0.1", first->port}).ok());
}

TEST(ListeningSocket, AnAddressOfAnotherMachineIsRefused) {
  const auto opened = OpenListeningSocket("192.0.2.1", 0);
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(base::Message(opened.status()).find("Can't listen on 192.0.2.1"),
            std::string_view::npos)
      << opened.status();
}

}  // namespace
}  // namespace muster::api
