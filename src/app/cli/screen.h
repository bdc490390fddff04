// A part of the terminal that is drawn anew in place.
#pragma once

#include <string>
#include <vector>

#include "app/cli/terminal.h"

namespace muster::app {

class Screen {
 public:
  // Takes the whole terminal over (its alternate screen), until destruction.
  explicit Screen(Terminal* terminal);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  // At most the terminal's height and width are shown.
  void Draw(const std::vector<std::string>& lines);

 private:
  Terminal* terminal_;
};

}  // namespace muster::app
