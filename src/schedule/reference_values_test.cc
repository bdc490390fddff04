// The golden scenario and traces of the joint policy.
//
// The expected numbers were computed by an implementation that shares no code with this one; each
// stands here with the identifier that it has there (s000.* and apq.*).
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "schedule/joint.h"
#include "schedule/queueing_scheduler.h"
#include "schedule/testing/tasks.h"

namespace muster::schedule {
namespace {

using testing::TestOptions;

// Seconds of the scenario on the scheduler's axis, which must not be at its origin.
base::MonoTime Instant(double seconds) {
  return base::MonoFromNanos(std::llround((seconds + 1000) * 1e9));
}
base::Duration Span(double seconds) { return base::Duration(std::llround(seconds * 1e9)); }

struct PlannedUpdate {
  const char* id;
  StateKey state;
  double arrived, generated, estimate, deadline;
};
struct PlannedQuery {
  const char* id;
  double arrived, estimate, deadline;
};

constexpr double kMaxAge[] = {1, 2, 5, 30};             // load, avail, qos, loc
constexpr double kInstalled[] = {-1.5, -0.5, -6, -12};  // U
// Scenario A in order of arrival.
constexpr PlannedUpdate kUpdates[] = {{"u1", 0, 0, -0.10, 0.010, 0},
                                      {"u4", 3, 0.02, -0.05, 0.005, 2.0},
                                      {"u2", 1, 0.05, 0.02, 0.020, 0.5},
                                      {"u3", 2, 0.10, -5.90, 0.040, 0}};
constexpr PlannedQuery kQueries[] = {{"q1", 0, 0.015, 0.150},
                                     {"q4", 0.02, 0.030, 0.400},
                                     {"q2", 0.05, 0.100, 2.0},
                                     {"q3", 0.12, 0.002, 0.080}};

StateUpdate StateOf(const PlannedUpdate& update) {
  return testing::State(update.state, Instant(update.generated), Instant(kInstalled[update.state]),
                        Span(kMaxAge[update.state]));
}

class ScenarioA : public ::testing::Test {
 protected:
  ScenarioA() : joint_(TestOptions("joint")) {
    for (const PlannedUpdate& update : kUpdates) {
      Task& task =
          NewTask(update.id, QueueKind::kUpdate, update.arrived, update.estimate, update.deadline);
      tasks_.AddState(&task, StateOf(update));
    }
    for (const PlannedQuery& query : kQueries) {
      NewTask(query.id, QueueKind::kQuery, query.arrived, query.estimate, query.deadline);
    }
  }
  Task& NewTask(const char* id, QueueKind kind, double arrived, double estimate, double deadline) {
    const std::uint32_t slot = tasks_.Allocate();
    slots_[id] = slot;
    Task& task = tasks_.at(slot);
    task.kind = kind;
    task.order = slot;
    task.arrived_at = Instant(arrived);
    task.estimate = Span(estimate);
    task.deadline = Span(deadline);
    return task;
  }
  Line LineOf(const std::string& id) {
    std::vector<Line> lines;
    joint_.AppendLines(tasks_.at(slots_.at(id)), &lines);
    EXPECT_EQ(lines.size(), 1u);
    return lines.front();
  }
  double PriorityOf(const std::string& id, double t) {
    return PriorityToDouble(LineOf(id).At(Instant(t)));
  }
  double SlopeOfLine(const std::string& id) {
    return static_cast<double>(LineOf(id).slope) / static_cast<double>(Line::kSlopeUnit);
  }
  // When the steeper `later` overtakes `earlier`.
  double CrossingOf(const std::string& earlier, const std::string& later) {
    const double gap = PriorityOf(earlier, 0) - PriorityOf(later, 0);
    return gap / (SlopeOfLine(later) - SlopeOfLine(earlier));
  }

