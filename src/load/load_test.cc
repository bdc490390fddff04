#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "load/fixed_answer_server.h"
#include "load/generator.h"
#include "load/random.h"
#include "load/response_reader.h"
#include "load/summary.h"
#include "load/workload.h"

namespace muster::load {
namespace {

WorkloadOptions SmallWorkload(std::string_view mix) {
  WorkloadOptions options;
  options.mix = *ParseMix(mix);
  options.agents = 100;
  options.batch_lines = 3;
  options.skills = {"translate", "summarise", "search"};
  return options;
}

std::string RequestOf(Workload* workload, Kind kind) {
  std::string out;
  workload->Append(kind, &out);
  return out;
}

// Header and body agree on the body's length.
void ExpectFramed(const std::string& request) {
  const std::size_t end = request.find("\r\n\r\n");
  ASSERT_NE(end, std::string::npos) << request;
  const std::size_t at = request.find("Content-Length: ");
  const std::size_t length =
      at == std::string::npos ? 0 : std::stoul(request.substr(at + sizeof("Content-Length: ") - 1));
  EXPECT_EQ(request.size(), end + 4 + length) << request;
}

TEST(MixTest, ReadsWeightsAndRefusesWhatIsNone) {
  const auto mix = ParseMix("report=65,discover=9,get");
  ASSERT_TRUE(mix.ok());
  EXPECT_EQ((*mix)[static_cast<std::size_t>(Kind::kReport)], 65);
  EXPECT_EQ((*mix)[static_cast<std::size_t>(Kind::kDiscover)], 9);
  EXPECT_EQ((*mix)[static_cast<std::size_t>(Kind::kGet)], 1);
  for (const char* wrong : {"", "reports", "report=0", "report=-1", "report=x", "report=inf"}) {
    EXPECT_FALSE(ParseMix(wrong).ok()) << wrong;
  }
}

TEST(WorkloadTest, EveryRequestIsFramed) {
  Workload workload(SmallWorkload("register,report,batch,get,discover,list"), 0, 1);
  for (int round = 0; round < 50; ++round) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      ExpectFramed(RequestOf(&workload, static_cast<Kind>(kind)));
    }
  }
}

TEST(WorkloadTest, ReportsAreOfThePopulation) {
  Workload workload(SmallWorkload("report"), 0, 1);
  for (int i = 0; i < 200; ++i) {
    const std::string request = RequestOf(&workload, Kind::kReport);
    const std::size_t at = request.find("agent-");
    EXPECT_LT(std::stoul(request.substr(at + 6, 7)), 100u);
  }
}

TEST(WorkloadTest, ThreadsRegisterDifferentAgentsAndEachIsTheSameAgain) {
  const WorkloadOptions options = SmallWorkload("register");
  std::set<std::string> requests;
  for (std::uint32_t thread = 0; thread < 3; ++thread) {
    Workload workload(options, thread, 3);
    for (int i = 0; i < 10; ++i) {
      EXPECT_TRUE(requests.insert(RequestOf(&workload, Kind::kRegister)).second);
    }
  }
  std::string first, second;
  Workload(options, 0, 3).AppendRegistration(42, &first);
  Workload(options, 2, 3).AppendRegistration(42, &second);
  EXPECT_EQ(first, second);
}

