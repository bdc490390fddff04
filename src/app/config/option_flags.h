// The options as parameters of a command, and what was set by them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/config/configuration.h"

namespace muster::app {

class OptionFlags {
 public:
  OptionFlags();
  OptionFlags(const OptionFlags&) = delete;
  OptionFlags& operator=(const OptionFlags&) = delete;

  // One parameter an option; those of a section share a group. And --config.
  void AddTo(std::vector<Parameter>* parameters);

  // The configuration from the file, the environment of this process and the flags. On a mistake
  // the problems are written to `terminal` and the result is an error. `file`, if not empty, is
  // read instead of the one that --config names.
  absl::StatusOr<Configuration> Load(Terminal* terminal, const std::string& file = "") const;

 private:
  std::string file_;
  std::vector<std::string> texts_;  // by option; of switches: empty
  std::unique_ptr<bool[]> switches_;
};

}  // namespace muster::app
