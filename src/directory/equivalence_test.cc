// The directory against the oracle: random lives of agents, random queries, equal answers.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "base/strings.h"
#include "directory/testing/chance.h"
#include "directory/testing/oracle.h"
#include "directory/testing/random_query.h"
#include "directory/testing/sample.h"

namespace muster::directory {
namespace {

using testing::AtSecond;
using testing::OracleAgent;
using testing::OracleAnswer;
using testing::OracleQuery;
using testing::OracleRow;
using testing::ServedSecond;
using testing::WallSecond;

constexpr int kPagesMax = 20;  // turned after each query

// Both directories, living the same lives.
class Twins {
 public:
  Twins(std::uint64_t seed, int ids)
      : chance_(seed), random_(&chance_, ids), oracle_(MakeCatalog()) {}

  void Live() {
    const int choice = chance_.Below(10);
    const std::string id = random_.Id();
    if (!oracle_.agents().contains(id) || choice == 0) {
      Register(id);
    } else if (choice == 1) {
      sample_.Remove(id);
      oracle_.agents().erase(id);
    } else if (choice == 2) {
      const double second = chance_.Below(100);
      sample_.directory.MarkHeard(*sample_.directory.Find(id), WallSecond(second),
                                  ServedSecond(second));
      double& heard = oracle_.agents()[id].heard_second;
      heard = std::max(heard, second);
    } else {
      Report(id);
    }
  }

  void Ask() {
    const OracleQuery query = random_.Query();
    const double second = chance_.Below(120);
    const OracleAnswer expected = oracle_.Answer(query, second);
    RC_LOG() << query.query.filter << " / " << query.query.order_by << "\n";
    const absl::StatusOr<Plan> plan = sample_.directory.Compile(query.query);
    if (!plan.ok()) RC_FAIL(std::string(base::Message(plan.status())));
    QueryResult result;
    sample_.directory.Execute(*plan, AtSecond(second), &result);
    Compare(query, expected, 0, result);
    RC_ASSERT(std::abs(result.freshness_risk - expected.freshness_risk) <=
              1e-9 * (1 + expected.freshness_risk));
    RC_ASSERT(result.stale.size() == expected.stale);
    RC_ASSERT(result.total.has_value() == query.query.count_total);
    if (result.total) RC_ASSERT(*result.total == expected.rows.size());
    TurnPages(query, *plan, second, expected);
  }

  // Pages while others come and go: who stays as it was is on exactly one page.
  void TurnPagesUnderChurn() {
    const OracleQuery query = random_.Query();
    const Plan plan = *sample_.directory.Compile(query.query);
    const double second = chance_.Below(120);
    std::set<std::string> untouched;
    for (const OracleRow& row : oracle_.Answer(query, second).rows) untouched.insert(row.id);
    std::vector<std::string> seen;
    std::string cursor;
    do {
      QueryResult page;
      std::string next;
      RC_ASSERT(sample_.directory.ExecutePage(plan, AtSecond(second), cursor, &page, &next).ok());
      for (const std::string& id : sample_.ToIds(page)) seen.push_back(id);
      cursor = next;
      for (int i = 0; i < 3; ++i) untouched.erase(Churn());
    } while (!cursor.empty());
    for (const std::string& id : untouched) {
      RC_ASSERT(std::count(seen.begin(), seen.end(), id) == 1);
    }
  }

 private:
  model::StateCatalog MakeCatalog() {
    sample_.Declare("gpu", model::StateType::kBool);
    sample_.Declare("model", model::StateType::kString);
    return sample_.directory.catalog();
  }

  // Removes or replaces an agent; which.
  std::string Churn() {
    const std::string id = random_.Id();
    if (oracle_.agents().contains(id) && chance_.OneIn(2)) {
      sample_.Remove(id);
      oracle_.agents().erase(id);
    } else {
      Register(id);
    }
    return id;
  }

  void Register(const std::string& id) {
    OracleAgent& agent = oracle_.agents()[id];
    agent.sketch = random_.Agent(id);
    agent.heard_second = 0;
    sample_.Put(agent.sketch);
  }

  void Report(const std::string& id) {
    const std::string state =
        chance_.Pick(testing::Words{"load", "latency", "availability", "model", "gpu", "location"});
    const model::StateValue value = random_.Value(state);
    const double second = chance_.Below(100);
    auto& states = oracle_.agents()[id].states;
    const auto found = states.find(state);
    const bool is_newer = found == states.end() || found->second.second < second;
    RC_ASSERT(sample_.Report(id, state, value, second) == is_newer);
    if (is_newer) states[state] = {value, second};
  }

  // `result` holds the rows that follow the first `skipped` of all.
  void Compare(const OracleQuery& query, const OracleAnswer& expected, std::size_t skipped,
               const QueryResult& result) {
    const std::size_t count =
        std::min<std::size_t>(query.query.limit, expected.rows.size() - skipped);
    RC_ASSERT(result.rows.size() == count);
    for (std::size_t i = 0; i < count; ++i) {
      const OracleRow& wanted = expected.rows[skipped + i];
      const ResultRow& row = result.rows[i];
      RC_ASSERT(sample_.directory.agent(row.slot)->registration.id == wanted.id);
      RC_ASSERT(row.score.has_value() == wanted.score.has_value());
      if (row.score) RC_ASSERT(std::abs(*row.score - *wanted.score) < 1e-12);
      RC_ASSERT(row.distance.has_value() == wanted.distance.has_value());
      if (row.distance) RC_ASSERT(std::abs(*row.distance - *wanted.distance) < 1e-3);
    }
  }

  void TurnPages(const OracleQuery& query, const Plan& plan, double second,
                 const OracleAnswer& expected) {
    std::string cursor;
    std::size_t skipped = 0;
    for (int pages = 0; pages < kPagesMax; ++pages) {
      QueryResult page;
      std::string next;
      const absl::Status status =
          sample_.directory.ExecutePage(plan, AtSecond(second), cursor, &page, &next);
      if (!status.ok()) RC_FAIL(std::string(base::Message(status)));
      Compare(query, expected, skipped, page);
      skipped += page.rows.size();
      RC_ASSERT(next.empty() == (skipped == expected.rows.size()));
      if (next.empty()) return;
      cursor = next;
    }
  }

  testing::Chance chance_;
  testing::RandomQuery random_;
  testing::SampleDirectory sample_;
  testing::Oracle oracle_;
};

void LiveAndAsk(int ids, int lives, int queries) {
  EXPECT_TRUE(rc::check([=](std::uint64_t seed) {
    Twins twins(seed, ids);
    for (int i = 0; i < lives; ++i) twins.Live();
    for (int i = 0; i < queries; ++i) {
      twins.Ask();
      twins.Live();
    }
  }));
}

TEST(Equivalence, OfSmallDirectories) { LiveAndAsk(12, 60, 40); }
TEST(Equivalence, OfLargerDirectories) { LiveAndAsk(300, 900, 15); }
TEST(Equivalence, OfDirectoriesOfManyBlocks) { LiveAndAsk(1200, 2000, 2); }

TEST(Equivalence, PagesAreStableUnderChurn) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Twins twins(seed, 60);
    for (int i = 0; i < 200; ++i) twins.Live();
    for (int i = 0; i < 5; ++i) twins.TurnPagesUnderChurn();
  }));
}

}  // namespace
}  // namespace muster::directory
