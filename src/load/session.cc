#include "load/session.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <ctime>

#include "load/response_reader.h"

namespace muster::load {

namespace {

constexpr int kEvents = 256;
constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
// A server that is stalled for long must not fill our memory.
constexpr std::size_t kDueMax = 4'000'000;

std::uint64_t NumberAfter(std::string_view body, std::string_view name) {
  std::uint64_t value = 0;
  const std::size_t at = body.find(name);
  if (at != std::string_view::npos) {
    std::from_chars(body.data() + at + name.size(), body.data() + body.size(), value);
  }
  return value;
}

}  // namespace

std::int64_t MonotonicNanos() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kNanosPerSecond + now.tv_nsec;
}

Session::Session(const RunOptions& options, std::uint32_t thread)
    : options_(options),
      thread_(thread),
      workload_(options.workload, thread, options.threads),
      random_(options.workload.seed + 77 * thread),
      next_agent_(thread) {}

Session::~Session() {
  if (epoll_ >= 0) close(epoll_);
}

absl::Status Session::Connect() {
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  if (epoll_ < 0) return absl::UnavailableError("no epoll descriptor is left");
  const std::uint32_t mine = std::max(1u, options_.connections / options_.threads);
  for (std::uint32_t i = 0; i < mine; ++i) {
    auto connection = std::make_unique<Connection>(options_.window);
    if (auto status = connection->Open(options_.host, options_.port); !status.ok()) return status;
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLET;
    event.data.ptr = connection.get();
    if (epoll_ctl(epoll_, EPOLL_CTL_ADD, connection->descriptor(), &event) != 0) {
      return absl::UnavailableError("a connection can't be watched");
    }
    connections_.push_back(std::move(connection));
  }
  return absl::OkStatus();
}

void Session::Run(std::int64_t start_at, bool only_register) {
  only_register_ = only_register;
  measure_from_ = only_register ? start_at : start_at + options_.warm_up.count();
  stop_at_ = measure_from_ + options_.duration.count();
  give_up_at_ = stop_at_ + options_.patience.count();
  next_due_ = static_cast<double>(start_at);
  std::int64_t now = MonotonicNanos();
  std::vector<epoll_event> events(kEvents);
  while (now < give_up_at_ && (WantsMore(now) || !IsIdle())) {
    if (options_.rate > 0) TakeDue(now);
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      // In turn, so that what is due is spread over the connections.
      Connection& connection = *connections_[next_connection_++ % connections_.size()];
      if (connection.is_open()) Fill(&connection, now);
      if (options_.rate > 0 && due_.empty()) break;
    }
    const std::int64_t wait = WaitNanos(MonotonicNanos());
    const timespec timeout{wait / kNanosPerSecond, wait % kNanosPerSecond};
    const int count = epoll_pwait2(epoll_, events.data(), kEvents, &timeout, nullptr);
    for (int i = 0; i < count; ++i) Handle(static_cast<Connection*>(events[i].data.ptr));
    now = MonotonicNanos();
    if (std::none_of(connections_.begin(), connections_.end(),
                     [](const auto& connection) { return connection->is_open(); })) {
      break;
    }
  }
  if (options_.rate > 0) TakeDue(stop_at_);
  for (const auto& connection : connections_) result_.unanswered += connection->under_way();
  result_.unanswered += due_.size();
  const std::int64_t end = only_register ? MonotonicNanos() : stop_at_;
  result_.seconds = static_cast<double>(end - measure_from_) / kNanosPerSecond;
}

bool Session::WantsMore(std::int64_t now) const {
  if (only_register_) return next_agent_ < options_.workload.agents;
  // Whatever is due before the end is sent, even if this thread was away when it was due.
  return options_.rate > 0 ? next_due_ < static_cast<double>(stop_at_) : now < stop_at_;
}

void Session::TakeDue(std::int64_t now) {
  const double mean = options_.threads * static_cast<double>(kNanosPerSecond) / options_.rate;
  while (next_due_ <= static_cast<double>(now) && next_due_ < static_cast<double>(stop_at_)) {
    if (due_.size() < kDueMax) {
      due_.push_back({static_cast<std::int64_t>(next_due_), workload_.Draw()});
    } else {
      ++result_.unanswered;
    }
    next_due_ += options_.arrivals == Arrivals::kPoisson ? random_.Exponential(mean) : mean;
  }
}