  TaskTable tasks_;
  Joint joint_;
  std::map<std::string, std::uint32_t> slots_;
};

TEST_F(ScenarioA, PrioritiesAreTheReferencesLines) {
  EXPECT_NEAR(PriorityOf("u1", 0.2), 1.117, 1.2e-9);  // s000.p.u1
  EXPECT_NEAR(PriorityOf("u2", 0.2), 0.29, 1.2e-9);   // s000.p.u2
  EXPECT_NEAR(PriorityOf("u3", 0.2), 0.5096, 1.2e-9);
  EXPECT_NEAR(PriorityOf("u4", 0.2), 0.3181166667, 1.2e-9);
  EXPECT_NEAR(PriorityOf("q1", 0.2), 1.466666667, 1.2e-9);
  EXPECT_NEAR(PriorityOf("q2", 0.2), 0.36, 4e-10);  // s000.p.q2
  EXPECT_NEAR(PriorityOf("q3", 0.2), 0.96, 1.2e-9);
  EXPECT_NEAR(PriorityOf("q4", 0.2), 0.72, 7.2e-10);      // s000.p.q4
  EXPECT_NEAR(SlopeOfLine("u2"), 0.7, 7e-10);             // s000.line.u2.slope
  EXPECT_NEAR(SlopeOfLine("u3"), 0.18, 1.8e-10);          // s000.line.u3.slope
  EXPECT_NEAR(SlopeOfLine("u4"), 0.2133333333, 2.2e-10);  // s000.line.u4.slope
}

TEST_F(ScenarioA, TheGreatestUpdateIsServedAndOvertakenWhereTheLinesCross) {
  AccumulatingPriorityQueue queue;
  for (const PlannedUpdate& update : kUpdates) {
    queue.Add(slots_.at(update.id), slots_.at(update.id), LineOf(update.id));
  }
  EXPECT_EQ(queue.Top(Instant(0.2)), slots_.at("u1"));  // s000.argmaxU
  EXPECT_NEAR(CrossingOf("u1", "u2"), 4.335, 4.4e-9);   // s000.cross.U
  EXPECT_NEAR(CrossingOf("q1", "q3"), 0.3085714286, 1e-9);
  EXPECT_EQ(queue.Top(Instant(4.334)), slots_.at("u1"));
  EXPECT_EQ(queue.Top(Instant(4.336)), slots_.at("u2"));
}

// The whole scheduler, its estimates set by what it ran before.
TEST(ScenarioAScores, AreTheReferences) {
  Options options = TestOptions("joint", 10);
  options.cost_weight = 1;
  auto scheduler = *NewScheduler(options);
  Batch batch;
  CostClass cost_class = 0;
  const auto prime = [&](double estimate) {
    UpdateTask task;
    task.mergeable = false;
    task.cost_class = cost_class++;
    task.arrived_at = Instant(-900);
    scheduler->SubmitUpdate(task, Instant(-900));
    scheduler->Take(0, Instant(-900), &batch);
    ASSERT_EQ(batch.tasks.size(), 1u);
    scheduler->Finish(batch.tasks[0], Span(estimate), Instant(-900));
  };
  for (const PlannedUpdate& update : kUpdates) prime(update.estimate);
  for (const PlannedQuery& query : kQueries) prime(query.estimate);
  cost_class = 0;
  for (const PlannedUpdate& update : kUpdates) {
    const StateUpdate state = StateOf(update);
    UpdateTask task = testing::Update(update.state, Instant(update.arrived), {&state, 1});
    task.cost_class = cost_class++;
    task.deadline = Span(update.deadline);
    scheduler->SubmitUpdate(task, Instant(update.arrived));
  }
  for (const PlannedQuery& query : kQueries) {
    scheduler->SubmitQuery(
        testing::Query(Instant(query.arrived), Span(query.deadline), cost_class++),
        Instant(query.arrived));
  }
  Snapshot snapshot;
  scheduler->FillSnapshot(Instant(0.2), &snapshot);
  const auto measures = [&](int kind, double load) {
    const QueueSnapshot& queue = snapshot.queue[kind];
    return QueueMeasures{queue.work,   queue.wait_max,          queue.wait_mean,
                         queue.age,    queue.deadline_pressure, load,
                         queue.benefit};
  };
  EXPECT_EQ(snapshot.queue[0].tasks, 4u);
  EXPECT_EQ(snapshot.queue[1].tasks, 4u);
  const double load_u = Load(100, 0.020, 4);
  const double load_q = Load(120, 0.045, 6);
  EXPECT_NEAR(load_u, 0.5, 5e-10);  // s000.rhoU
  EXPECT_NEAR(load_q, 0.9, 5e-10);  // s000.rhoQ
  const JointOptions& joint = options.joint;
  const double score_u = Sum(
      TermsOfUpdates(measures(0, load_u), joint.update_weights, 10, joint.reference_wait_updates));
  const double score_q = Sum(
      TermsOfQueries(measures(1, load_q), joint.query_weights, 10, joint.reference_wait_queries));
  EXPECT_NEAR(score_u, 0.3115725073, 3.2e-10);                             // s000.PU
  EXPECT_NEAR(score_q, 0.4396987769, 4.4e-10);                             // s000.PQ
  EXPECT_NEAR(TargetShare(score_u, score_q, 0.4), 0.4147270285, 4.2e-10);  // s000.rU
  const double next = DampedShare(0.4, TargetShare(score_u, score_q, 0.4), 0.5);
  EXPECT_EQ(std::floor(10 * next + 0.5), 4);  // s000.KU
}

TEST(ReferenceEquations, HaveTheReferencesValues) {
  EXPECT_NEAR(Age(Instant(2), Instant(0), Span(1)), 2.0, 2e-9);  // s000.A.1
  // An age of 10 s, an update that is 9 s old when it starts and takes 50 ms; d = 5 s.
  EXPECT_NEAR(Benefit(testing::State(0, Instant(1), Instant(0), Span(5)), Span(0.05)), 0.19,
              1.9e-10);  // s000.B.1
  EXPECT_EQ(Benefit(testing::State(0, Instant(0.02), Instant(0), Span(5)), Span(0.05)),
            0);                                                         // s000.B.2
  EXPECT_NEAR(Age(Instant(0.2), Instant(-6), Span(5)), 1.24, 1.3e-9);   // s000.F.q2: qos
  EXPECT_NEAR(Age(Instant(0.2), Instant(-1.5), Span(1)), 1.7, 1.7e-9);  // s000.F.q4: load
}

// x <- 1664525 x + 1013904223 mod 2^32.
class Lcg {
 public:
  explicit Lcg(std::uint32_t seed) : x_(seed) {}
  double Next() {
    x_ = 1664525u * x_ + 1013904223u;
    return x_ / 4294967296.0;
  }

