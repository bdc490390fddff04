#include "api/scheduler_json.h"

#include <limits>

#include "base/strings.h"
#include "gtest/gtest.h"

namespace muster::api {
namespace {

TEST(SchedulerOptions, WhatIsWrittenMergesBackAsItWas) {
  schedule::Options options;
  options.policy = "fcfs";
  options.update_share = 0.25;
  options.batch_work_max = std::chrono::microseconds(250);
  options.queries.tasks_max = 12;
  options.joint.query_weights = {0.5, 0.25, 0.125, 0.0625, 0.0625};
  options.joint.benefit_per_work = true;
  options.joint.holding_tasks = 7;
  std::string text;
  AppendSchedulerOptions(options, &text);
  const std::string workers = "\"workers\":1,";
  ASSERT_NE(text.find(workers), std::string::npos);
  text.erase(text.find(workers), workers.size());
  schedule::Options back;
  const absl::Status merged = MergeSchedulerOptions(text, &back);
  ASSERT_TRUE(merged.ok()) << merged << text;
  std::string again;
  AppendSchedulerOptions(back, &again);
  again.erase(again.find(workers), workers.size());
  EXPECT_EQ(again, text);
}

TEST(SchedulerOptions, OnlyWhatIsNamedChanges) {
  schedule::Options options;
  ASSERT_TRUE(
      MergeSchedulerOptions(R"({"update_share":0.3,"updates":{"work_max":"2s"}})", &options).ok());
  EXPECT_EQ(options.update_share, 0.3);
  EXPECT_EQ(options.updates.work_max, std::chrono::seconds(2));
  EXPECT_EQ(options.updates.tasks_max, schedule::QueueLimits{}.tasks_max);
  EXPECT_EQ(options.policy, schedule::Options{}.policy);
}

TEST(SchedulerOptions, AMistakeChangesNothingAndIsNamed) {
  const struct {
    const char* json;
    const char* pointer;
  } cases[] = {
      {R"({"update_share":0.3,"nothing":1})", "[/nothing]"},
      {R"({"update_share":"half"})", "[/update_share]"},
      {R"({"policy":3})", "[/policy]"},
      {R"({"batch_tasks_max":-1})", "[/batch_tasks_max]"},
      {R"({"batch_tasks_max":5000000000})", "[/batch_tasks_max]"},
      {R"({"batch_work_max":"fast"})", "[/batch_work_max]"},
      {R"({"updates":{"tasks_max":1.5}})", "[/updates/tasks_max]"},
      {R"({"updates":{"x":1}})", "[/updates/x]"},
      {R"({"updates":3})", "[/updates]"},
      {R"({"workers":2})", "[/workers]"},
      {R"({"joint":{"query_weights":[1,2]}})", "[/joint/query_weights]"},
      {R"({"joint":{"query_priority":[1,"x"]}})", "[/joint/query_priority]"},
      {R"({"joint":{"benefit_per_work":1}})", "[/joint/benefit_per_work]"},
      {R"([])", "[]"},
      {R"({)", "[]"},
      {"", "[]"},
  };
  for (const auto& c : cases) {
    schedule::Options options;
    const absl::Status merged = MergeSchedulerOptions(c.json, &options);
    EXPECT_TRUE(absl::IsInvalidArgument(merged)) << c.json;
    EXPECT_TRUE(base::Message(merged).ends_with(c.pointer)) << merged;
    EXPECT_EQ(options.update_share, schedule::Options{}.update_share);
  }
}

TEST(SchedulerPicture, InfiniteScoresAreNull) {
  schedule::Snapshot snapshot;
  snapshot.policy = "fcfs";
  snapshot.queue[0].age = std::numeric_limits<double>::infinity();
  snapshot.recent.push_back({base::MonoFromNanos(0), 0.5, 0.6, "growth"});
  std::string out;
  AppendScheduler(snapshot, {}, {base::MonoFromNanos(2'000'000'000), {}}, &out);
  EXPECT_NE(out.find("\"age\":null"), std::string::npos) << out;
  EXPECT_NE(out.find(R"({"age":"2s","update_share_before":0.5,"update_share_after":0.6,)"
                     R"("reason":"growth"})"),
            std::string::npos)
      << out;
}

}  // namespace
}  // namespace muster::api