void Session::Fill(Connection* connection, std::int64_t now) {
  if (options_.rate > 0) {
    // A fair part each, so that no connection's pipeline is long while another is empty.
    std::size_t part = 1 + due_.size() / connections_.size();
    while (part-- > 0 && !due_.empty() && connection->has_room()) {
      Start(connection, due_.front().kind, due_.front().since);
      due_.pop_front();
    }
  } else {
    while (connection->has_room() && WantsMore(now)) {
      Start(connection, only_register_ ? Kind::kRegister : workload_.Draw(), now);
    }
  }
  SendOut(connection);
}

void Session::Start(Connection* connection, Kind kind, std::int64_t since) {
  if (only_register_) {
    workload_.AppendRegistration(next_agent_, connection->output());
    next_agent_ += options_.threads;
  } else {
    workload_.Append(kind, connection->output());
  }
  connection->Push({since, kind});
}

void Session::Handle(Connection* connection) {
  if (!connection->is_open()) return;
  const bool is_alive = connection->Receive(&result_.received_bytes);
  const std::int64_t now = MonotonicNanos();
  TakeResponses(connection, now);
  if (!connection->is_open()) return;
  if (!is_alive) {
    Lose(connection);
    return;
  }
  if (options_.rate > 0) {
    SendOut(connection);
  } else {
    Fill(connection, now);
  }
}

void Session::TakeResponses(Connection* connection, std::int64_t now) {
  ResponseFrame frame;
  while (connection->under_way() > 0) {
    const std::string_view bytes = connection->input();
    const ReadResult read = ReadResponse(bytes, &frame);
    if (read == ReadResult::kIncomplete) return;
    if (read == ReadResult::kBroken) {
      Lose(connection);
      return;
    }
    Record(connection->Pop(), frame.status, bytes.substr(frame.body_at, frame.size - frame.body_at),
           now);
    connection->Consume(frame.size);
  }
}

void Session::Record(const UnderWay& request, int status, std::string_view body, std::int64_t now) {
  const bool is_success = status >= 200 && status < 300;
  std::uint64_t items = is_success ? workload_.Items(request.kind) : 0;
  bool is_error = !is_success;
  if (is_success && request.kind == Kind::kReportBatch) {
    const std::uint64_t rejected = NumberAfter(body, "\"rejected\":");
    result_.errors += rejected;
    items -= std::min(items, rejected);
    is_error = rejected > 0;
  } else if (!is_success) {
    ++result_.errors;
  }
  if (is_error && result_.first_error.empty()) result_.first_error = body.substr(0, 2000);
  // An open loop's request belongs to the time in which it was due, a closed loop's to the time in
  // which it was answered.
  const std::int64_t at = options_.rate > 0 ? request.since : now;
  const bool is_measured = at >= measure_from_ && (at < stop_at_ || only_register_);
  if (!is_measured) return;
  KindResult& kind = result_.kinds[static_cast<std::size_t>(request.kind)];
  ++kind.requests;
  kind.items += items;
  ++kind.statuses[status];
  kind.latency_nanos.Record(
      static_cast<std::uint64_t>(std::max<std::int64_t>(now - request.since, 0)));
}

void Session::SendOut(Connection* connection) {
  if (connection->has_output() && !connection->Flush(&result_.sent_bytes)) Lose(connection);
}

void Session::Lose(Connection* connection) {
  ++result_.broken;
  connection->Close();
}

bool Session::IsIdle() const {
  return due_.empty() && std::all_of(connections_.begin(), connections_.end(), [](const auto& c) {
           return !c->is_open() || c->under_way() == 0;
         });
}

std::int64_t Session::WaitNanos(std::int64_t now) const {
  constexpr std::int64_t kLongest = kNanosPerSecond / 10;
  if (options_.rate <= 0 || next_due_ >= static_cast<double>(stop_at_)) return kLongest;
  const std::int64_t until = static_cast<std::int64_t>(next_due_) + options_.gather.count() - now;
  return std::clamp<std::int64_t>(until, 0, kLongest);
}

}  // namespace muster::load
