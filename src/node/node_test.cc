#include "node/node.h"

#include <string>

#include "gtest/gtest.h"
#include "node/test_node.h"

namespace muster::node {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(NodeRegistration, CreatesThenChangesNothingThenReplaces) {
  TestNode node;
  const KeptReply created = node.Register("a");
  ASSERT_TRUE(created.registered);
  EXPECT_EQ(created.registered->change, Registered::Change::kCreated);
  EXPECT_EQ(created.registered->incarnation, created.registered->revision);

  const KeptReply again = node.Register("a");
  EXPECT_EQ(again.registered->change, Registered::Change::kUnchanged);
  EXPECT_EQ(again.registered->revision, created.registered->revision);
  EXPECT_EQ(again.revision, created.revision);

  const KeptReply replaced = node.Register("a", R"({"card":{"name":"B"}})");
  EXPECT_EQ(replaced.registered->change, Registered::Change::kReplaced);
  EXPECT_EQ(replaced.registered->incarnation, created.registered->incarnation);
  EXPECT_GT(replaced.registered->revision, created.registered->revision);
}

TEST(NodeRegistration, ReplacesOnlyTheRevisionThatIfMatchNames) {
  TestNode node;
  const auto first = node.Register("a").registered->revision;
  auto registration =
      model::ParseRegistration("a", R"({"card":{"name":"B"}})", node.node().options().limits);
  const KeptReply wrong = node.Do(RegisterRequest{*registration, first + 1});
  ASSERT_TRUE(wrong.refusal);
  EXPECT_EQ(wrong.refusal->kind, Refusal::Kind::kPreconditionFailed);
  EXPECT_TRUE(node.Do(RegisterRequest{*registration, first}).registered);
}

TEST(NodeRegistration, OneGroupSeesItsOwnEarlierChanges) {
  TestNode node;
  const model::Limits& limits = node.node().options().limits;
  const auto body = [&](std::string_view name) {
    return RegisterRequest{*model::ParseRegistration(
                               "a", base::StrCat(R"({"card":{"name":")", name, R"("}})"), limits),
                           std::nullopt};
  };
  const auto create = node.Send(body("A"));
  const auto same = node.Send(body("A"));
  const auto replace = node.Send(body("B"));
  const auto remove = node.Send(DeregisterRequest{"a", {}});
  const auto remove_again = node.Send(DeregisterRequest{"a", {}});
  const auto create_again = node.Send(body("A"));
  node.RunAll();
  EXPECT_EQ(node.Reply(create).registered->change, Registered::Change::kCreated);
  EXPECT_EQ(node.Reply(same).registered->change, Registered::Change::kUnchanged);
  EXPECT_EQ(node.Reply(replace).registered->change, Registered::Change::kReplaced);
  EXPECT_TRUE(node.Reply(remove).deregistered);
  EXPECT_EQ(node.Reply(remove_again).refusal->kind, Refusal::Kind::kGone);
  EXPECT_EQ(node.Reply(create_again).registered->change, Registered::Change::kCreated);
  EXPECT_GT(node.Reply(create_again).registered->incarnation,
            node.Reply(create).registered->incarnation);
  node.Restart();
  EXPECT_EQ(node.Get("a").rows.at(0).incarnation, node.Reply(create_again).registered->incarnation);
}

TEST(NodeReport, IsVisibleWithItsAge) {
  TestNode node;
  node.Register("a");
  node.Report("a", R"({"states":{"load":0.25,"availability":"ready"}})");
  node.clock().Advance(milliseconds(1500));
  const KeptReply got = node.Get("a");
  ASSERT_TRUE(got.found);
  EXPECT_EQ(got.rows[0].states.at("load"), "0.25");
  EXPECT_EQ(got.rows[0].states.at("availability"), "ready");
  EXPECT_EQ(got.rows[0].ages.at("load"), milliseconds(1500));
}

TEST(NodeReport, NewerGenerationTimeWinsWhateverTheOrder) {
  TestNode node;
  node.Register("a");
  node.Report("a", R"({"generated_at":"2027-01-15T08:00:00.5Z","states":{"load":0.9}})");
  const KeptReply late =
      node.Report("a", R"({"generated_at":"2027-01-15T08:00:00.4Z","states":{"load":0.1}})");
  EXPECT_TRUE(late.reported->superseded);
  EXPECT_EQ(node.Get("a").rows[0].states.at("load"), "0.9");
}

TEST(NodeReport, MergedReportsAreAllAnsweredAndTheOvertakenOnesSayso) {
  TestNode node;
  node.Register("a");
  const auto first = node.SendReport("a", R"({"states":{"load":0.1,"capacity":4}})");
  node.clock().Advance(milliseconds(1));
  const auto second = node.SendReport("a", R"({"states":{"load":0.2}})");
  node.RunAll();
  const Reported& overtaken = *node.Reply(first).reported;
  EXPECT_FALSE(overtaken.superseded);
  EXPECT_EQ(overtaken.superseded_states.count(), 1u);
  EXPECT_FALSE(node.Reply(second).reported->superseded_states.any());
  EXPECT_EQ(node.Get("a").rows[0].states.at("load"), "0.2");
  EXPECT_EQ(node.Get("a").rows[0].states.at("capacity"), "4");
}

constexpr std::string_view kCounting = R"({"card":{"name":"A"},"states":{
    "requests":{"type":"number","kind":"counter"},"fault":{"type":"string","kind":"event"}}})";

