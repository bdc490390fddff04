#include <algorithm>
#include <thread>

#include "absl/strings/numbers.h"
#include "app/bench/ceilings.h"
#include "app/bench/suite.h"
#include "app/client/client_command.h"
#include "app/command/commands.h"
#include "app/data/data_files.h"
#include "base/strings.h"
#include "base/text.h"
#include "load/generator.h"
#include "load/summary.h"

namespace muster::app {

namespace {

class BenchCommand final : public Command {
 public:
  BenchCommand() {
    usage_.name = "bench";
    usage_.summary = "Puts a node under load and measures it";
    usage_.description =
        "Sends a mix of requests to --server: in a closed loop (each connection keeps a window of "
        "requests under way), or with --rate in an open one, where latency is measured from the "
        "instant at which a request was due, so that a stalled server can't hide it. With --suite, "
        "it "
        "starts nodes of its own and runs the canonical workload, each figure beside the ceiling "
        "that "
        "this machine sets.";
    AddLoadParameters();
    AddOtherParameters();
    usage_.examples = {
        {"muster bench --register --agents 10000 --mix report", "Single reports, closed loop"},
        {"muster bench --mix report=65,discover=9 --rate 74000",
         "A mix at a fixed rate, open loop"},
        {"muster bench --mix batch --connections 2 --window 2", "NDJSON uploads"},
        {"muster bench --suite --json", "The canonical workload"},
    };
  }

  const Usage& usage() const override { return usage_; }

  int Run(Terminal* terminal) override {
    if (is_suite_) {
      SuiteOptions suite;
      suite.data_directory = data_dir_;
      suite.is_quick = is_quick_;
      suite.agents = {10'000, 100'000};
      suite.figures_file = figures_;
      return RunSuite(suite, is_json_, terminal);
    }
    load::RunOptions options;
    if (auto status = ReadOptions(&options); !status.ok()) {
      *terminal->err << "muster bench: " << base::Message(status) << "\n";
      return kUsage;
    }
    if (is_registering_) {
      const auto registered = load::RegisterAll(options);
      if (!registered.ok()) return Explain(registered.status(), terminal);
      if (!is_json_) *terminal->out << "registered:\n" << load::SummaryText(*registered);
    }
    const auto result = load::Run(options);
    if (!result.ok()) return Explain(result.status(), terminal);
    *terminal->out << (is_json_ ? load::SummaryJson(*result) + "\n" : load::SummaryText(*result));
    if (with_ceiling_) return ShowCeiling(options, terminal);
    return kDone;
  }

 private:
  void AddLoadParameters() {
    usage_.parameters = {
        {"-m,--mix", "MIX",
         "Kinds of requests and their weights: register, report, batch, get, "
         "discover, list (default report).",
         &mix_},
        {"-r,--rate", "N", "Open loop with so many requests a second (default: closed loop).",
         &rate_},
        {"--arrivals",
         "HOW",
         "How an open loop's requests are spaced (default poisson).",
         &arrivals_,
         false,
         "",
         {"poisson", "uniform"}},
        {"-c,--connections", "N", "Connections (default 32).", &connections_},
        {"-w,--window", "N", "Requests under way on a connection at most (default 8).", &window_},
        {"-d,--duration", "DURATION", "How long is measured (default 5s).", &duration_},
        {"--warm-up", "DURATION", "How long is sent before (default 1s).", &warm_up_},
        {"-t,--threads", "N", "Threads of the generator (default 1).", &threads_},
        {"-a,--agents", "N", "Agents that reports and look-ups are about (default 10000).",
         &agents_},
        {"--register", "", "Registers these agents first.", &is_registering_},
        {"--batch", "N", "Lines of a batch (default 500).", &batch_},
        {"--query", "JSON", "The body of every discovery, instead of drawn ones.", &query_},
        {"--seed", "N", "Of all chance (default 1).", &seed_},
        {"--ceiling", "", "Also measures a bare epoll loop under the same load.", &with_ceiling_},
    };
  }

  void AddOtherParameters() {
    usage_.parameters.push_back(
        {"--suite", "", "Runs the canonical workload on nodes of its own.", &is_suite_});
    usage_.parameters.push_back(
        {"--quick", "", "With --suite: a second each, for a first look.", &is_quick_});
    usage_.parameters.push_back(
        {"--figures", "FILE", "With --suite: also writes the JSON here.", &figures_});
    usage_.parameters.push_back({"--data-dir", "DIR",
                                 "Where the sample data is, for names of skills.", &data_dir_,
                                 false, "MUSTER_DATA_FILES"});
    usage_.parameters.push_back({"--json", "", "As JSON, for programs.", &is_json_});
    server_.AddTo(&usage_.parameters);
  }

