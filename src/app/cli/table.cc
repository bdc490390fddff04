#include "app/cli/table.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace muster::app {

namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kShrunkMin = 8;

void AppendCell(const Terminal& terminal, const Table::Cell& cell, Table::Align align,
                std::size_t width, bool is_last, std::string* line) {
  const std::string text = Fit(cell.text, width);
  const std::size_t blanks = width - DisplayWidth(text);
  if (align == Table::Align::kRight) line->append(blanks, ' ');
  line->append(terminal.Paint(cell.colour, text));
  if (align == Table::Align::kLeft && !is_last) line->append(blanks, ' ');
  if (!is_last) line->append(kGap, ' ');
}

}  // namespace

void Table::AddRow(std::vector<Cell> cells) {
  MUSTER_CHECK(cells.size() == columns_.size(), "a row has a cell for each column");
  for (Cell& cell : cells) cell.text = Printable(cell.text);
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::Widths(const Terminal& terminal) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = DisplayWidth(columns_[i].title);
    for (const auto& row : rows_) width = std::max(width, DisplayWidth(row[i].text));
    widths.push_back(width);
  }
  if (!terminal.is_interactive) return widths;
  const std::size_t room = static_cast<std::size_t>(terminal.width);
  std::size_t total = std::accumulate(widths.begin(), widths.end(), std::size_t{0}) +
                      kGap * (widths.empty() ? 0 : widths.size() - 1);
  // The widest that may shrink gives way first.
  while (total > room) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const bool may = columns_[i].may_shrink && widths[i] > kShrunkMin;
      if (may && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    }
    if (widest == widths.size()) break;
    --widths[widest];
    --total;
  }
  return widths;
}

std::string Table::Render(const Terminal& terminal) const {
  const std::vector<std::size_t> widths = Widths(terminal);
  std::string out;
  const auto append_row = [&](const std::vector<Cell>& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      AppendCell(terminal, row[i], columns_[i].align, widths[i], i + 1 == row.size(), &line);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out.append(line).append("\n");
  };
  std::vector<Cell> titles;
  for (const Column& column : columns_) titles.push_back({column.title, Colour::kBold});
  append_row(titles);
  for (const auto& row : rows_) append_row(row);
  return out;
}

}  // namespace muster::app
