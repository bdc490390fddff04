#include "app/serve/server_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/strings.h"

namespace muster::app {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto kReadyTimeMax = std::chrono::seconds(120);
constexpr auto kStopTimeMax = std::chrono::seconds(30);
constexpr auto kPoll = std::chrono::milliseconds(5);

std::string FileText(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// In the child, between fork and exec: nothing that allocates.
[[noreturn]] void BecomeServer(char* const* arguments, int log) {
  setpgid(0, 0);  // Ctrl-C in the terminal is the parent's to handle
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  unsetenv("MUSTER_TOKEN_FILE");  // its only client is its parent, which has no token
  execv("/proc/self/exe", arguments);
  _exit(127);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ServerProcess>> ServerProcess::Start(
    const std::string& home, const std::vector<std::string>& flags) {
  std::unique_ptr<ServerProcess> server(new ServerProcess);
  server->home_ = home;
  const Clock::time_point begin = Clock::now();
  if (auto status = server->Spawn(flags); !status.ok()) return status;
  if (auto status = server->AwaitReady(); !status.ok()) return status;
  server->start_time_ = std::chrono::duration_cast<base::Duration>(Clock::now() - begin);
  return server;
}

absl::Status ServerProcess::Spawn(const std::vector<std::string>& flags) {
  std::error_code error;
  fs::remove(home_ + "/port", error);
  std::vector<std::string> words = {"muster",      "serve",         "--listen", "127.0.0.1:0",
                                    "--port-file", home_ + "/port", "--data",   home_ + "/data"};
  words.insert(words.end(), flags.begin(), flags.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::string log_file = home_ + "/log";
  const int log = open(log_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log < 0) {
    return absl::UnavailableError(base::StrCat("`", log_file, "` can't be written"));
  }
  process_ = fork();
  if (process_ == 0) BecomeServer(arguments.data(), log);
  close(log);
  return process_ > 0 ? absl::OkStatus() : absl::UnavailableError("no process can be started");
}

absl::Status ServerProcess::Ended(const std::string& what) const {
  std::string log = FileText(home_ + "/log");
  if (log.size() > 2000) log.erase(0, log.size() - 2000);
  return absl::UnavailableError(base::StrCat("the node ", what, "; its log:\n", log));
}

absl::Status ServerProcess::AwaitReady() {
  const Clock::time_point give_up_at = Clock::now() + kReadyTimeMax;
  while (Clock::now() < give_up_at) {
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) == process_) {
      process_ = -1;
      return Ended("ended as it started");
    }
    // The file is there once the node serves.
    const std::string address = FileText(home_ + "/port");
    const std::size_t colon = address.rfind(':');
    if (colon != std::string::npos) {
      std::from_chars(address.data() + colon + 1, address.data() + address.size(), port_);
      return absl::OkStatus();
    }
    std::this_thread::sleep_for(kPoll);
  }
  return Ended("is not ready after two minutes");
}

ServerProcess::~ServerProcess() { Stop(); }

std::string ServerProcess::url() const { return base::StrCat("http://127.0.0.1:", port_); }

std::uint64_t ServerProcess::MemoryBytes() const {
  std::istringstream statm(FileText(base::StrCat("/proc/", process_, "/statm")));
  std::uint64_t size = 0, resident = 0;
  statm >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

double ServerProcess::CpuSeconds() const {
  const std::string text = FileText(base::StrCat("/proc/", process_, "/stat"));
  const std::size_t close = text.rfind(')');
  if (close == std::string::npos) return 0;
  std::istringstream fields(text.substr(close + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

int ServerProcess::Stop() {
  if (process_ <= 0) return 0;
  kill(process_, SIGTERM);
  const Clock::time_point give_up_at = Clock::now() + kStopTimeMax;
  int status = 0;
  while (waitpid(process_, &status, WNOHANG) == 0) {
    if (Clock::now() > give_up_at) {
      kill(process_, SIGKILL);
      waitpid(process_, &status, 0);
      process_ = -1;
      return -1;
    }
    std::this_thread::sleep_for(kPoll);
  }
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace muster::app
