#include "app/cli/table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "app/cli/figures.h"

namespace muster::app {
namespace {

Table TwoColumns() {
  Table table({{"ID", Table::Align::kLeft, true}, {"LOAD", Table::Align::kRight}});
  table.AddRow({{"translator"}, {"0.4", Colour::kGreen}});
  table.AddRow({{"x"}, {"0.25"}});
  return table;
}

TEST(TableTest, AlignsColumnsAndEndsLinesWithoutBlanks) {
  EXPECT_EQ(TwoColumns().Render(Terminal()),
            "ID          LOAD\n"
            "translator   0.4\n"
            "x           0.25\n");
}

TEST(TableTest, ColoursDontChangeTheAlignment) {
  Terminal terminal;
  terminal.has_colours = true;
  EXPECT_EQ(TwoColumns().Render(terminal),
            "\x1b[1mID\x1b[0m          \x1b[1mLOAD\x1b[0m\n"
            "translator   \x1b[32m0.4\x1b[0m\n"
            "x           0.25\n");
}

TEST(TableTest, CutsWhatMayShrinkOnANarrowTerminal) {
  Terminal terminal;
  terminal.is_interactive = true;
  terminal.width = 14;
  EXPECT_EQ(TwoColumns().Render(terminal),
            "ID        LOAD\n"
            "transla…   0.4\n"
            "x         0.25\n");
}

TEST(TableTest, ShowsControlCharactersInsteadOfObeyingThem) {
  Table table({{"A"}});
  table.AddRow({{"a\x1b[31mb\nc\x7f"}});
  EXPECT_EQ(table.Render(Terminal()), "A\na?[31mb c?\n");
}

TEST(TerminalTest, MeasuresWideAndCombiningCharacters) {
  EXPECT_EQ(DisplayWidth("abc"), 3u);
  EXPECT_EQ(DisplayWidth("é"), 1u);
  EXPECT_EQ(DisplayWidth("漢字"), 4u);
  EXPECT_EQ(DisplayWidth("e\xcc\x81"), 1u);
  EXPECT_EQ(DisplayWidth("\x1b[31mred\x1b[0m"), 3u);
  EXPECT_EQ(Fit("漢字漢字", 5), "漢字…");
  EXPECT_EQ(Fit("abc", 3), "abc");
}

TEST(FiguresTest, AreShort) {
  EXPECT_EQ(ThousandsText(0), "0");
  EXPECT_EQ(ThousandsText(999), "999");
  EXPECT_EQ(ThousandsText(1234567), "1,234,567");
  EXPECT_EQ(CountText(950), "950");
  EXPECT_EQ(CountText(12345), "12.3k");
  EXPECT_EQ(CountText(2e6), "2M");
  EXPECT_EQ(SecondsText(0), "0s");
  EXPECT_EQ(SecondsText(850e-9), "850ns");
  EXPECT_EQ(SecondsText(1.24e-3), "1.24ms");
  EXPECT_EQ(SecondsText(130), "2m10s");
  EXPECT_EQ(BytesText(1536), "1.5KiB");
  EXPECT_EQ(PercentText(0.425), "42%");
}

TEST(FiguresTest, BarsHaveTheirWidth) {
  EXPECT_EQ(BarText(0, 4), "    ");
  EXPECT_EQ(BarText(0.5, 4), "██  ");
  EXPECT_EQ(BarText(0.53, 4), "██▏ ");
  EXPECT_EQ(BarText(7, 4), "████");
  EXPECT_EQ(DisplayWidth(BarText(0.3, 10)), 10u);
}

}  // namespace
}  // namespace muster::app
