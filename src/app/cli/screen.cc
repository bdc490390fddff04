#include "app/cli/screen.h"

#include <algorithm>

namespace muster::app {

namespace {

// A line with colours in it can't be cut in the middle of a sequence: so at its visible width.
std::string Cut(const std::string& line, std::size_t width) {
  if (DisplayWidth(line) <= width) return line;
  std::string shown;
  std::size_t columns = 0;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at + 1;
    if (line[at] == '\x1b') {
      end = std::min(line.find('m', at), line.size() - 1) + 1;
    } else {
      while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) ++end;
      columns += DisplayWidth(std::string_view(line).substr(at, end - at));
      if (columns > width) break;
    }
    shown.append(line, at, end - at);
    at = end;
  }
  return shown + "\x1b[0m";
}

}  // namespace

Screen::Screen(Terminal* terminal) : terminal_(terminal) {
  *terminal_->out << "\x1b[?1049h\x1b[?25l" << std::flush;
}

Screen::~Screen() { *terminal_->out << "\x1b[?25h\x1b[?1049l" << std::flush; }

void Screen::Draw(const std::vector<std::string>& lines) {
  MeasureTerminal(terminal_);
  const auto width = static_cast<std::size_t>(terminal_->width);
  const std::size_t height = std::min(lines.size(), static_cast<std::size_t>(terminal_->height));
  std::string frame = "\x1b[H";
  for (std::size_t i = 0; i < height; ++i) {
    frame += Cut(lines[i], width);
    frame += "\x1b[K";
    if (i + 1 < height) frame += "\r\n";
  }
  frame += "\x1b[J";
  *terminal_->out << frame << std::flush;
}

}  // namespace muster::app
