#include "api/problem.h"

#include "gtest/gtest.h"

namespace muster::api {
namespace {

std::string Text(const Problem& problem) {
  std::string out;
  AppendProblem(problem, &out);
  return out;
}

TEST(Problem, ThePointerIsCutOffTheDetail) {
  EXPECT_EQ(Text({400, "load must lie in 0..1, not 1.7. [/states/load]", {}, {}}),
            R"({"type":"/problems/bad-request","title":"Bad Request","status":400,)"
            R"("detail":"load must lie in 0..1, not 1.7.","pointer":"/states/load"})");
  EXPECT_EQ(Text({400, "It must be an object. []", {}, {}}),
            R"({"type":"/problems/bad-request","title":"Bad Request","status":400,)"
            R"("detail":"It must be an object.","pointer":""})");
}

TEST(Problem, OtherBracketsStay) {
  for (const char* detail :
       {"expected [a, b]", "[/x] first", "an array [1]", "[/alone]", "]", ""}) {
    const Detail split = SplitDetail(detail);
    EXPECT_FALSE(split.has_pointer) << detail;
    EXPECT_EQ(split.text, detail);
  }
}

TEST(Problem, RetryAfterIsRoundedUp) {
  EXPECT_EQ(RetryAfterSeconds(base::Duration(1)), 1);
  EXPECT_EQ(RetryAfterSeconds(std::chrono::seconds(1)), 1);
  EXPECT_EQ(RetryAfterSeconds(std::chrono::milliseconds(1001)), 2);
  EXPECT_NE(
      Text({429, "full", std::chrono::milliseconds(1200), {}}).find("\"retry_after\":\"1.2s\""),
      std::string::npos);
}

TEST(Problem, EveryRefusalHasItsStatus) {
  using Kind = node::Refusal::Kind;
  const std::pair<Kind, int> cases[] = {{Kind::kBadRequest, 400},
                                        {Kind::kNotFound, 404},
                                        {Kind::kConflict, 409},
                                        {Kind::kGone, 410},
                                        {Kind::kPreconditionFailed, 412},
                                        {Kind::kOverloaded, 429},
                                        {Kind::kNotImplemented, 501},
                                        {Kind::kUnavailable, 503},
                                        {Kind::kDeadline, 504},
                                        {Kind::kStorageFull, 507},
                                        {Kind::kInternal, 500}};
  for (const auto& [kind, status] : cases) EXPECT_EQ(StatusOf(kind), status);
}

}  // namespace
}  // namespace muster::api
