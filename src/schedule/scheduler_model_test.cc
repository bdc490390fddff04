// Random histories of calls: the scheduler against the plain statement of its rules.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <random>

#include "schedule/testing/reference_scheduler.h"

namespace muster::schedule {
namespace {

using base::Duration;
using base::MonoTime;
using std::chrono::microseconds;
using testing::Life;
using testing::ReferenceScheduler;
using testing::ReferenceTask;

// Numbers drawn one after the other from a random word.
class Draw {
 public:
  explicit Draw(std::uint64_t word) : word_(word * 0x9E3779B97F4A7C15u + 1) {}
  std::uint64_t Below(std::uint64_t n) {
    word_ ^= word_ >> 29;
    word_ *= 0xBF58476D1CE4E5B9u;
    word_ ^= word_ >> 32;
    return word_ % n;
  }
  bool OneIn(std::uint64_t n) { return Below(n) == 0; }

 private:
  std::uint64_t word_;
};

// Feeds both with the same calls; every disagreement is a failed check.
class Twins {
 public:
  explicit Twins(const Options& options)
      : reference_(options), scheduler_(*NewScheduler(options)), batch_() {}

  // One call, chosen by `word`. Returns what disagreed, or nothing.
  std::string Step(std::uint64_t word) {
    Draw draw(word);
    if (draw.OneIn(2)) now_ += microseconds(draw.Below(draw.OneIn(40) ? 5000 : 150));
    difference_.clear();
    switch (draw.Below(16)) {
      case 0:
      case 1:
      case 2:
        SubmitUpdate(draw);
        break;
      case 3:
      case 4:
        SubmitQuery(draw);
        break;
      case 5:
      case 6:
        Take(draw);
        break;
      case 7:
      case 8:
        Finish(draw);
        break;
      case 9:
      case 10:
      case 11:
      case 12:
        ParkOrHasten(draw);
        break;
      case 13:
        if (draw.OneIn(2)) Cancel(draw);
        break;
      default:
        if (draw.OneIn(4)) {
          Reconfigure(draw);
        } else {
          scheduler_->Tick(now_);
          reference_.Release(now_);
        }
    }
    CompareSums();
    return difference_;
  }

  // What happened, so that a test can tell that its histories reach everything.
  using Tally = std::map<std::string, int>;
  const Tally& tally() const { return tally_; }

  // Runs everything that is left; then nothing may be.
  std::string Drain() {
    for (int i = 0; i < 10'000 && !reference_.tasks().empty(); ++i) {
      now_ += microseconds(200);
      Draw draw(i);
      Take(draw);
      while (!running_.empty() && difference_.empty()) Finish(draw);
    }
    Expect(reference_.tasks().empty(), "tasks were left when all Workers had drained the queues");
    Expect(submitted_ == finished_ + cancelled_ + expired_,
           "a task ended more than once, or never");
    Expect(!scheduler_->HasWork(), "HasWork of an empty scheduler");
    return difference_;
  }

 private:
  void Expect(bool holds, const std::string& what) {
    if (!holds && difference_.empty()) difference_ = what;
  }

  void SubmitUpdate(Draw& draw) {
    std::vector<StateUpdate> states;
    const std::size_t n = draw.Below(4);
    const StateKey first = static_cast<StateKey>(draw.Below(4));
    for (std::size_t k = 0; k < n; ++k) {
      StateUpdate state;
      state.state = static_cast<StateKey>((first + k) % 4);
      state.generated_at = now_ - microseconds(draw.Below(3000));
      state.installed_at = now_ - microseconds(500 + draw.Below(8000));
      state.max_age = microseconds(draw.OneIn(4) ? 300 + draw.Below(9000) : 500 << draw.Below(5));
      state.critical = draw.OneIn(8);
      state.value.low = draw.Below(1'000'000);
      states.push_back(state);
    }
    UpdateTask update;
    update.agent = draw.Below(8);
    update.mergeable = !draw.OneIn(6);
    update.must_run = draw.OneIn(5);
    update.cost_class = static_cast<CostClass>(n);
    update.arrived_at = now_ - microseconds(draw.Below(50));
    update.deadline = draw.OneIn(3) ? microseconds(1000 << draw.Below(4)) : Duration(0);
    update.bytes = static_cast<std::uint32_t>(draw.Below(300));
    update.states = states;
    const Admission admission = scheduler_->SubmitUpdate(update, now_);
    CompareAdmission(admission, reference_.SubmitUpdate(update));
  }

  void SubmitQuery(Draw& draw) {
    QueryTask query;
    query.cost_class = static_cast<CostClass>(8 + draw.Below(3));
    query.arrived_at = now_ - microseconds(draw.Below(50));
    query.deadline = microseconds(draw.OneIn(4) ? 200 + draw.Below(9000) : 400 << draw.Below(6));
    query.hard = draw.OneIn(8);
    query.bytes = static_cast<std::uint32_t>(draw.Below(300));
    const Admission admission = scheduler_->SubmitQuery(query, now_);
    CompareAdmission(admission, reference_.SubmitQuery(query, now_));
  }

