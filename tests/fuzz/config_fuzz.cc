// Any bytes as a configuration file: refused with a line, or printed so that it reads back the
// same.
#include <cstddef>
#include <cstdint>
#include <string>

#include "app/config/configuration.h"
#include "app/config/configuration_text.h"
#include "base/check.h"
#include "base/strings.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using muster::app::Configure;
  muster::app::ConfigurationSources sources;
  sources.file_name = "f";
  sources.file_text.assign(reinterpret_cast<const char*>(data), size);
  const auto first = Configure(sources);
  if (!first.ok()) {
    MUSTER_CHECK(!first.status().message().empty(), "a mistake is named");
    return 0;
  }
  sources.file_text = muster::app::ConfigurationToml(*first);
  const auto second = Configure(sources);
  MUSTER_CHECK(second.ok(), "what is printed can be read");
  for (const muster::app::Option& option : muster::app::Options()) {
    MUSTER_CHECK(TextOf(option, first->settings) == TextOf(option, second->settings),
                 "what is printed means the same");
  }
  MUSTER_CHECK(first->settings.node.states == second->settings.node.states,
               "states read back the same");
  return 0;
}
