#include "app/bench/suite.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <thread>

#include "app/bench/ceilings.h"
#include "app/cli/command.h"
#include "app/cli/figures.h"
#include "app/data/data_files.h"
#include "app/serve/server_process.h"
#include "app/serve/temporary_directory.h"
#include "base/strings.h"
#include "load/generator.h"

namespace muster::app {

namespace {

using load::Kind;

// Answers of about the size of a node's, for the bare loop.
const std::string kReportAnswer = R"({"status":"applied","superseded":[],"revision":12345678})";
const std::string kCardAnswer(900, 'x');
const std::string kDiscoverAnswer(1200, 'x');

struct Load {
  std::string name;
  load::Mix mix{};
  std::uint32_t connections = 32, window = 8;
  double rate = 0;
};

load::Mix Only(Kind kind) {
  load::Mix mix{};
  mix[static_cast<std::size_t>(kind)] = 1;
  return mix;
}

class Suite {
 public:
  Suite(const SuiteOptions& options, Terminal* terminal) : options_(options), terminal_(terminal) {
    const auto directory = FindDataDirectory(options.data_directory);
    skills_ = SkillNames(directory.ok() ? *directory : "", kBenchSkills);
    processors_ = std::max(1u, std::thread::hardware_concurrency());
  }

  absl::Status Run() {
    for (const std::uint32_t agents : options_.agents) {
      if (auto status = MeasurePopulation(agents); !status.ok()) return status;
    }
    return absl::OkStatus();
  }
  const std::vector<Figure>& figures() const { return figures_; }

 private:
  base::Duration Span() const {
    return options_.is_quick ? std::chrono::seconds(1) : std::chrono::seconds(6);
  }

  load::RunOptions RunOptionsOf(const Load& load, std::uint32_t agents) const {
    load::RunOptions run;
    run.port = server_->port();
    run.workload.mix = load.mix;
    run.workload.agents = agents;
    run.workload.skills = skills_;
    run.connections = load.connections;
    run.window = load.window;
    run.rate = load.rate;
    run.duration = Span();
    run.warm_up = options_.is_quick ? std::chrono::milliseconds(300) : std::chrono::seconds(1);
    return run;
  }

  void Say(const std::string& what) { *terminal_->err << what << "\n" << std::flush; }

  // The figure of one kind of a run.
  static Figure FigureOf(const std::string& name, const load::Result& result, Kind kind) {
    const load::KindResult& measured = result.kinds[static_cast<std::size_t>(kind)];
    Figure figure;
    figure.name = name;
    figure.unit = "/s";
    figure.value = result.seconds > 0 ? static_cast<double>(measured.items) / result.seconds : 0;
    const auto quantile = [&](double q) {
      return static_cast<double>(measured.latency_nanos.Quantile(q)) / 1e6;
    };
    figure.p50_ms = quantile(0.5);
    figure.p99_ms = quantile(0.99);
    figure.p999_ms = quantile(0.999);
    figure.errors = result.errors + result.broken + result.unanswered;
    return figure;
  }

  // A closed loop of one kind, and the same against the bare loop.
  absl::Status Measure(const Load& load, Kind kind, std::uint32_t agents, double target,
                       const std::string& answer) {
    Say(base::StrCat("measuring ", load.name, " ..."));
    const load::RunOptions run = RunOptionsOf(load, agents);
    const double cpu_before = server_->CpuSeconds();
    const auto result = load::Run(run);
    if (!result.ok()) return result.status();
    Figure figure = FigureOf(load.name, *result, kind);
    figure.target = target;
    // The warm-up's share is in the time as it is in the work.
    const double seconds = result->seconds + base::ToSeconds(run.warm_up);
    figure.cpu_us =
        (server_->CpuSeconds() - cpu_before) * 1e6 / std::max(1.0, figure.value * seconds);
    if (!answer.empty()) {
      const auto ceiling = BareLoopCeiling(run, processors_, answer);
      if (!ceiling.ok()) return ceiling.status();
      figure.ceiling = FigureOf("", *ceiling, kind).value;
      figure.ceiling_name = "bare epoll loop";
    }
    figures_.push_back(figure);
    return absl::OkStatus();
  }

  absl::Status MeasureRegistrations(const std::string& home, std::uint32_t agents) {
    Say(base::StrCat("registering ", agents, " agents ..."));
    Load load{"registrations, durable, " + CountText(agents) + " agents", {}, 32, 64};
    const std::uint64_t before = server_->MemoryBytes();
    const auto result = load::RegisterAll(RunOptionsOf(load, agents));
    if (!result.ok()) return result.status();
    Figure figure = FigureOf(load.name, *result, Kind::kRegister);
    figure.target = 40'000;
    const auto ceiling = StoreWriteCeiling(home + "/ceiling", 256, 700, Span() / 3);
    if (!ceiling.ok()) return ceiling.status();
    figure.ceiling = *ceiling;
    figure.ceiling_name = "RocksDB, 256 keys a synced write";
    figures_.push_back(figure);
    Figure memory;
    memory.name = "memory an agent, " + CountText(agents) + " agents";
    memory.unit = "B";
    memory.less_is_better = true;
    const std::uint64_t after = server_->MemoryBytes();
    memory.value = static_cast<double>(after - std::min(before, after)) / agents;
    figures_.push_back(memory);
    return absl::OkStatus();
  }

