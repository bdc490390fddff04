#include "api/deadline_lists.h"

#include <rapidcheck.h>

#include <algorithm>
#include <map>

#include "gtest/gtest.h"

namespace muster::api {
namespace {

base::MonoTime At(std::int64_t nanos) { return base::MonoFromNanos(nanos); }

// Against a map, with each kind's own distance, as a reactor uses it.
TEST(DeadlineLists, AgreesWithAMap) {
  EXPECT_TRUE(rc::check("random histories", [] {
    DeadlineLists lists;
    std::map<std::uint32_t, std::int64_t> model;
    std::int64_t now = 0;
    const auto steps =
        *rc::gen::container<std::vector<std::tuple<int, std::uint32_t, std::uint32_t>>>(
            rc::gen::tuple(rc::gen::inRange(0, 4), rc::gen::inRange(0u, 8u),
                           rc::gen::inRange(0u, 5u)));
    for (const auto& [what, member, kind] : steps) {
      if (what == 0) {
        lists.Clear(member);
        model.erase(member);
      } else if (what == 1) {
        now += 3 * kind + 1;
        std::vector<std::uint32_t> expired;
        lists.Expire(At(now), &expired);
        std::vector<std::uint32_t> expected;
        for (const auto& [m, at] : model) {
          if (at <= now) expected.push_back(m);
        }
        for (const auto m : expected) model.erase(m);
        std::sort(expired.begin(), expired.end());
        RC_ASSERT(expired == expected);
      } else {
        const std::int64_t at = now + 5 * (kind + 1);
        lists.Set(member, kind, At(at));
        model[member] = at;
        RC_ASSERT(lists.kind(member) == kind);
      }
    }
  }));
}

TEST(DeadlineLists, AMemberHasOneDeadline) {
  DeadlineLists lists;
  lists.Set(3, 0, At(10));
  lists.Set(3, 1, At(20));
  std::vector<std::uint32_t> expired;
  lists.Expire(At(10), &expired);
  EXPECT_TRUE(expired.empty());
  lists.Expire(At(20), &expired);
  EXPECT_EQ(expired, std::vector<std::uint32_t>{3});
  EXPECT_EQ(lists.kind(3), DeadlineLists::kKinds);
  EXPECT_EQ(lists.kind(99), DeadlineLists::kKinds);
}

}  // namespace
}  // namespace muster::api
