#include <chrono>
#include <optional>

#include "app/cli/figures.h"
#include "app/cli/interruption.h"
#include "app/cli/screen.h"
#include "app/client/client_command.h"
#include "app/client/json_view.h"
#include "app/command/commands.h"
#include "app/data/data_files.h"
#include "app/demo/demo_view.h"
#include "app/demo/fleet.h"
#include "app/demo/traffic.h"
#include "app/serve/server_process.h"
#include "app/serve/temporary_directory.h"
#include "base/strings.h"
#include "schedule/options.h"

namespace muster::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kFrame = std::chrono::milliseconds(250);
constexpr auto kLine = std::chrono::seconds(1);
constexpr std::size_t kFramesPerSecond = 4;
constexpr std::size_t kRatesKept = 40;

class Demo {
 public:
  Demo(const Fleet* fleet, const std::string& url, const TrafficOptions& options,
       api::Client client)
      : fleet_(*fleet), client_(std::move(client)), traffic_(options, fleet) {
    scene_.url = url;
    scene_.agents = fleet->agents().size();
    scene_.cards = fleet->cards();
  }

  absl::Status Register() {
    for (const DemoAgent& agent : fleet_.agents()) {
      const auto answer =
          client_.Send("PUT", AgentTarget(agent.id), fleet_.RegistrationJson(agent));
      if (!answer.ok()) return answer.status();
      if (answer->status >= 300) return absl::InternalError(RefusalText(*answer));
    }
    return absl::OkStatus();
  }

  // Until a signal comes, or for `seconds` if that isn't 0.
  absl::Status Show(double seconds, Interruption* interruption, Terminal* terminal) {
    traffic_.Start();
    begin_ = Clock::now();
    if (auto status = Observe(); !status.ok()) return status;
    {
      std::optional<Screen> screen;
      if (terminal->is_interactive) screen.emplace(terminal);
      while (true) {
        const base::Duration pause = screen ? base::Duration(kFrame) : base::Duration(kLine);
        const bool is_over = seconds > 0 && SecondsSoFar() >= seconds;
        if (is_over || interruption->WaitFor(pause)) break;
        if (auto status = Observe(); !status.ok()) return status;
        if (screen) {
          screen->Draw(DemoFrame(scene_, *terminal));
        } else {
          *terminal->out << DemoLine(scene_) << std::endl;
        }
      }
    }
    traffic_.Stop();
    if (auto status = Observe(); !status.ok()) return status;
    for (const std::string& line :
         DemoSummary(scene_, traffic_.stale(), traffic_.failures(), *terminal)) {
      *terminal->out << line << "\n";
    }
    return absl::OkStatus();
  }

 private:
  double SecondsSoFar() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }

  absl::Status Observe() {
    auto node = ReadNodeStatus(&client_);
    if (!node.ok()) return node.status();
    DemoMoment moment;
    moment.seconds = SecondsSoFar();
    moment.node = std::move(*node);
    moment.reports = traffic_.reports();
    moment.queries = traffic_.queries();
    moment.report_nanos = traffic_.report_nanos();
    moment.query_nanos = traffic_.query_nanos();
    KeepRate(moment.seconds, moment.reports, &DemoMoment::reports, &scene_.report_rates);
    KeepRate(moment.seconds, moment.queries, &DemoMoment::queries, &scene_.query_rates);
    moments_.push_back(moment);
    if (moments_.size() > kFramesPerSecond + 1) moments_.pop_front();
    scene_.before = moments_.front();
    scene_.now = std::move(moment);
    scene_.answers = traffic_.LatestAnswers();
    return ReadAges();
  }

  void KeepRate(double seconds, std::uint64_t count, std::uint64_t DemoMoment::*member,
                std::deque<double>* rates) const {
    if (moments_.empty()) return;
    const DemoMoment& last = moments_.back();
    const double span = std::max(1e-3, seconds - last.seconds);
    rates->push_back(static_cast<double>(count - last.*member) / span);
    if (rates->size() > kRatesKept) rates->pop_front();
  }

  // Every few agents of the fleet, so that often and seldom reporting ones are among them.
  absl::Status ReadAges() {
    constexpr std::size_t kShown = 7;
    scene_.ages.clear();
    JsonDocument document;
    const std::size_t size = fleet_.agents().size();
    for (std::size_t i = 0; i < kShown; ++i) {
      const DemoAgent& agent = fleet_.agents()[i * size / kShown];
      const auto answer = client_.Send("GET", AgentTarget(agent.id));
      if (!answer.ok()) return answer.status();
      if (answer->status != 200 || !document.Parse(answer->body).ok()) continue;
      const JsonView load = document.root()["states"]["load"];
      if (!load.exists()) continue;
      scene_.ages.push_back({agent.id, load["value"].Number(), AgeText(load["age"].Text()),
                             std::string(load["max_age"].Text()), load["freshness"].Number()});
    }
    return absl::OkStatus();
  }

  const Fleet& fleet_;
  api::Client client_;
  Traffic traffic_;
  DemoScene scene_;
  std::deque<DemoMoment> moments_;
  Clock::time_point begin_;
};