  absl::Status MeasureReports(std::uint32_t agents) {
    const std::string of = ", " + CountText(agents) + " agents";
    if (auto status = Measure({"single reports" + of, Only(Kind::kReport)}, Kind::kReport, agents,
                              75'000, kReportAnswer);
        !status.ok()) {
      return status;
    }
    if (auto status = Measure({"batched reports, NDJSON" + of, Only(Kind::kReportBatch), 8, 4},
                              Kind::kReportBatch, agents, 500'000, kReportAnswer);
        !status.ok()) {
      return status;
    }
    return Measure({"look-ups" + of, Only(Kind::kGet)}, Kind::kGet, agents, 100'000, kCardAnswer);
  }

  absl::Status MeasureDiscoveries(std::uint32_t agents) {
    const std::string of = ", " + CountText(agents) + " agents";
    if (auto status = Measure({"discoveries" + of, Only(Kind::kDiscover)}, Kind::kDiscover, agents,
                              60'000, kDiscoverAnswer);
        !status.ok()) {
      return status;
    }
    // The popular skills: the tenth part of Zipf's mass lies on the first few.
    Figure scan;
    scan.name = "  of these, the scan alone, one processor" + of;
    scan.unit = "/s";
    scan.value = ScanCeiling(agents, 0.03, 0.25, Span() / 6);
    figures_.push_back(scan);
    return absl::OkStatus();
  }

  absl::Status MeasureMix(std::uint32_t agents) {
    Load load{"mix", {}, 64, 64, 74'000};
    load.mix[static_cast<std::size_t>(Kind::kReport)] = 65;
    load.mix[static_cast<std::size_t>(Kind::kDiscover)] = 9;
    Say("measuring 65,000 reports/s with 9,000 discoveries/s, open loop ...");
    const load::RunOptions run = RunOptionsOf(load, agents);
    const auto result = load::Run(run);
    if (!result.ok()) return result.status();
    const auto ceiling = BareLoopCeiling(run, processors_, kReportAnswer);
    if (!ceiling.ok()) return ceiling.status();
    const std::string of = ", open loop, " + CountText(agents) + " agents";
    const struct {
      const char* name;
      Kind kind;
      double target;
    } parts[] = {{"mix: reports", Kind::kReport, 65'000},
                 {"mix: discoveries", Kind::kDiscover, 9'000}};
    for (const auto& part : parts) {
      Figure figure = FigureOf(part.name + of, *result, part.kind);
      figure.target = part.target * 0.99;  // arrivals are random
      figures_.push_back(figure);
      Figure latency;
      latency.name = base::StrCat("  p99 of ", part.name + of);
      latency.unit = "ms";
      latency.less_is_better = true;
      latency.value = figure.p99_ms;
      latency.target = 2;
      latency.ceiling = FigureOf("", *ceiling, part.kind).p99_ms;
      latency.ceiling_name = "bare epoll loop";
      figures_.push_back(latency);
    }
    return absl::OkStatus();
  }

  absl::Status MeasureRestart(const std::string& home, std::uint32_t agents) {
    Say(base::StrCat("restarting with ", agents, " agents ..."));
    server_->Stop();
    auto server = ServerProcess::Start(home, {});
    if (!server.ok()) return server.status();
    server_ = std::move(*server);
    Figure figure;
    figure.name = "restart, " + CountText(agents) + " agents";
    figure.unit = "ms";
    figure.less_is_better = true;
    figure.value = base::ToSeconds(server_->start_time()) * 1000;
    figures_.push_back(figure);
    return absl::OkStatus();
  }

  absl::Status MeasurePopulation(std::uint32_t agents) {
    const auto home = TemporaryDirectory::Make();
    if (!home.ok()) return home.status();
    auto server = ServerProcess::Start(home->path(), {});
    if (!server.ok()) return server.status();
    server_ = std::move(*server);
    absl::Status status = MeasureRegistrations(home->path(), agents);
    if (status.ok()) status = MeasureReports(agents);
    if (status.ok()) status = MeasureDiscoveries(agents);
    if (status.ok()) status = MeasureMix(agents);
    if (status.ok()) status = MeasureRestart(home->path(), agents);
    server_.reset();
    return status;
  }

  const SuiteOptions& options_;
  Terminal* terminal_;
  std::vector<std::string> skills_;
  std::uint32_t processors_ = 1;
  std::unique_ptr<ServerProcess> server_;
  std::vector<Figure> figures_;
};

}  // namespace

int RunSuite(const SuiteOptions& options, bool is_json, Terminal* terminal) {
  Suite suite(options, terminal);
  const absl::Status status = suite.Run();
  *terminal->out << (is_json ? FiguresJson(suite.figures())
                             : FiguresTable(suite.figures(), *terminal));
  if (!options.figures_file.empty()) {
    std::ofstream(options.figures_file) << FiguresJson(suite.figures());
  }
  if (status.ok()) return kDone;
  *terminal->err << "muster bench: " << base::Message(status) << "\n";
  return kRefused;
}

}  // namespace muster::app