  void CompareAdmission(const Admission& admission, ReferenceScheduler::Submitted expected) {
    Expect(admission.outcome == expected.outcome, "outcome of a submission");
    Expect(admission.superseded == expected.superseded, "superseded states");
    Expect(
        (admission.outcome == Admission::Outcome::kRefused) == (admission.retry_after.count() > 0),
        "a refusal, and nothing else, says when to retry");
    if (!difference_.empty()) return;
    static constexpr const char* kNames[] = {"queued", "merged", "superseded", "refused"};
    ++tally_[kNames[static_cast<int>(admission.outcome)]];
    if (admission.outcome == Admission::Outcome::kQueued) {
      expected.task->id = admission.task;
      ++submitted_;
    } else if (admission.outcome == Admission::Outcome::kMerged) {
      Expect(expected.task->id == admission.task, "merged into another task");
    }
  }

  void Take(Draw& draw) {
    const auto worker = static_cast<WorkerIndex>(draw.Below(scheduler_->options().workers));
    reference_.Release(now_);
    scheduler_->Tick(now_);
    CopyShare();
    scheduler_->Take(worker, now_, &batch_);
    const auto expected = reference_.Take(worker, now_);
    Expect(batch_.tasks == expected.tasks, "another batch was taken");
    Expect(batch_.expired == expected.expired, "other queries expired");
    if (!batch_.tasks.empty()) Expect(batch_.kind == expected.kind, "kind of a batch");
    expired_ += batch_.expired.size();
    if (!batch_.expired.empty()) ++tally_["expired"];
    if (batch_.tasks.size() > 1) ++tally_["batches"];
    running_.insert(running_.end(), batch_.tasks.begin(), batch_.tasks.end());
    if (!difference_.empty()) return;
    for (const TaskId id : batch_.tasks) CompareStates(id);
  }

  void CompareStates(TaskId id) {
    const auto states = scheduler_->States(id);
    const auto& expected = reference_.Find(id)->states;
    Expect(states.size() == expected.size(), "number of states of a task");
    for (std::size_t k = 0; k < expected.size() && difference_.empty(); ++k) {
      Expect(states[k].state == expected[k].state &&
                 states[k].generated_at == expected[k].generated_at &&
                 states[k].installed_at == expected[k].installed_at &&
                 states[k].value.low == expected[k].value.low,
             "a state of a task");
    }
  }

  void Finish(Draw& draw) {
    if (running_.empty()) return;
    const std::size_t at = draw.Below(running_.size());
    const TaskId id = running_[at];
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(at));
    const Duration used = microseconds(draw.Below(400));
    const std::uint64_t parked = reference_.Count(QueueKind::kQuery, Life::kParked);
    scheduler_->Finish(id, used, now_);
    reference_.Finish(id, used);
    if (reference_.Count(QueueKind::kQuery, Life::kParked) < parked) ++tally_["installed"];
    ++finished_;
  }

  void ParkOrHasten(Draw& draw) {
    if (running_.empty()) return;
    const auto found = std::find_if(running_.begin(), running_.end(), [this](TaskId running) {
      return reference_.Find(running)->kind == QueueKind::kQuery;
    });
    if (found == running_.end()) return;
    const TaskId id = *found;
    std::vector<StateRef> states;
    for (std::uint64_t k = draw.Below(4); k > 0; --k) {
      states.push_back({draw.Below(8), static_cast<StateKey>(draw.Below(4))});
    }
    for (const ReferenceTask& task : reference_.tasks()) {
      if (task.states.empty() || draw.OneIn(2)) continue;
      states.push_back({task.agent, task.states[draw.Below(task.states.size())].state});
    }
    if (draw.OneIn(3)) {
      scheduler_->Hasten(id, states, now_);
      reference_.Hasten(id, states, now_);
      return;
    }
    const bool is_parked = scheduler_->Park(id, states, now_);
    Expect(is_parked == reference_.Park(id, states, now_), "whether a query is parked");
    if (is_parked) ++tally_["parked"];
    if (is_parked) running_.erase(found);
  }

  void Cancel(Draw& draw) {
    if (reference_.tasks().empty()) return;
    const TaskId id = reference_.tasks()[draw.Below(reference_.tasks().size())].id;
    const bool is_cancelled = scheduler_->Cancel(id, now_);
    Expect(is_cancelled == reference_.Cancel(id), "whether a query is cancelled");
    cancelled_ += is_cancelled;
    if (is_cancelled) ++tally_["cancelled"];
  }

  void Reconfigure(Draw& draw) {
    Options options = scheduler_->options();
    options.policy = PolicyNames()[draw.Below(PolicyNames().size())];
    options.update_share = 0.1 + 0.08 * static_cast<double>(draw.Below(11));
    options.joint.benefit_per_work = draw.OneIn(4);
    options.joint.holding_time = microseconds(1000 + draw.Below(5000));
    Expect(scheduler_->Reconfigure(options, now_).ok(), "Reconfigure");
    reference_.Reconfigure(options);
  }