class DemoCommand final : public Command {
 public:
  DemoCommand() {
    usage_.name = "demo";
    usage_.summary = "Shows a node at work on real cards and traces";
    usage_.description =
        "Starts a node on loopback, registers real agent cards, feeds their states from recorded "
        "traces at an accelerated pace, in bursts, asks for agents, and shows queues, Workers, "
        "ages, "
        "answers, throughput and latency as they change; at the end, a summary. Where the output "
        "is "
        "no terminal it prints a line a second. The node is a real one: other commands can talk to "
        "it at the address that is shown.";
    usage_.parameters = {
        {"--seconds", "N", "Ends after so many seconds (default: at Ctrl-C).", &seconds_, false,
         "DEMO_SECONDS"},
        {"-a,--agents", "N", "Agents; each card is registered as often as needed (default 480).",
         &agents_},
        {"--reports", "N", "Reports a second, on average (default 2000).", &reports_},
        {"--queries", "N", "Queries a second, on average (default 200).", &queries_},
        {"--policy", "NAME", "How the node divides its Workers (default joint).", &policy_, false,
         "", schedule::PolicyNames()},
        {"--data-dir", "DIR", "Where the cards and traces are.", &data_dir_, false,
         "MUSTER_DATA_FILES"},
    };
    usage_.examples = {{"muster demo", "Until Ctrl-C"},
                       {"muster demo --seconds 10 | cat", "Ten lines and a summary"},
                       {"muster demo --reports 20000 --agents 5000", "Under more load"}};
  }

  const Usage& usage() const override { return usage_; }

  int Run(Terminal* terminal) override {
    const bool is_right = seconds_ >= 0 && agents_ >= 1 && agents_ <= 100'000 && reports_ > 0 &&
                          reports_ <= 1e6 && queries_ > 0 && queries_ <= 1e5;
    if (!is_right) {
      *terminal->err
          << "muster demo: --seconds from 0, --agents 1 to 100000, --reports and --queries "
             "more than 0\n";
      return kUsage;
    }
    const absl::Status status = Show(terminal);
    if (status.ok()) return kDone;
    *terminal->err << "muster demo: " << base::Message(status) << "\n";
    return absl::IsNotFound(status) ? kUsage : kCannotStart;
  }

 private:
  absl::Status Show(Terminal* terminal) {
    const auto directory = FindDataDirectory(data_dir_);
    if (!directory.ok()) return directory.status();
    const auto fleet = Fleet::Load(*directory, agents_);
    if (!fleet.ok()) return fleet.status();
    Interruption interruption;  // before any thread, so that all have the signals blocked
    const auto home = TemporaryDirectory::Make();
    if (!home.ok()) return home.status();
    auto server = ServerProcess::Start(home->path(), {"--scheduler-policy", policy_});
    if (!server.ok()) return server.status();
    TrafficOptions options{(*server)->url(), reports_, queries_};
    api::ClientOptions client_options;
    client_options.url = options.url;
    auto client = api::Client::Make(client_options);
    if (!client.ok()) return client.status();
    *terminal->out << "A node listens on " << options.url << "; registering "
                   << fleet->agents().size() << " agents from " << fleet->cards()
                   << " real cards ..." << std::endl;
    Demo demo(&*fleet, options.url, options, std::move(*client));
    if (auto status = demo.Register(); !status.ok()) return status;
    return demo.Show(seconds_, &interruption, terminal);
  }

  double seconds_ = 0, reports_ = 2000, queries_ = 200;
  std::uint64_t agents_ = 480;
  std::string data_dir_, policy_ = "joint";
  Usage usage_;
};

}  // namespace

std::unique_ptr<Command> NewDemoCommand() { return std::make_unique<DemoCommand>(); }

}  // namespace muster::app