TEST(NodeReport, CountersAddUpAndEventsAreKeptOncePerSequence) {
  TestNode node;
  node.Register("a", kCounting);
  const std::string_view report =
      R"({"sequence":7,"counters":{"requests":3},"events":[{"name":"fault","data":"x"}]})";
  EXPECT_FALSE(node.Report("a", report).reported->duplicate);
  EXPECT_TRUE(node.Report("a", report).reported->duplicate);
  node.Report("a", R"({"sequence":6,"counters":{"requests":2}})");
  EXPECT_EQ(node.Get("a").rows[0].states.at("requests"), "5");
  const KeptReply events = node.Do(EventsRequest{"a", "", 10});
  EXPECT_EQ(events.events, std::vector<std::string>{"\"x\""});
}

TEST(NodeReport, ToAnEndedLifeIsGoneAndRevivesNobody) {
  TestNode node;
  const auto incarnation = node.Register("a").registered->incarnation;
  const auto waiting = node.SendReport("a", R"({"states":{"load":0.5}})");
  const auto removal = node.Send(DeregisterRequest{"a", {}});
  // The removal is committed before the report, whatever came first.
  node.RunAll();
  EXPECT_TRUE(node.Reply(removal).deregistered);
  EXPECT_TRUE(node.Reply(waiting).refusal.has_value() || node.Reply(waiting).reported.has_value());
  const KeptReply gone = node.Report("a", R"({"states":{"load":0.5}})");
  EXPECT_EQ(gone.refusal->kind, Refusal::Kind::kGone);

  node.Register("a");
  const std::string old_life =
      base::StrCat(R"({"incarnation":)", incarnation, R"(,"states":{"load":0.5}})");
  EXPECT_EQ(node.Report("a", old_life).refusal->kind, Refusal::Kind::kGone);
  EXPECT_TRUE(node.Get("a").rows[0].states.empty());
  EXPECT_EQ(node.Report("nobody", R"({"states":{"load":0.5}})").refusal->kind,
            Refusal::Kind::kNotFound);
}

TEST(NodeReport, FromTooFarInTheFutureIsRefused) {
  TestNode node;
  node.Register("a");
  const KeptReply refused =
      node.Report("a", R"({"generated_at":"2027-01-16T08:00:00Z","states":{"load":0.5}})");
  EXPECT_EQ(refused.refusal->kind, Refusal::Kind::kBadRequest);
  EXPECT_TRUE(node.Get("a").rows[0].states.empty());
}

TEST(NodeReport, QueuedAckIsAnsweredBeforeItRuns) {
  TestNode node;
  node.Register("a");
  const auto request = node.SendReport("a", R"({"states":{"load":0.5}})", Ack::kQueued);
  ASSERT_TRUE(node.Answered(request));
  EXPECT_TRUE(node.Reply(request).reported->queued_only);
  node.RunAll();
  EXPECT_EQ(node.Get("a").rows[0].states.at("load"), "0.5");
}

TEST(NodeReport, PastItsDeadlineChangesNothing) {
  TestNode node;
  node.Register("a");
  const auto request =
      node.SendReport("a", R"({"states":{"load":0.5}})", Ack::kApplied, milliseconds(10));
  node.clock().Advance(milliseconds(11));
  node.RunAll();
  EXPECT_EQ(node.Reply(request).refusal->kind, Refusal::Kind::kDeadline);
  EXPECT_TRUE(node.Get("a").rows[0].states.empty());
}

