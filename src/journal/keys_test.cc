#include "journal/keys.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <string>

namespace muster::journal {
namespace {

TEST(Keys, HaveTheDocumentedBytes) {
  EXPECT_EQ(Hex(Key::OfNumber(0x2a).bytes()), "0x000000000000002a");
  EXPECT_EQ(Hex(Key::OfPiece(0x0102).bytes()), "0x00000102");
  EXPECT_EQ(Hex(Key::OfEvent(1, 2).bytes()), "0x00000000000000010000000000000002");
  EXPECT_EQ(Key::OfState(0x4142).bytes(), "state/AB");
}

TEST(Keys, AreOrderedAsTheirNumbers) {
  EXPECT_TRUE(rc::check([](std::uint64_t a, std::uint64_t b) {
    const Key left = Key::OfNumber(a), right = Key::OfNumber(b);
    RC_ASSERT((left.bytes() < right.bytes()) == (a < b));
  }));
}

TEST(Keys, ReadBack) {
  EXPECT_EQ(NumberOf(Key::OfNumber(77).bytes()), 77u);
  EXPECT_EQ(PieceOf(Key::OfPiece(78).bytes()), 78u);
  EXPECT_EQ(StateOf(Key::OfState(79).bytes()), 79u);
  const auto place = EventPlaceOf(Key::OfEvent(80, 81).bytes());
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->life, 80u);
  EXPECT_EQ(place->number, 81u);
}

TEST(Keys, OfAnotherKindAreNotRead) {
  EXPECT_FALSE(NumberOf("short").has_value());
  EXPECT_FALSE(PieceOf("longer").has_value());
  EXPECT_FALSE(StateOf("state/").has_value());
  EXPECT_FALSE(StateOf("stole/AB").has_value());
  EXPECT_FALSE(EventPlaceOf(Key::OfNumber(1).bytes()).has_value());
}

}  // namespace
}  // namespace muster::journal
