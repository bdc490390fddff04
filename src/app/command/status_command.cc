#include <chrono>
#include <optional>

#include "app/cli/interruption.h"
#include "app/cli/screen.h"
#include "app/client/client_command.h"
#include "app/command/commands.h"
#include "app/status/status_lines.h"
#include "base/strings.h"
#include "base/text.h"

namespace muster::app {

namespace {

using Clock = std::chrono::steady_clock;

class StatusCommand final : public ClientCommand {
 public:
  StatusCommand() {
    usage_.name = "status";
    usage_.summary = "Shows a node at work: queues, Workers, latency, freshness";
    usage_.parameters = {
        {"-w,--watch", "", "Draws it anew until Ctrl-C, with rates.", &is_watching_},
        {"--interval", "DURATION", "How often (default 1s).", &interval_},
    };
    AddServerParameters();
    usage_.examples = {{"muster status", "Once"},
                       {"muster status --watch --interval 500ms", "Twice a second"},
                       {"muster status --json | jq .queues.update", "GET /v1/scheduler as it is"}};
  }

  int Run(Terminal* terminal) override {
    const auto interval = base::ParseDuration(interval_);
    if (!interval.ok()) return Complain(terminal, base::Message(interval.status()));
    auto client = server_.Connect();
    if (!client.ok()) return Complain(terminal, base::Message(client.status()));
    auto status = ReadNodeStatus(&*client);
    if (!status.ok()) return Explain(status.status(), terminal);
    if (is_json_) {
      *terminal->out << status->scheduler_json << "\n";
      return kDone;
    }
    if (!is_watching_) {
      Print(StatusLines(server_.url, *status, nullptr, 0, *terminal), terminal);
      return kDone;
    }
    return Watch(&*client, std::move(*status), *interval, terminal);
  }

 private:
  static void Print(const Lines& lines, Terminal* terminal) {
    for (const std::string& line : lines) *terminal->out << line << "\n";
    terminal->out->flush();
  }

  int Explain(const absl::Status& status, Terminal* terminal) const {
    *terminal->err << "muster status: " << base::Message(status) << "\n";
    const bool is_reached = absl::IsPermissionDenied(status) || absl::IsInvalidArgument(status);
    return is_reached ? kRefused : kUnreachable;
  }

  int Watch(api::Client* client, NodeStatus before, base::Duration interval, Terminal* terminal) {
    Interruption interruption;
    std::optional<Screen> screen;
    if (terminal->is_interactive) screen.emplace(terminal);
    Clock::time_point before_at = Clock::now();
    while (!interruption.WaitFor(interval)) {
      auto now = ReadNodeStatus(client);
      if (!now.ok()) {
        screen.reset();
        return Explain(now.status(), terminal);
      }
      const Clock::time_point now_at = Clock::now();
      const double seconds = std::chrono::duration<double>(now_at - before_at).count();
      Lines lines = StatusLines(server_.url, *now, &before, seconds, *terminal);
      if (screen) {
        screen->Draw(lines);
      } else {
        lines.emplace_back();
        Print(lines, terminal);
      }
      before = std::move(*now);
      before_at = now_at;
    }
    return kDone;
  }

  bool is_watching_ = false;
  std::string interval_ = "1s";
};

}  // namespace

std::unique_ptr<Command> NewStatusCommand() { return std::make_unique<StatusCommand>(); }

}  // namespace muster::app
