#include "app/config/option_flags.h"

#include <unistd.h>

#include "base/strings.h"

namespace muster::app {

namespace {

constexpr std::string_view kUnset = "\x01";  // no text that a command line can hold in earnest

bool IsSwitch(const Option& option) {
  Settings settings;
  return std::holds_alternative<bool*>(option.slot(&settings));
}

std::string Placeholder(const Option& option) {
  Settings settings;
  const Slot slot = option.slot(&settings);
  if (std::holds_alternative<base::Duration*>(slot)) return "DURATION";
  if (std::holds_alternative<std::span<double>>(slot)) return "N,N...";
  if (option.unit == "bytes") return "SIZE";
  if (!std::holds_alternative<std::string*>(slot)) return "N";
  if (option.key == "data") return "DIR";
  if (option.key.ends_with("_file")) return "FILE";
  return option.key == "listen" ? "HOST:PORT" : "NAME";
}

}  // namespace

OptionFlags::OptionFlags()
    : texts_(Options().size(), std::string(kUnset)),
      switches_(std::make_unique<bool[]>(Options().size())) {}

void OptionFlags::AddTo(std::vector<Parameter>* parameters) {
  parameters->push_back(
      {"-c,--config", "FILE", "The configuration, a TOML file.", &file_, false, "MUSTER_CONFIG"});
  for (std::size_t i = 0; i < Options().size(); ++i) {
    const Option& option = Options()[i];
    const std::string_view section = Section(option);
    Parameter parameter;
    parameter.name = FlagName(option);
    parameter.doc = option.doc;
    if (IsSwitch(option)) {
      parameter.target = &switches_[i];
    } else {
      parameter.value = Placeholder(option);
      parameter.target = &texts_[i];
      parameter.choices.assign(option.choices.begin(), option.choices.end());
    }
    if (!section.empty()) parameter.group = base::StrCat("Options, [", section, "]");
    parameters->push_back(std::move(parameter));
  }
}

absl::StatusOr<Configuration> OptionFlags::Load(Terminal* terminal, const std::string& file) const {
  ConfigurationSources sources;
  const std::string& name = file.empty() ? file_ : file;
  if (auto status = ReadConfigurationFile(name, &sources); !status.ok()) {
    *terminal->err << "muster: " << base::Message(status) << "\n";
    return status;
  }
  sources.environment = MusterVariables(environ);
  for (std::size_t i = 0; i < Options().size(); ++i) {
    const std::string key(Options()[i].key);
    if (IsSwitch(Options()[i])) {
      if (switches_[i]) sources.flags.emplace_back(key, "true");
    } else if (texts_[i] != kUnset) {
      sources.flags.emplace_back(key, texts_[i]);
    }
  }
  auto configuration = Configure(sources);
  if (!configuration.ok()) {
    *terminal->err << base::Message(configuration.status()) << "\n";
    return configuration;
  }
  for (const std::string& warning : configuration->warnings) {
    *terminal->err << "muster: " << warning << "\n";
  }
  return configuration;
}

}  // namespace muster::app
