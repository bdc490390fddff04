#include "app/client/assignment.h"

#include <gtest/gtest.h>

namespace muster::app {
namespace {

std::string JsonOf(std::string_view text) {
  const auto assignment = ParseAssignment(text);
  return assignment.ok() ? assignment->first + " " + assignment->second : "refused";
}

TEST(AssignmentTest, GuessesTheKindOfAValue) {
  EXPECT_EQ(JsonOf("load=0.4"), "load 0.4");
  EXPECT_EQ(JsonOf("load=-1e3"), "load -1e3");
  EXPECT_EQ(JsonOf("busy=true"), "busy true");
  EXPECT_EQ(JsonOf("availability=ready"), "availability \"ready\"");
  EXPECT_EQ(JsonOf("location=52.5,-13.4"), "location {\"latitude\":52.5,\"longitude\":-13.4}");
  EXPECT_EQ(JsonOf("note=a,b"), "note \"a,b\"");
  EXPECT_EQ(JsonOf("note="), "note \"\"");
  EXPECT_EQ(JsonOf("note=0x10"), "note \"0x10\"");
  EXPECT_EQ(JsonOf("note=a=\"b\""), "note \"a=\\\"b\\\"\"");
}

TEST(AssignmentTest, TakesJsonAsItIs) {
  EXPECT_EQ(JsonOf("x:=\"7\""), "x \"7\"");
  EXPECT_EQ(JsonOf("x:={\"a\":[1]}"), "x {\"a\":[1]}");
  EXPECT_EQ(JsonOf("x:={"), "refused");
}

TEST(AssignmentTest, RefusesWhatIsNone) {
  EXPECT_EQ(JsonOf("load"), "refused");
  EXPECT_EQ(JsonOf("=1"), "refused");
}

}  // namespace
}  // namespace muster::app