  absl::Status ReadServer(load::RunOptions* options) const {
    std::string_view address(server_.url);
    const std::size_t scheme = address.find("://");
    if (scheme != std::string_view::npos) address.remove_prefix(scheme + 3);
    const std::size_t colon = address.rfind(':');
    std::uint64_t port = 0;
    const bool has_port = colon != std::string_view::npos &&
                          absl::SimpleAtoi(base::ToAbsl(address.substr(colon + 1)), &port);
    if (!has_port || port == 0 || port > 65535) {
      return base::InvalidArgument(
          base::StrCat("--server must be http://ADDRESS:PORT here, as http://127.0.0.1:7700, not `",
                       server_.url, "`"));
    }
    options->host = std::string(address.substr(0, colon));
    if (options->host == "localhost") options->host = "127.0.0.1";
    options->port = static_cast<std::uint16_t>(port);
    auto token = server_.ReadToken();
    if (!token.ok()) return token.status();
    options->workload.token = *token;
    return absl::OkStatus();
  }

  absl::Status ReadOptions(load::RunOptions* options) const {
    if (auto status = ReadServer(options); !status.ok()) return status;
    const auto mix = load::ParseMix(mix_);
    if (!mix.ok()) return mix.status();
    options->workload.mix = *mix;
    const std::pair<const std::string*, base::Duration*> durations[] = {
        {&duration_, &options->duration}, {&warm_up_, &options->warm_up}};
    for (const auto& [text, value] : durations) {
      const auto duration = base::ParseDuration(*text);
      if (!duration.ok()) return duration.status();
      *value = *duration;
    }
    struct Count {
      std::string_view name;
      std::uint64_t value;
      std::uint64_t maximum;
      std::uint32_t* place;
    };
    const Count counts[] = {{"--connections", connections_, 10'000, &options->connections},
                            {"--window", window_, 10'000, &options->window},
                            {"--threads", threads_, 64, &options->threads},
                            {"--agents", agents_, 9'999'999, &options->workload.agents},
                            {"--batch", batch_, 100'000, &options->workload.batch_lines}};
    for (const Count& count : counts) {
      if (count.value < 1 || count.value > count.maximum) {
        return base::InvalidArgument(base::StrCat(count.name, " takes 1 to ", count.maximum));
      }
      *count.place = static_cast<std::uint32_t>(count.value);
    }
    if (!(rate_ >= 0 && rate_ <= 1e8)) return base::InvalidArgument("--rate takes 0 to 100000000");
    options->rate = rate_;
    options->arrivals =
        arrivals_ == "uniform" ? load::Arrivals::kUniform : load::Arrivals::kPoisson;
    options->workload.discover_body = query_;
    options->workload.seed = seed_;
    const auto directory = FindDataDirectory(data_dir_);
    options->workload.skills = SkillNames(directory.ok() ? *directory : "", kBenchSkills);
    return absl::OkStatus();
  }

  int ShowCeiling(const load::RunOptions& options, Terminal* terminal) const {
    const auto ceiling =
        BareLoopCeiling(options, std::max(1u, std::thread::hardware_concurrency()), "{}");
    if (!ceiling.ok()) return Explain(ceiling.status(), terminal);
    if (is_json_) {
      *terminal->out << load::SummaryJson(*ceiling) << "\n";
    } else {
      *terminal->out << "\na bare epoll loop under the same load:\n" << load::SummaryText(*ceiling);
    }
    return kDone;
  }

  static int Explain(const absl::Status& status, Terminal* terminal) {
    *terminal->err << "muster bench: " << base::Message(status) << "\n";
    if (absl::IsInvalidArgument(status)) return kUsage;
    return absl::IsUnavailable(status) ? kUnreachable : kRefused;
  }

  std::string mix_ = "report", arrivals_ = "poisson", duration_ = "5s", warm_up_ = "1s", query_,
              data_dir_, figures_;
  double rate_ = 0;
  std::uint64_t connections_ = 32, window_ = 8, threads_ = 1, agents_ = 10'000, batch_ = 500,
                seed_ = 1;
  bool is_registering_ = false, with_ceiling_ = false, is_suite_ = false, is_quick_ = false,
       is_json_ = false;
  ServerAccess server_;
  Usage usage_;
};

}  // namespace

std::unique_ptr<Command> NewBenchCommand() { return std::make_unique<BenchCommand>(); }

}  // namespace muster::app