 private:
  std::uint32_t x_;
};

// One Worker, 300 queries, in the order of the whole scheduler.
TEST(TraceQ, IsServedInTheReferencesOrder) {
  struct Planned {
    double arrived, deadline, service;
  };
  std::vector<Planned> plan;
  Lcg random(12345);
  double at = 0;
  for (int i = 0; i < 300; ++i) {
    at += -0.010 * std::log(1 - random.Next());
    static constexpr double kDeadlines[] = {0.1, 0.2, 0.5, 1, 2};
    const double deadline = kDeadlines[static_cast<int>(5 * random.Next())];
    plan.push_back({at, deadline, 0.004 + 0.010 * random.Next()});
  }
  Options options = TestOptions("joint");
  options.cost_initial = base::Duration(1);  // refuses none
  options.cost_weight = 1e-12;
  auto scheduler = *NewScheduler(options);
  std::map<std::uint32_t, std::size_t> query_in;  // slot -> number
  std::vector<std::size_t> served;
  Batch batch;
  double now = 0;
  double waited = 0;
  int missed = 0;
  std::size_t next = 0;
  while (served.size() < plan.size()) {
    if (served.size() == next) now = std::max(now, plan[next].arrived);
    while (next < plan.size() && plan[next].arrived <= now) {
      const base::MonoTime arrived_at = Instant(plan[next].arrived);
      const Admission admission =
          scheduler->SubmitQuery(testing::Query(arrived_at, Span(plan[next].deadline)), arrived_at);
      query_in[admission.task.slot] = next++;
    }
    scheduler->Take(0, Instant(now), &batch);
    ASSERT_EQ(batch.tasks.size(), 1u);
    const std::size_t number = query_in.at(batch.tasks[0].slot);
    waited += now - plan[number].arrived;
    now += plan[number].service;
    missed += now - plan[number].arrived > plan[number].deadline;
    scheduler->Finish(batch.tasks[0], Span(plan[number].service), Instant(now));
    served.push_back(number);
  }
  const std::vector<std::size_t> first(served.begin(), served.begin() + 20);
  EXPECT_EQ(first, (std::vector<std::size_t>{0, 1,  2,  3,  4,  5,  6,  9,  10, 7,
                                             8, 11, 12, 13, 18, 14, 23, 17, 16, 15}));
  std::uint64_t checksum = 0;
  for (std::size_t k = 0; k < served.size(); ++k) checksum += (k + 1) * (served[k] + 1);
  EXPECT_EQ(checksum % (1ull << 32), 9043831u);  // s000.traceQ.checksum
  EXPECT_EQ(missed, 0);                          // s000.traceQ.miss
  EXPECT_NEAR(waited / 300, 0.04375055712, 1e-10);
}

// One Worker, 400 updates of 8 states; each has the estimate that the trace gives it.
class TraceU : public ::testing::Test {
 protected:
  struct Planned {
    double arrived, generated, service;
    int state;
  };
  static constexpr double kBounds[] = {0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10};

