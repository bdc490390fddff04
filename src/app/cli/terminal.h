// Where a command writes, and what that place can show.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace muster::app {

enum class Colour { kPlain, kBold, kDim, kRed, kGreen, kYellow, kBlue, kCyan };

struct Terminal {
  std::ostream* out = nullptr;
  std::ostream* err = nullptr;
  bool is_interactive = false;  // `out` is a terminal
  bool has_colours = false;     // interactive, and NO_COLOR and TERM=dumb don't forbid it
  int width = 100;
  int height = 40;

  // The text in a colour, or as it is where there are none.
  std::string Paint(Colour colour, std::string_view text) const;
};

// Standard output and standard error.
Terminal SystemTerminal();
// The size may change while a program runs.
void MeasureTerminal(Terminal* terminal);

// Columns that the UTF-8 text takes on a terminal, colour sequences not counted.
std::size_t DisplayWidth(std::string_view text);
// At most `width` columns, the last of them an ellipsis where something was cut. No colours in it.
std::string Fit(std::string_view text, std::size_t width);
// Control characters, which a terminal would obey, shown as `?`.
std::string Printable(std::string_view text);

}  // namespace muster::app
