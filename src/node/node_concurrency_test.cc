// Several Workers at once on one node; run under ThreadSanitizer too.

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/strings.h"
#include "gtest/gtest.h"
#include "journal/memory_storage.h"
#include "node/node.h"

namespace muster::node {
namespace {

class AtomicClock : public Clock {
 public:
  base::Now Read() const override {
    const std::int64_t t = nanos_.fetch_add(1000, std::memory_order_relaxed);
    return {base::MonoFromNanos(t), base::WallFromUnixNanos(1'800'000'000'000'000'000 + t)};
  }

 private:
  mutable std::atomic<std::int64_t> nanos_{1};
};

class CountingSink : public ReplySink {
 public:
  void Deliver(const ReplyTo& to, const Reply& reply) override {
    std::lock_guard lock(mutex_);
    twice_ = twice_ || !answered_.insert(to.request).second;
    if (const auto* found = std::get_if<AgentFound>(&reply.body)) {
      for (const auto& reading : found->row.states) counter_seen_ = reading.value.number;
    }
  }
  bool twice() const { return twice_; }
  std::size_t answered() const {
    std::lock_guard lock(mutex_);
    return answered_.size();
  }
  double counter_seen() const { return counter_seen_; }

 private:
  mutable std::mutex mutex_;
  std::set<std::uint64_t> answered_;
  bool twice_ = false;
  double counter_seen_ = 0;
};

class NoWaker : public Waker {
 public:
  void Wake(schedule::WorkerIndex) override {}
};

constexpr std::uint32_t kWorkers = 3;
constexpr int kRounds = 300;
constexpr int kAgents = 8;
constexpr std::string_view kBody =
    R"({"card":{"name":"A"},"states":{"requests":{"type":"number","kind":"counter"}}})";

class Load {
 public:
  Load() : node_(NodeOptions(), &storage_, &clock_, &sink_, &waker_) {
    EXPECT_TRUE(node_.Recover().ok());
  }

  void Run() {
    for (int i = 0; i < kAgents; ++i) Register(0, i);
    RunUntilIdle(0);
    std::vector<std::thread> threads;
    for (std::uint32_t worker = 0; worker < kWorkers; ++worker) {
      threads.emplace_back([this, worker] { RunWorker(worker); });
    }
    for (std::thread& thread : threads) thread.join();
    for (std::uint32_t worker = 0; worker < kWorkers; ++worker) RunUntilIdle(worker);
  }

  // The sum of a counter that every Worker has incremented.
  double Counter(int agent) {
    Inbox inbox;
    Request& get = inbox.Add();
    get.body = GetRequest{Id(agent)};
    get.reply_to.request = ++requests_;
    node_.Submit(0, &inbox);
    RunUntilIdle(0);
    return sink_.counter_seen();
  }
  const CountingSink& sink() const { return sink_; }
  std::uint64_t requests() const { return requests_; }
  Node& node() { return node_; }

 private:
  static Options NodeOptions() {
    Options options;
    options.schedule.workers = kWorkers;
    options.checkpoint_every = 16;
    return options;
  }
  static std::string Id(int agent) { return base::StrCat("agent-", agent); }

  void Register(std::uint32_t worker, int agent) {
    Inbox inbox;
    Request& request = inbox.Add();
    request.body = RegisterRequest{
        *model::ParseRegistration(Id(agent), kBody, node_.options().limits), std::nullopt};
    request.reply_to.request = ++requests_;
    node_.Submit(worker, &inbox);
  }

  void RunWorker(std::uint32_t worker) {
    model::ReportParser parser(node_.options().limits);
    Inbox inbox;
    for (int round = 0; round < kRounds; ++round) {
      ReportRequest& report = inbox.AddReport();
      const std::string_view json = R"({"counters":{"requests":1},"states":{"load":0.5}})";
      ASSERT_TRUE(parser.Parse(Id(round % kAgents), json, *node_.catalog(), &report.report).ok());
      report.ack = round % 5 == 0 ? Ack::kDurable : Ack::kApplied;
      report.reply_to.request = ++requests_;
      Request& query = inbox.Add();
      query.body = DiscoverRequest{};
      std::get<DiscoverRequest>(query.body).query.filter = "load < 0.9";
      query.reply_to.request = ++requests_;
      node_.Submit(worker, &inbox);
      if (round % 7 == 0) Churn(worker, round);
      node_.Work(worker);
      if (worker == 0) node_.Tick();
    }
    RunUntilIdle(worker);
  }

  // An agent that comes and goes beside those that stay.
  void Churn(std::uint32_t worker, int round) {
    Register(worker, 1000 + round % 3);
    Inbox inbox;
    Request& removal = inbox.Add();
    removal.body = DeregisterRequest{Id(1000 + round % 3), std::nullopt};
    removal.reply_to.request = ++requests_;
    node_.Submit(worker, &inbox);
  }

  void RunUntilIdle(std::uint32_t worker) {
    while (node_.Work(worker)) {
    }
    node_.PrepareToWait(worker);
    node_.StopWaiting(worker);
  }

  journal::MemoryStorage storage_;
  AtomicClock clock_;
  CountingSink sink_;
  NoWaker waker_;
  std::atomic<std::uint64_t> requests_{0};
  Node node_;
};

TEST(NodeConcurrency, EveryRequestIsAnsweredOnceAndNoIncrementIsLost) {
  Load load;
  load.Run();
  double counted = 0;
  for (int agent = 0; agent < kAgents; ++agent) counted += load.Counter(agent);
  EXPECT_EQ(counted, kWorkers * kRounds);
  EXPECT_FALSE(load.sink().twice());
  EXPECT_EQ(load.sink().answered(), load.requests());
  EXPECT_TRUE(load.node().Drained());
  Snapshot snapshot;
  load.node().FillSnapshot(&snapshot);
  EXPECT_EQ(snapshot.agents, static_cast<std::uint64_t>(kAgents));
}

}  // namespace
}  // namespace muster::node
