#include "app/command/commands.h"
#include "app/config/configuration_text.h"
#include "app/config/option_flags.h"
#include "app/serve/serving.h"
#include "base/strings.h"

namespace muster::app {

namespace {

class ConfigCommand final : public Command {
 public:
  ConfigCommand() {
    usage_.name = "config";
    usage_.summary = "Prints the configuration, or checks a file";
    usage_.description =
        "`print` shows every option with its value, default, unit and where the value came from, "
        "as "
        "a TOML file that can be used again. `check FILE` names the line of every mistake, and "
        "those "
        "in variables and flags, and then ends with code 2.";
    usage_.parameters = {
        {"action", "print|check", "What to do.", &action_, true, "", {"print", "check"}},
        {"file", "FILE", "For check: the file.", &file_},
        {"--json", "", "As JSON, for programs.", &is_json_},
        {"--markdown", "", "As docs/configuration.md, the defaults alone.", &is_markdown_},
    };
    flags_.AddTo(&usage_.parameters);
    usage_.examples = {
        {"muster config print >muster.toml", "A file to begin with"},
        {"muster config check muster.toml", "Is it right?"},
        {"MUSTER_WORKERS=4 muster config print --json", "What would serve use here?"},
    };
  }

  const Usage& usage() const override { return usage_; }

  int Run(Terminal* terminal) override {
    if (action_ == "check") return Check(terminal);
    if (!file_.empty()) {
      *terminal->err << "muster config print: it takes no file here; name it with --config\n";
      return kUsage;
    }
    if (is_markdown_) {
      *terminal->out << ConfigurationMarkdown();
      return kDone;
    }
    const auto configuration = flags_.Load(terminal);
    if (!configuration.ok()) return kUsage;
    *terminal->out << (is_json_ ? ConfigurationJson(*configuration)
                                : ConfigurationToml(*configuration));
    return kDone;
  }

 private:
  int Check(Terminal* terminal) {
    if (!flags_.Load(terminal, file_).ok()) return kUsage;
    *terminal->out << (file_.empty() ? "the configuration" : file_) << ": all right\n";
    return kDone;
  }

  std::string action_, file_;
  bool is_json_ = false, is_markdown_ = false;
  OptionFlags flags_;
  Usage usage_;
};

}  // namespace

std::unique_ptr<Command> NewConfigCommand() { return std::make_unique<ConfigCommand>(); }

}  // namespace muster::app