TEST(WorkloadTest, DrawsKindsByTheirWeights) {
  Workload workload(SmallWorkload("report=3,discover=1"), 0, 1);
  int reports = 0;
  for (int i = 0; i < 10'000; ++i) reports += workload.Draw() == Kind::kReport ? 1 : 0;
  EXPECT_NEAR(reports, 7500, 200);
}

TEST(RandomTest, ZipfFollowsItsLaw) {
  Random random(1);
  const Zipf zipf(3, 1);  // 6/11, 3/11, 2/11
  int counts[3] = {};
  for (int i = 0; i < 11'000; ++i) ++counts[zipf.Draw(&random)];
  EXPECT_NEAR(counts[0], 6000, 250);
  EXPECT_NEAR(counts[1], 3000, 250);
  EXPECT_NEAR(counts[2], 2000, 250);
}

TEST(RandomTest, ExponentialHasItsMean) {
  Random random(1);
  double sum = 0;
  for (int i = 0; i < 20'000; ++i) sum += random.Exponential(3);
  EXPECT_NEAR(sum / 20'000, 3, 0.1);
}

TEST(ResponseReaderTest, FindsWhereAResponseEnds) {
  const std::string response = "HTTP/1.1 404 Not Found\r\ncontent-LENGTH:   5\r\n\r\nhello";
  ResponseFrame frame;
  EXPECT_EQ(ReadResponse(response + "HTTP", &frame), ReadResult::kComplete);
  EXPECT_EQ(frame.status, 404);
  EXPECT_EQ(frame.size, response.size());
  EXPECT_EQ(response.substr(frame.body_at), "hello");
  for (std::size_t size = 0; size < response.size(); ++size) {
    EXPECT_EQ(ReadResponse(std::string_view(response).substr(0, size), &frame),
              ReadResult::kIncomplete);
  }
  EXPECT_EQ(ReadResponse("HTTP/1.1 200 OK\r\n\r\n", &frame), ReadResult::kBroken);
  EXPECT_EQ(ReadResponse("SSH-2.0-x\r\n\r\n", &frame), ReadResult::kBroken);
}

class GeneratorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(server_.Start(1, R"({"accepted":3,"rejected":1})").ok());
    options_.port = server_.port();
    options_.connections = 4;
    options_.window = 3;
    options_.warm_up = std::chrono::milliseconds(5);
    options_.duration = std::chrono::milliseconds(60);
  }
  FixedAnswerServer server_;
  RunOptions options_;
};

TEST_F(GeneratorTest, ClosedLoopCountsAnswersAndLatencies) {
  options_.workload = SmallWorkload("report,get");
  options_.threads = 2;
  const auto result = load::Run(options_);
  ASSERT_TRUE(result.ok()) << result.status();
  const KindResult& reports = result->kinds[static_cast<std::size_t>(Kind::kReport)];
  EXPECT_GT(reports.requests, 0u);
  EXPECT_EQ(reports.requests, reports.latency_nanos.count());
  EXPECT_EQ(reports.statuses.at(200), reports.requests);
  EXPECT_EQ(result->errors + result->broken + result->unanswered, 0u);
}

TEST_F(GeneratorTest, OpenLoopSendsWhatIsDue) {
  options_.workload = SmallWorkload("report");
  options_.rate = 1000;
  options_.arrivals = Arrivals::kUniform;
  options_.duration = std::chrono::milliseconds(100);
  const auto result = load::Run(options_);
  ASSERT_TRUE(result.ok()) << result.status();
  // Due in 100 ms at one in a millisecond; all of them, however slow this machine is.
  EXPECT_NEAR(static_cast<double>(result->requests() + result->unanswered), 100, 1);
}

TEST_F(GeneratorTest, BatchesCountLinesAndRejections) {
  options_.workload = SmallWorkload("batch");
  const auto result = load::Run(options_);
  ASSERT_TRUE(result.ok()) << result.status();
  const KindResult& batches = result->kinds[static_cast<std::size_t>(Kind::kReportBatch)];
  EXPECT_EQ(batches.items, 2 * batches.requests);  // three lines, one of them rejected
  EXPECT_GE(result->errors, batches.requests);
}

TEST_F(GeneratorTest, RegistersEveryAgentOnce) {
  options_.workload = SmallWorkload("register");
  options_.threads = 3;
  const auto result = RegisterAll(options_);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->requests(), 100u);
}

TEST_F(GeneratorTest, SaysWhenNobodyListens) {
  server_.Stop();
  options_.workload = SmallWorkload("report");
  EXPECT_EQ(load::Run(options_).status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(GeneratorTest, SummariesHaveTheKindsThatWereSent) {
  options_.workload = SmallWorkload("get");
  const auto result = load::Run(options_);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_NE(SummaryText(*result).find("get "), std::string::npos);
  EXPECT_EQ(SummaryText(*result).find("discover"), std::string::npos);
  EXPECT_NE(SummaryJson(*result).find("\"get\":{\"requests\":"), std::string::npos);
}

}  // namespace
}  // namespace muster::load
