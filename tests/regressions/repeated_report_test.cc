// A report that is sent again has the same sequence and the same generation time, so that its
// states have been overtaken, by themselves. It was answered as superseded, from which its sender
// could not tell that its counters and events had been taken the first time.
#include <gtest/gtest.h>

#include "../scenarios/in_process_node.h"

namespace muster {
namespace {

constexpr std::string_view kReport =
    R"({"sequence":1,"generated_at":"2027-01-15T07:59:59Z","states":{"load":0.5},)"
    R"("counters":{"requests":3}})";

class RepeatedReport : public testing::Test {
 protected:
  RepeatedReport() {
    constexpr std::string_view kRegistration =
        R"({"card":{"name":"A"},"states":{"requests":{"kind":"counter"}}})";
    EXPECT_EQ(node_.Ask(api::Method::kPut, "/v1/agents/a", kRegistration).status, 201);
  }
  std::string Report() {
    return node_.Ask(api::Method::kPost, "/v1/agents/a/reports", kReport).body;
  }

  scenarios::InProcessNode node_;
};

TEST_F(RepeatedReport, IsToldThatItIsADuplicate) {
  EXPECT_NE(Report().find(R"("status":"applied")"), std::string::npos);
  EXPECT_NE(Report().find(R"("status":"duplicate","superseded":["load"])"), std::string::npos);
  const std::string agent = node_.Ask(api::Method::kGet, "/v1/agents/a", "").body;
  EXPECT_NE(agent.find(R"("requests":{"value":3,)"), std::string::npos) << agent;
}

TEST_F(RepeatedReport, IsCountedAsADuplicateOfAnUpload) {
  Report();
  std::string line(kReport);
  line.insert(1, R"("id":"a",)");
  const std::string result = node_.Upload(line + "\n").body;
  EXPECT_NE(result.find(R"("superseded":0,"duplicate":1,)"), std::string::npos) << result;
}

}  // namespace
}  // namespace muster