TEST(NodeStorage, ARefusedWriteChangesNothingAndIsSaid) {
  TestNode node;
  node.Register("a", kCounting);
  node.storage().RefuseWrites(absl::ResourceExhaustedError("no space left on the device"));
  const std::string_view report =
      R"({"sequence":1,"states":{"load":0.5},"counters":{"requests":1}})";
  EXPECT_EQ(node.Report("a", report).refusal->kind, Refusal::Kind::kStorageFull);
  EXPECT_EQ(node.Register("b").refusal->kind, Refusal::Kind::kStorageFull);
  EXPECT_EQ(node.Remove("a").refusal->kind, Refusal::Kind::kStorageFull);
  EXPECT_TRUE(node.Get("a").rows[0].states.empty());
  EXPECT_EQ(node.Get("b").refusal->kind, Refusal::Kind::kNotFound);

  node.storage().RefuseWrites(absl::OkStatus());
  EXPECT_FALSE(node.Report("a", report).reported->duplicate);
  EXPECT_EQ(node.Get("a").rows[0].states.at("requests"), "1");
}

TEST(NodeRestart, BringsBackStatesWithTheirAgesSequencesAndTombstones) {
  TestNode node;
  node.Register("a", kCounting);
  node.Register("b");
  node.Report("a", R"({"sequence":3,"states":{"load":0.5,"availability":"busy"},
                       "counters":{"requests":4},"events":[{"name":"fault","data":1}]})",
              Ack::kDurable);
  node.Remove("b");
  const KeptReply before = node.Get("a");
  node.clock().Advance(seconds(30));
  node.Restart();
  const KeptReply after = node.Get("a");
  EXPECT_EQ(after.rows[0].states, before.rows[0].states);
  EXPECT_EQ(after.rows[0].generated_at, before.rows[0].generated_at);
  EXPECT_EQ(after.rows[0].ages.at("load"), seconds(30));
  EXPECT_EQ(after.rows[0].incarnation, before.rows[0].incarnation);
  EXPECT_GE(after.revision, before.revision);
  EXPECT_EQ(node.Get("b").refusal->kind, Refusal::Kind::kGone);
  EXPECT_TRUE(node.Report("a", R"({"sequence":3,"counters":{"requests":4}})").reported->duplicate);
  EXPECT_EQ(node.Do(EventsRequest{"a", "", 10}).events, std::vector<std::string>{"1"});
}

TEST(NodeRestart, TheTimeThatItWasDownLapsesNobodyButSilenceBeforeCounts) {
  TestNode node;
  node.Register("quiet", R"({"card":{"name":"Q"},"lease":"10s"})");
  node.Register("live", R"({"card":{"name":"L"},"lease":"10s"})");
  const auto tick_for = [&](int tenths) {
    for (int i = 0; i < tenths; ++i) {
      node.clock().Advance(milliseconds(100));
      node.node().Tick();
    }
  };
  tick_for(90);
  node.Report("live", R"({"states":{"load":0.1}})", Ack::kDurable);
  node.clock().Advance(hours(24));
  node.Restart();
  EXPECT_FALSE(node.Get("quiet").rows[0].lapsed);
  tick_for(15);
  EXPECT_TRUE(node.Get("quiet").rows[0].lapsed);
  EXPECT_FALSE(node.Get("live").rows[0].lapsed);
}

TEST(NodeLease, RunsOutRevivesAndDoesNotRunWhileTheNodeIsStopped) {
  TestNode node;
  node.Register("a", R"({"card":{"name":"A"},"lease":"2s"})");
  node.clock().Advance(hours(1));  // stopped and continued: no tick in between
  node.node().Tick();
  EXPECT_FALSE(node.Get("a").rows[0].lapsed);
  for (int i = 0; i < 30; ++i) {
    node.clock().Advance(milliseconds(100));
    node.node().Tick();
  }
  EXPECT_TRUE(node.Get("a").rows[0].lapsed);
  EXPECT_TRUE(node.Discover({}).rows.empty());
  node.Report("a", R"({"states":{"load":0.1}})");
  EXPECT_FALSE(node.Get("a").rows[0].lapsed);
  EXPECT_EQ(node.Discover({}).rows.size(), 1u);
}