  TraceU() : joint_(TestOptions("joint")) {
    Lcg random(777);
    double at = 0;
    for (int i = 0; i < 400; ++i) {
      at += -0.004 * std::log(1 - random.Next());
      const int state = static_cast<int>(8 * random.Next());
      const double generated = at - 0.002 * random.Next();
      plan_.push_back({at, generated, 0.003 + 0.004 * random.Next(), state});
      if (i < 8) slots_.push_back(tasks_.Allocate());
    }
  }
  // Pending updates are tasks of their state's slot.
  void Arrive(const Planned& update, std::uint64_t order) {
    const std::uint32_t slot = slots_[static_cast<std::size_t>(update.state)];
    Task& task = tasks_.at(slot);
    const double bound = kBounds[update.state];
    const StateUpdate state =
        testing::State(static_cast<StateKey>(update.state), Instant(update.generated),
                       Instant(installed_[update.state]), Span(bound));
    if (!task.states().empty()) {
      ++merged_;
      if (state.generated_at <= task.states()[0].generated_at) return;
      task.states()[0] = state;
    } else {
      tasks_.AddState(&task, state);
      task.order = order;
      task.arrived_at = Instant(update.arrived);
      task.deadline = update.state < 4 ? Span(2 * bound) : base::Duration(0);
      ++pending_;
    }
    generated_[update.state] = update.generated;
    service_[update.state] = update.service;
    task.estimate = Span(update.service);
    Rekey(slot);
  }
  void Rekey(std::uint32_t slot) {
    queue_.RemoveOwn(slot);
    std::vector<Line> lines;
    joint_.AppendLines(tasks_.at(slot), &lines);
    queue_.Add(slot, tasks_.at(slot).order, lines.front());
  }

