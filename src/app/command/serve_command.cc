#include "app/command/commands.h"
#include "app/config/option_flags.h"
#include "app/serve/logging.h"
#include "app/serve/serving.h"
#include "base/strings.h"

namespace muster::app {

namespace {

class ServeCommand final : public Command {
 public:
  ServeCommand() {
    usage_.name = "serve";
    usage_.summary = "Runs a node";
    usage_.description =
        "Listens on loopback unless told otherwise; on an address that others can reach it starts "
        "only with a token file or with --allow-anonymous. SIGTERM and SIGINT end it in order, "
        "SIGHUP reads the tokens again. Every option can stand in a TOML file or in a MUSTER_* "
        "variable, too: see `muster config print`.";
    flags_.AddTo(&usage_.parameters);
    usage_.examples = {
        {"muster serve --data ./muster-data", "A node on 127.0.0.1:7700 that keeps its data"},
        {"muster serve --ephemeral --listen 127.0.0.1:0 --port-file port",
         "In memory, on a port that the system chooses and that is written to a file"},
        {"muster serve --config /etc/muster.toml --listen 0.0.0.0:7700 --token-file tokens",
         "For other machines: whoever has a token may come in"},
    };
  }

  const Usage& usage() const override { return usage_; }

  int Run(Terminal* terminal) override {
    const auto configuration = flags_.Load(terminal);
    if (!configuration.ok()) return kUsage;
    const Settings& settings = configuration->settings;
    if (auto status = CheckServeSettings(settings); !status.ok()) {
      *terminal->err << "muster serve: " << base::Message(status) << "\n";
      return kUsage;
    }
    ConfigureLogging(settings.log);
    const absl::Status status = Serve(settings);
    if (status.ok()) return kDone;
    *terminal->err << "muster serve: " << base::Message(status) << "\n";
    return kCannotStart;
  }

 private:
  OptionFlags flags_;
  Usage usage_;
};

}  // namespace

std::unique_ptr<Command> NewServeCommand() { return std::make_unique<ServeCommand>(); }

}  // namespace muster::app