TEST(NodeLease, RegisteringAgainRenewsIt) {
  TestNode node;
  const std::string body = R"({"card":{"name":"A"},"lease":"2s"})";
  node.Register("a", body);
  for (int i = 0; i < 30; ++i) {
    node.clock().Advance(milliseconds(100));
    node.node().Tick();
  }
  EXPECT_TRUE(node.Get("a").rows[0].lapsed);
  EXPECT_EQ(node.Register("a", body).registered->change, Registered::Change::kUnchanged);
  EXPECT_FALSE(node.Get("a").rows[0].lapsed);
}

Options TwoWorkers() {
  Options options;
  options.schedule.policy = "fixed_split";
  options.schedule.workers = 2;
  return options;
}

model::Query FreshLoad(model::Freshness freshness) {
  model::Query query;
  query.filter = "load < 0.9";
  query.freshness = freshness;
  query.deadline = seconds(1);
  return query;
}

TEST(NodeFreshness, RequireWaitsForThePendingUpdateAndThenAnswersFresh) {
  TestNode node(TwoWorkers());
  node.Register("a");
  node.Report("a", R"({"states":{"load":0.1}})");
  node.clock().Advance(hours(1));
  node.node().Tick();
  const auto update = node.SendReport("a", R"({"states":{"load":0.2}})");
  const auto query = node.Send(DiscoverRequest{FreshLoad(model::Freshness::kRequire)});
  EXPECT_TRUE(node.node().Work(1));  // the query's own Worker finds it stale and parks it
  EXPECT_FALSE(node.Answered(query));
  node.RunAll();
  EXPECT_TRUE(node.Reply(update).reported);
  ASSERT_EQ(node.Reply(query).rows.size(), 1u);
  EXPECT_EQ(node.Reply(query).rows[0].states.at("load"), "0.2");
  EXPECT_FALSE(node.Reply(query).stale);
}

TEST(NodeFreshness, PreferAnswersAtOnceAndSaysThatItIsStale) {
  TestNode node(TwoWorkers());
  node.Register("a");
  node.Report("a", R"({"states":{"load":0.1}})");
  node.clock().Advance(milliseconds(900));
  for (int i = 0; i < 300; ++i) {
    node.clock().Advance(milliseconds(100));
    node.node().Tick();
  }
  const KeptReply answer = node.Discover(FreshLoad(model::Freshness::kPrefer));
  ASSERT_EQ(answer.rows.size(), 1u);
  EXPECT_TRUE(answer.stale);
  EXPECT_GT(answer.freshness_risk, 3.0);
}

TEST(NodeFreshness, RequireWithNothingPendingAnswersStaleAtOnce) {
  TestNode node(TwoWorkers());
  node.Register("a", R"({"card":{"name":"A"},"lease":"1h"})");
  node.Report("a", R"({"states":{"load":0.1}})");
  for (int i = 0; i < 300; ++i) {
    node.clock().Advance(milliseconds(100));
    node.node().Tick();
  }
  const KeptReply answer = node.Discover(FreshLoad(model::Freshness::kRequire));
  ASSERT_EQ(answer.rows.size(), 1u);
  EXPECT_TRUE(answer.stale);
}

TEST(NodeQuery, BadFilterIsRefusedWithItsPosition) {
  TestNode node;
  model::Query query;
  query.filter = "laod < 1";
  const KeptReply refused = node.Discover(query);
  ASSERT_TRUE(refused.refusal);
  EXPECT_EQ(refused.refusal->kind, Refusal::Kind::kBadRequest);
  EXPECT_NE(refused.refusal->detail.find("laod"), std::string::npos);
}

TEST(NodePhase, WhileWarmingOrDrainingEverythingIsUnavailable) {
  TestNode node;
  node.Register("a");
  node.node().BeginDrain();
  const KeptReply refused = node.Get("a");
  ASSERT_TRUE(refused.refusal);
  EXPECT_EQ(refused.refusal->kind, Refusal::Kind::kUnavailable);
  EXPECT_TRUE(node.node().Drained());
  EXPECT_TRUE(node.node().Stop().ok());
}

TEST(NodeClock, AStepOfTheWallClockKeepsGenerationTimesExact) {
  TestNode node;
  node.Register("a");
  node.clock().StepWall(hours(1));
  node.node().Tick();
  node.Report("a", R"({"generated_at":"2027-01-15T08:59:59.123456789Z","states":{"load":0.5}})");
  EXPECT_EQ(
      node.Get("a").rows[0].generated_at.at("load").time_since_epoch().count() % 1'000'000'000,
      123456789);
}

}  // namespace
}  // namespace muster::node
