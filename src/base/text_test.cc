#include "base/text.h"

#include <rapidcheck.h>

#include <limits>
#include <string>

#include "absl/time/time.h"
#include "base/strings.h"
#include "gtest/gtest.h"

namespace muster::base {
namespace {

std::string Text(Duration d) {
  std::string out;
  AppendDuration(&out, d);
  return out;
}

std::string Text(WallTime at) {
  std::string out;
  AppendRfc3339(&out, at);
  return out;
}

std::int64_t Nanos(std::string_view text) {
  const auto parsed = ParseDuration(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.ok() ? parsed->count() : -1;
}

TEST(ParseDuration, ReadsEveryUnitAndSums) {
  EXPECT_EQ(Nanos("10ns"), 10);
  EXPECT_EQ(Nanos("250us"), 250'000);
  EXPECT_EQ(Nanos("150ms"), 150'000'000);
  EXPECT_EQ(Nanos("2s"), 2'000'000'000);
  EXPECT_EQ(Nanos("5m"), 300'000'000'000);
  EXPECT_EQ(Nanos("1.5h"), 5'400'000'000'000);
  EXPECT_EQ(Nanos("3d"), 259'200'000'000'000);
  EXPECT_EQ(Nanos("1m30s"), 90'000'000'000);
  EXPECT_EQ(Nanos("1d2h3m4s5ms6us7ns"), 93'784'005'006'007);
  EXPECT_EQ(Nanos("0s"), 0);
  EXPECT_EQ(Nanos("0.000000001s"), 1);
}

TEST(ParseDuration, ReadsTheLongestAndRefusesOneMore) {
  EXPECT_EQ(Nanos("9223372036854775807ns"), std::numeric_limits<std::int64_t>::max());
  EXPECT_FALSE(ParseDuration("9223372036854775808ns").ok());
  EXPECT_FALSE(ParseDuration("106752d").ok());
  EXPECT_FALSE(ParseDuration("9223333272036854d775807ns").ok());
  EXPECT_FALSE(ParseDuration("9223372036854775807d").ok());
  EXPECT_FALSE(ParseDuration("9223372036854775807.9ns9223372036854775807ns").ok());
  EXPECT_EQ(Nanos("0.999999999d"), 86'399'999'913'600);
  EXPECT_EQ(Nanos("1.9ns"), 1);
  EXPECT_FALSE(ParseDuration("106751d23h47m16.854775808s").ok());
  EXPECT_FALSE(ParseDuration(std::string(400, '9') + "s").ok());
}

TEST(ParseDuration, RefusesWhatIsNoneWithAnExample) {
  for (const char* text : {"",     "5",    "s",   "-5s", "+5s",           "5 s",  " 5s",   "5s ",
                           "5S",   "1e3s", "5.s", ".5s", "1.0000000000s", "1s1s", "30s1m", "1..5s",
                           "5sec", "0x1s", "1s,", "inf"}) {
    const auto parsed = ParseDuration(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_TRUE(absl::IsInvalidArgument(parsed.status())) << text;
    EXPECT_NE(Message(parsed.status()).find("150ms"), std::string_view::npos) << text;
  }
}

TEST(AppendDuration, WritesOneUnit) {
  EXPECT_EQ(Text(Duration(0)), "0s");
  EXPECT_EQ(Text(Duration(1)), "1ns");
  EXPECT_EQ(Text(Duration(1'500)), "1.5us");
  EXPECT_EQ(Text(Duration(150'000'000)), "150ms");
  EXPECT_EQ(Text(Duration(90'000'000'000)), "90s");
  EXPECT_EQ(Text(Duration(1'000'000'001)), "1.000000001s");
  EXPECT_EQ(Text(Duration(-1'500'000)), "-1.5ms");
  EXPECT_EQ(Text(Duration::min()), "-9223372036.854775808s");
}

TEST(AppendDuration, IsReadBack) {
  EXPECT_TRUE(rc::check([](std::int64_t drawn) {
    const Duration d(drawn & std::numeric_limits<std::int64_t>::max());
    const auto parsed = ParseDuration(Text(d));
    RC_ASSERT(parsed.ok());
    RC_ASSERT(*parsed == d);
  }));
}

TEST(Rfc3339, ReadsZonesFractionsAndLeapDays) {
  const auto nanos = [](std::string_view text) {
    const auto at = ParseRfc3339(text);
    EXPECT_TRUE(at.ok()) << text;
    return at.ok() ? at->time_since_epoch().count() : -1;
  };
  EXPECT_EQ(nanos("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(nanos("2001-09-09T01:46:40Z"), 1'000'000'000'000'000'000);
  EXPECT_EQ(nanos("2001-09-09T03:46:40.000000001+02:00"), 1'000'000'000'000'000'001);
  EXPECT_EQ(nanos("2001-09-08t19:46:40.5-06:00"), 1'000'000'000'500'000'000);
  EXPECT_EQ(nanos("1969-12-31T23:59:59.75z"), -250'000'000);
  EXPECT_EQ(nanos("2024-02-29T00:00:00Z"), 1'709'164'800'000'000'000);
}

TEST(Rfc3339, RefusesWhatIsNone) {
  for (const char* text : {"",
                           "yesterday",
                           "2026-01-01",
                           "2026-01-01T00:00:00",
                           "2026-01-01 00:00:00Z",
                           "2026-13-01T00:00:00Z",
                           "2026-00-01T00:00:00Z",
                           "2026-02-30T00:00:00Z",
                           "2023-02-29T00:00:00Z",
                           "2026-01-01T24:00:00Z",
                           "2026-01-01T00:60:00Z",
                           "2026-01-01T00:00:60Z",
                           "2026-01-01T00:00:00.Z",
                           "2026-01-01T00:00:00.0123456789Z",
                           "2026-01-01T00:00:00+1:00",
                           "2026-01-01T00:00:00+24:00",
                           "2026-01-01T00:00:00ZZ",
                           "2026-01-01T00:00:00Z ",
                           "-026-01-01T00:00:00Z",
                           "1677-12-31T00:00:00Z",
                           "2262-01-01T00:00:00Z",
                           "2026-1-01T00:00:00ZZZ",
                           "2026-01-01T00:00:0aZ"}) {
    EXPECT_FALSE(ParseRfc3339(text).ok()) << text;
  }
}

TEST(Rfc3339, DropsTrailingZeros) {
  EXPECT_EQ(Text(WallFromUnixNanos(0)), "1970-01-01T00:00:00Z");
  EXPECT_EQ(Text(WallFromUnixNanos(120'000'000)), "1970-01-01T00:00:00.12Z");
  EXPECT_EQ(Text(WallFromUnixNanos(-1)), "1969-12-31T23:59:59.999999999Z");
}

// Any instant between the years that we read.
WallTime AnyInstant() {
  constexpr std::int64_t kFirst = -9'214'560'000'000'000'000;  // 1678-01-01
  constexpr std::int64_t kEnd = 9'214'646'400'000'000'000;     // 2262-01-01
  const auto seconds =
      *rc::gen::inRange<std::int64_t>(kFirst / 1'000'000'000, kEnd / 1'000'000'000);
  const auto nanos = *rc::gen::element<std::int64_t>(0, 1, 10, 5'000, 999'999'999, 120'000'000);
  return WallFromUnixNanos(seconds * 1'000'000'000 + nanos);
}

TEST(Rfc3339, AgreesWithAbseil) {
  EXPECT_TRUE(rc::check([] {
    const WallTime at = AnyInstant();
    const absl::Time same = absl::FromUnixNanos(at.time_since_epoch().count());
    const auto zone = absl::FixedTimeZone(60 * *rc::gen::inRange(-1'439, 1'440));
    RC_ASSERT(Text(at) == absl::FormatTime("%Y-%m-%d%ET%H:%M:%E*SZ", same, absl::UTCTimeZone()));
    const std::string zoned = absl::FormatTime("%Y-%m-%d%ET%H:%M:%E*S%Ez", same, zone);
    absl::Time read;
    std::string error;
    RC_ASSERT(absl::ParseTime(absl::RFC3339_full, zoned, &read, &error));
    const auto parsed = ParseRfc3339(zoned);
    // An instant at the edge may have a year beyond it where its zone is.
    const auto year = absl::ToCivilYear(same, zone).year();
    RC_ASSERT(parsed.ok() == (year >= 1678 && year <= 2261));
    if (parsed.ok()) RC_ASSERT(absl::FromUnixNanos(parsed->time_since_epoch().count()) == read);
    const auto back = ParseRfc3339(Text(at));
    RC_ASSERT(back.ok());
    RC_ASSERT(*back == at);
  }));
}

TEST(Rfc3339, ReadsOnlyWhatAbseilReads) {
  EXPECT_TRUE(rc::check([] {
    std::string text = Text(AnyInstant());
    const auto where = *rc::gen::inRange<std::size_t>(0, text.size());
    text[where] = *rc::gen::element('0', '1', '9', '-', ':', 'T', 'Z', '.', '+', ' ', '\0', 'x');
    const auto parsed = ParseRfc3339(text);
    if (!parsed.ok()) return;
    absl::Time read;
    std::string error;
    RC_ASSERT(absl::ParseTime(absl::RFC3339_full, text, &read, &error));
    RC_ASSERT(absl::FromUnixNanos(parsed->time_since_epoch().count()) == read);
  }));
}

}  // namespace
}  // namespace muster::base