  // The joint policy's own share, which it changes by rules that joint_test.cc is about.
  void CopyShare() {
    scheduler_->FillSnapshot(now_, &snapshot_);
    if (snapshot_.policy != "joint") return;
    if (snapshot_.reallocations > 0) ++tally_["reallocated"];
    reference_.set_share(snapshot_.queue[0].share);
  }

  void CompareSums() {
    if (!difference_.empty()) return;
    CopyShare();
    for (const QueueKind kind : {QueueKind::kUpdate, QueueKind::kQuery}) {
      const QueueSnapshot& queue = snapshot_.queue[static_cast<int>(kind)];
      Expect(queue.tasks == reference_.Count(kind, Life::kWaiting), "tasks");
      Expect(queue.parked == reference_.Count(kind, Life::kParked), "parked");
      Expect(queue.running == reference_.Count(kind, Life::kRunning), "running");
      Expect(queue.bytes == reference_.Bytes(kind), "bytes");
      Expect(queue.work == reference_.Work(kind), "W");
      Expect(queue.wait_max == reference_.WaitMax(kind, now_), "T^max");
      Expect(queue.wait_mean == reference_.WaitMean(kind, now_), "T^avg");
      ExpectNear(queue.deadline_pressure, reference_.DeadlinePressure(kind, now_), "D");
    }
    ExpectNear(snapshot_.queue[0].age, reference_.Age(now_), "A");
    ExpectNear(snapshot_.queue[0].benefit, reference_.Benefit(), "B");
    Expect(scheduler_->HasWork() == (snapshot_.queue[0].tasks + snapshot_.queue[1].tasks > 0),
           "HasWork");
  }
  void ExpectNear(double value, double expected, const std::string& what) {
    Expect(std::abs(value - expected) <= 1e-9 * std::max(1.0, std::abs(expected)), what);
  }

  MonoTime now_ = base::MonoFromNanos(1'000'000'000);
  ReferenceScheduler reference_;
  std::unique_ptr<Scheduler> scheduler_;
  Batch batch_;
  Snapshot snapshot_;
  std::vector<TaskId> running_;
  Tally tally_;
  std::uint64_t submitted_ = 0, finished_ = 0, cancelled_ = 0, expired_ = 0;
  std::string difference_;
};

Options SmallOptions(Draw draw) {
  Options options;
  options.policy = PolicyNames()[draw.Below(PolicyNames().size())];
  options.workers = static_cast<std::uint32_t>(1 + draw.Below(5));
  options.update_share = 0.1 + 0.2 * static_cast<double>(draw.Below(5));
  options.batch_tasks_max = static_cast<std::uint32_t>(1 + draw.Below(4));
  options.lent_tasks_max = static_cast<std::uint32_t>(1 + draw.Below(4));
  options.batch_work_max = microseconds(300);
  options.cost_initial = microseconds(100);
  options.updates.tasks_max = 6 + draw.Below(20);
  options.updates.bytes_max = 4000;
  options.updates.work_max = microseconds(2500);
  options.queries.tasks_max = 6 + draw.Below(20);
  options.queries.bytes_max = 3000;
  options.queries.work_max = microseconds(2000);
  return options;
}

std::string Play(std::uint64_t seed, const std::vector<std::uint64_t>& words,
                 Twins::Tally* tally = nullptr) {
  Twins twins(SmallOptions(Draw(seed)));
  for (const std::uint64_t word : words) {
    if (auto difference = twins.Step(word); !difference.empty()) return difference;
  }
  if (tally != nullptr) {
    for (const auto& [event, count] : twins.tally()) (*tally)[event] += count;
  }
  return twins.Drain();
}

TEST(SchedulerModel, AgreesWithThePlainRulesOnRandomHistories) {
  EXPECT_TRUE(rc::check("agrees with the plain rules", [] {
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    const auto length = *rc::gen::inRange<std::size_t>(1, 300);
    const auto words = *rc::gen::container<std::vector<std::uint64_t>>(
        length, rc::gen::inRange<std::uint64_t>(0, 1'000'000'000));
    const std::string difference = Play(seed, words);
    if (!difference.empty()) RC_FAIL(difference);
  }));
}

// A million calls in all, in parts that run side by side.
class LongHistories : public ::testing::TestWithParam<int> {};

TEST_P(LongHistories, AgreeAndEverythingHappensInThem) {
  Twins::Tally tally;
  for (int i = 0; i < 125; ++i) {
    const auto seed = static_cast<std::uint64_t>(1000 * GetParam() + i);
    std::mt19937_64 random(seed);
    std::vector<std::uint64_t> words(2000);
    for (std::uint64_t& word : words) word = random();
    ASSERT_EQ(Play(seed, words, &tally), "") << "seed " << seed;
  }
  for (const char* event : {"queued", "merged", "superseded", "refused", "expired", "batches",
                            "parked", "installed", "cancelled", "reallocated"}) {
    EXPECT_GE(tally[event], 100) << event;
  }
}

INSTANTIATE_TEST_SUITE_P(SchedulerModel, LongHistories, ::testing::Range(0, 4));

}  // namespace
}  // namespace muster::schedule
