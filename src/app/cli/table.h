// Aligned columns for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/cli/terminal.h"

namespace muster::app {

class Table {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kLeft;
    bool may_shrink = false;  // cut where the terminal is too narrow
  };
  struct Cell {
    std::string text;
    Colour colour = Colour::kPlain;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as there are columns.
  void AddRow(std::vector<Cell> cells);
  std::size_t rows() const { return rows_.size(); }

  // Two blanks between columns, none at the end of a line; the titles first, bold where there are
  // colours. Without a terminal nothing is cut.
  std::string Render(const Terminal& terminal) const;

 private:
  std::vector<std::size_t> Widths(const Terminal& terminal) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace muster::app