  TaskTable tasks_;
  Joint joint_;
  AccumulatingPriorityQueue queue_;
  std::vector<Planned> plan_;
  std::vector<std::uint32_t> slots_;
  double installed_[8] = {}, generated_[8] = {}, service_[8] = {};
  int pending_ = 0, merged_ = 0;
};

TEST_F(TraceU, IsServedInTheReferencesOrder) {
  std::vector<int> completed;
  double now = 0;
  double peaks = 0;
  std::size_t next = 0;
  for (const std::uint32_t slot : slots_) queue_.Add(slot, 0, {});  // makes room for the slots
  for (const std::uint32_t slot : slots_) queue_.RemoveAll(slot);
  while (next < plan_.size() || pending_ > 0) {
    if (pending_ == 0) now = std::max(now, plan_[next].arrived);
    for (; next < plan_.size() && plan_[next].arrived <= now; ++next) Arrive(plan_[next], next);
    const std::uint32_t slot = queue_.Top(Instant(now));
    const int state = tasks_.at(slot).states()[0].state;
    const double generated = generated_[state];
    queue_.RemoveAll(slot);
    --pending_;
    now += service_[state];
    tasks_.Free(slot);
    slots_[static_cast<std::size_t>(state)] = tasks_.Allocate();
    // What arrives while it runs is pending anew, and gains less once it is installed.
    for (; next < plan_.size() && plan_[next].arrived <= now; ++next) Arrive(plan_[next], next);
    peaks += now - installed_[state];
    installed_[state] = std::max(installed_[state], generated);
    completed.push_back(state);
    const std::uint32_t successor = slots_[static_cast<std::size_t>(state)];
    if (!tasks_.at(successor).states().empty()) {
      tasks_.at(successor).states()[0].installed_at = Instant(installed_[state]);
      Rekey(successor);
    }
  }
  const std::vector<int> first(completed.begin(), completed.begin() + 20);
  EXPECT_EQ(first, (std::vector<int>{6, 4, 1, 3, 0, 4, 4, 2, 3, 1,
                                     5, 2, 6, 5, 7, 5, 3, 6, 5, 7}));  // s000.traceU.first20
  std::uint64_t checksum = 0;
  for (std::size_t k = 0; k < completed.size(); ++k) {
    checksum += (k + 1) * static_cast<std::uint64_t>(completed[k] + 1);
  }
  EXPECT_EQ(checksum % (1ull << 32), 207769u);  // s000.traceU.checksum
  EXPECT_EQ(completed.size(), 309u);            // s000.traceU.merged
  EXPECT_EQ(merged_, 91);
  EXPECT_NEAR(peaks / 309, 0.05293937838, 5.3e-11);  // s000.traceU.peak
}

// Kleinrock's accumulating priority queue: mean waits of three classes in M/M/1, by simulation.
TEST(AccumulatingPriorityYardstick, MeanWaitsAreTheExactOnes) {
  Options options = TestOptions("joint");
  options.cost_initial = base::Duration(1);
  options.cost_weight = 1e-12;
  // Deadlines and the reference wait a thousandfold: the same order, and none expires.
  options.joint.reference_wait_queries = Span(100);
  auto scheduler = *NewScheduler(options);
  constexpr double kRates[] = {25, 30, 20};
  constexpr double kDeadlines[] = {100, 500, 2000};
  std::mt19937_64 random(4);
  std::exponential_distribution<double> gap(75);
  std::exponential_distribution<double> service(100);
  std::discrete_distribution<int> pick(std::begin(kRates), std::end(kRates));
  struct Waiting {
    double arrived;
    int which;
  };
  std::vector<Waiting> waiting_in(1000);  // by slot
  double sums[3] = {};
  int counts[3] = {};
  Batch batch;
  double arrives = gap(random);
  double now = 0;
  int in_queue = 0;
  for (int served = 0; served < 150'000; ++served) {
    if (in_queue == 0) now = std::max(now, arrives);
    for (; arrives <= now; arrives += gap(random)) {
      const int which = pick(random);
      const Admission admission = scheduler->SubmitQuery(
          testing::Query(Instant(arrives), Span(kDeadlines[which])), Instant(arrives));
      waiting_in[admission.task.slot] = {arrives, which};
      ++in_queue;
    }
    scheduler->Take(0, Instant(now), &batch);
    ASSERT_EQ(batch.tasks.size(), 1u);
    const Waiting& query = waiting_in[batch.tasks[0].slot];
    sums[query.which] += now - query.arrived;
    ++counts[query.which];
    --in_queue;
    now += service(random);
    scheduler->Finish(batch.tasks[0], base::Duration(1), Instant(now));
  }
  EXPECT_NEAR(sums[0] / counts[0], 0.01736418511, 0.001);  // apq.4.W1
  EXPECT_NEAR(sums[1] / counts[1], 0.03236083166, 0.002);  // apq.4.W2
  EXPECT_NEAR(sums[2] / counts[2], 0.04225352113, 0.003);  // apq.4.W3
}

}  // namespace
}  // namespace muster::schedule
