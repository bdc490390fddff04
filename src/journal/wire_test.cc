#include "journal/wire.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace muster::journal {
namespace {

std::string Written(const std::vector<std::uint64_t>& numbers) {
  Encoder out;
  for (const std::uint64_t number : numbers) out.Varint(number);
  return std::string(out.bytes());
}

TEST(Wire, VarintsHaveTheDocumentedBytes) {
  EXPECT_EQ(Written({0}), std::string(1, '\0'));
  EXPECT_EQ(Written({127}), "\x7f");
  EXPECT_EQ(Written({128}), "\x80\x01");
  EXPECT_EQ(Written({300}), "\xac\x02");
  EXPECT_EQ(Written({std::numeric_limits<std::uint64_t>::max()}),
            "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

TEST(Wire, SignedNumbersNearZeroAreShort) {
  Encoder out;
  for (const std::int64_t number : {0, -1, 1, -64, 63}) out.Signed(number);
  EXPECT_EQ(out.bytes(), std::string_view("\0\x01\x02\x7f\x7e", 5));
}

TEST(Wire, ReadsBackWhatWasWritten) {
  EXPECT_TRUE(rc::check(
      [](std::uint64_t number, std::int64_t with_sign, double real, const std::string& text) {
        Encoder out;
        out.Varint(number);
        out.Signed(with_sign);
        out.Double(real);
        out.String(text);
        Decoder in(out.bytes());
        RC_ASSERT(in.Varint() == number);
        RC_ASSERT(in.Signed() == with_sign);
        RC_ASSERT(in.Double() == real);
        RC_ASSERT(in.String() == text);
        RC_ASSERT(in.Finished());
      }));
}

TEST(Wire, ExtremesReadBack) {
  Encoder out;
  out.Signed(std::numeric_limits<std::int64_t>::min());
  out.Signed(std::numeric_limits<std::int64_t>::max());
  Decoder in(out.bytes());
  EXPECT_EQ(in.Signed(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(in.Signed(), std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(in.Finished());
}

TEST(Wire, RefusesWhatIsCutOffOrTooLarge) {
  for (const std::string_view bytes :
       {std::string_view("\x80"), std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"),
        std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")}) {
    Decoder in(bytes);
    EXPECT_EQ(in.Varint(), 0u);
    EXPECT_FALSE(in.ok());
  }
  Decoder text(
      "\x05"
      "four");
  EXPECT_EQ(text.String(), "");
  EXPECT_FALSE(text.ok());
  Decoder real("1234567");
  EXPECT_EQ(real.Double(), 0.0);
  EXPECT_FALSE(real.ok());
}

TEST(Wire, ACountNeverExceedsWhatCouldFollow) {
  Decoder in(
      "\x03"
      "abcdef");
  EXPECT_EQ(in.Count(2), 3u);
  Decoder too_many(
      "\x04"
      "abcdef");
  EXPECT_EQ(too_many.Count(2), 0u);
  EXPECT_FALSE(too_many.ok());
}

TEST(Wire, AFailureStays) {
  Decoder in("\x01\x02");
  in.Fail();
  EXPECT_EQ(in.Varint(), 0u);
  EXPECT_EQ(in.left(), 0u);
  EXPECT_FALSE(in.Finished());
}

TEST(Wire, AClearedEncoderWritesIntoTheSameBuffer) {
  Encoder out;
  out.String(std::string(1000, 'x'));
  const char* before = out.bytes().data();
  for (int i = 0; i < 10; ++i) {
    out.Clear();
    out.String(std::string(1000, 'y'));
    EXPECT_EQ(out.bytes().data(), before);
  }
}

}  // namespace
}  // namespace muster::journal
