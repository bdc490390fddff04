#include <algorithm>

#include "app/config/option.h"
#include "app/config/option_sections.h"

namespace muster::app {

namespace {

std::string Renamed(std::string_view prefix, std::string_view key, char separator, bool upper) {
  std::string name(prefix);
  for (char c : key) {
    if (c == '.' || c == '_') c = separator;
    name += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return name;
}

}  // namespace

const std::vector<Option>& Options() {
  static const std::vector<Option> all = [] {
    std::vector<Option> options;
    for (auto section : {ServeOptions, LogOptions, HttpOptions, LimitOptions, SchedulerOptions,
                         NodeOptions, StoreOptions}) {
      for (Option& option : section()) options.push_back(std::move(option));
    }
    return options;
  }();
  return all;
}

const Option* FindOption(std::string_view key) {
  const auto& options = Options();
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const Option& option) { return option.key == key; });
  return found == options.end() ? nullptr : &*found;
}

std::string EnvironmentName(const Option& option) {
  return Renamed("MUSTER_", option.key, '_', true);
}

std::string FlagName(const Option& option) { return Renamed("--", option.key, '-', false); }

std::string_view Section(const Option& option) {
  const std::size_t dot = option.key.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : option.key.substr(0, dot);
}

std::string_view NameInSection(const Option& option) {
  const std::size_t dot = option.key.rfind('.');
  return dot == std::string_view::npos ? option.key : option.key.substr(dot + 1);
}

}  // namespace muster::app
