#include "app/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

namespace muster::app {

namespace {

std::string_view Sequence(Colour colour) {
  switch (colour) {
    case Colour::kPlain:
      return "";
    case Colour::kBold:
      return "\x1b[1m";
    case Colour::kDim:
      return "\x1b[2m";
    case Colour::kRed:
      return "\x1b[31m";
    case Colour::kGreen:
      return "\x1b[32m";
    case Colour::kYellow:
      return "\x1b[33m";
    case Colour::kBlue:
      return "\x1b[34m";
    case Colour::kCyan:
      return "\x1b[36m";
  }
  return "";
}

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// East Asian wide characters and emoji take two columns; the ranges are those in common use.
std::size_t ColumnsOf(std::uint32_t c) {
  const bool is_mark = (c >= 0x300 && c <= 0x36f) || c == 0x200d || (c >= 0xfe00 && c <= 0xfe0f);
  if (is_mark) return 0;
  const bool is_wide = (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) ||
                       (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) ||
                       (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
                       (c >= 0x1f300 && c <= 0x1faff);
  return is_wide ? 2 : 1;
}

// The character that begins at `at`, which moves behind it.
std::uint32_t NextCharacter(std::string_view text, std::size_t* at) {
  const auto first = static_cast<unsigned char>(text[(*at)++]);
  std::uint32_t value = first;
  if (first >= 0xf0) {
    value = first & 0x07;
  } else if (first >= 0xe0) {
    value = first & 0x0f;
  } else if (first >= 0xc0) {
    value = first & 0x1f;
  }
  while (*at < text.size() && IsContinuation(text[*at])) {
    value = value << 6 | (static_cast<unsigned char>(text[(*at)++]) & 0x3f);
  }
  return value;
}

}  // namespace

std::string Terminal::Paint(Colour colour, std::string_view text) const {
  if (!has_colours || colour == Colour::kPlain) return std::string(text);
  return std::string(Sequence(colour)).append(text).append("\x1b[0m");
}

Terminal SystemTerminal() {
  Terminal terminal;
  terminal.out = &std::cout;
  terminal.err = &std::cerr;
  terminal.is_interactive = isatty(STDOUT_FILENO) != 0;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  const bool is_dumb = kind == nullptr || std::string_view(kind) == "dumb";
  terminal.has_colours =
      terminal.is_interactive && !is_dumb && (no_colour == nullptr || *no_colour == '\0');
  MeasureTerminal(&terminal);
  return terminal;
}

void MeasureTerminal(Terminal* terminal) {
  winsize size{};
  if (!terminal->is_interactive || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return;
  if (size.ws_col >= 20) terminal->width = size.ws_col;
  if (size.ws_row >= 5) terminal->height = size.ws_row;
}

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\x1b') {
      const std::size_t end = text.find('m', at);
      if (end == std::string_view::npos) break;
      at = end + 1;
      continue;
    }
    width += ColumnsOf(NextCharacter(text, &at));
  }
  return width;
}

std::string Fit(std::string_view text, std::size_t width) {
  if (DisplayWidth(text) <= width) return std::string(text);
  if (width == 0) return "";
  std::size_t columns = 0, at = 0, end = 0;
  while (at < text.size()) {
    columns += ColumnsOf(NextCharacter(text, &at));
    if (columns > width - 1) break;
    end = at;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string Printable(std::string_view text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const std::uint32_t c = NextCharacter(text, &at);
    const bool is_control = c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) ||
                            (c >= 0x2066 && c <= 0x2069);
    if (is_control) {
      shown += c == '\n' || c == '\t' ? ' ' : '?';
    } else {
      shown.append(text.substr(begin, at - begin));
    }
  }
  return shown;
}

}  // namespace muster::app
