#include <rapidcheck.h>

#include <charconv>
#include <cmath>

#include "api/render.h"
#include "gtest/gtest.h"

namespace muster::api {
namespace {

std::string Text(double value) {
  std::string out;
  AppendNumber(value, &out);
  return out;
}
std::string AgeText(base::Duration age) {
  std::string out;
  AppendAge(age, &out);
  return out;
}
std::string RatioText(double ratio) {
  std::string out;
  AppendRatio(ratio, &out);
  return out;
}
double Read(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

TEST(NumberText, ShortDecimals) {
  EXPECT_EQ(Text(0), "0");
  EXPECT_EQ(Text(0.4), "0.4");
  EXPECT_EQ(Text(-12.25), "-12.25");
  EXPECT_EQ(Text(1), "1");
  EXPECT_EQ(Text(123456789), "123456789");
  EXPECT_EQ(Text(0.000001), "0.000001");
  EXPECT_EQ(Text(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(Text(1e300), "1e+300");
  EXPECT_EQ(Text(-0.0), "-0");
}

TEST(NumberText, ReadsBackEqualAndIsNeverLongerThanTheShortest) {
  EXPECT_TRUE(rc::check("any double", [](double value) {
    RC_PRE(std::isfinite(value));
    RC_ASSERT(Read(Text(value)) == value);
  }));
  EXPECT_TRUE(rc::check("short decimals", [](std::int32_t digits) {
    const double value = digits / 1e4;
    char shortest[32];
    const auto end =
        std::to_chars(shortest, shortest + sizeof shortest, value, std::chars_format::fixed).ptr;
    RC_ASSERT(Text(value) == std::string(shortest, end));
  }));
}

TEST(NumberText, Ages) {
  using std::chrono::microseconds;
  using std::chrono::milliseconds;
  EXPECT_EQ(AgeText(base::Duration(0)), "\"0ms\"");
  EXPECT_EQ(AgeText(base::Duration(999)), "\"0ms\"");
  EXPECT_EQ(AgeText(microseconds(1)), "\"0.001ms\"");
  EXPECT_EQ(AgeText(microseconds(12'300)), "\"12.3ms\"");
  EXPECT_EQ(AgeText(milliseconds(9'999)), "\"9999ms\"");
  EXPECT_EQ(AgeText(milliseconds(10'050)), "\"10.05s\"");
  EXPECT_EQ(AgeText(-milliseconds(3)), "\"-3ms\"");
}

TEST(NumberText, Ratios) {
  EXPECT_EQ(RatioText(0), "0");
  EXPECT_EQ(RatioText(0.12345), "0.123");
  EXPECT_EQ(RatioText(2), "2");
  EXPECT_EQ(RatioText(-0.5), "-0.5");
  EXPECT_EQ(RatioText(-0.0001), "0");
  EXPECT_EQ(Read(RatioText(1e13)), 1e13);
  EXPECT_EQ(Read(RatioText(INFINITY)), std::numeric_limits<double>::max());
}

TEST(PageTokens, CarryAnyCursorAndNothingElse) {
  EXPECT_TRUE(rc::check("round trip", [](const std::string& cursor) {
    std::string back;
    RC_ASSERT(CursorOf(PageToken(cursor), &back));
    RC_ASSERT(back == cursor);
  }));
  std::string ignored;
  for (const char* bad : {"a", "!!!!", "YQ==", " YQ", "YR", "%"}) {
    EXPECT_FALSE(CursorOf(bad, &ignored)) << bad;
  }
}

}  // namespace
}  // namespace muster::api
