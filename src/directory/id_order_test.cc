#include "directory/id_order.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/strings.h"

namespace muster::directory {
namespace {

// An order beside the map that it must agree with.
class OrderedIds {
 public:
  void Insert(const std::string& id) {
    const auto slot = static_cast<model::AgentSlot>(agents_.size());
    agents_.push_back(std::make_unique<model::Agent>());
    agents_.back()->registration.id = id;
    order_.Insert(slot);
    slots_[id] = slot;
  }
  void Remove(const std::string& id) {
    order_.Remove(slots_.at(id));
    slots_.erase(id);
  }
  bool Contains(const std::string& id) const { return slots_.contains(id); }
  const IdOrder& order() const { return order_; }

  // Same agents in the same order, with rising even positions.
  bool Agrees() const {
    auto at = order_.begin();
    IdPosition last = 0;
    for (const auto& [id, slot] : slots_) {
      if (at == order_.end() || *at != slot) return false;
      const IdPosition position = order_.Position(slot);
      if (position <= last || position % 2 != 0) return false;
      last = position;
      ++at;
    }
    return at == order_.end();
  }

 private:
  AgentPointers agents_;
  IdOrder order_{&agents_};
  std::map<std::string, model::AgentSlot> slots_;
};

TEST(IdOrder, AgreesWithASortedMap) {
  EXPECT_TRUE(rc::check([](const std::vector<std::pair<bool, std::uint8_t>>& steps) {
    OrderedIds ids;
    for (const auto& [insert, number] : steps) {
      const std::string id = base::StrCat("agent-", static_cast<int>(number));
      if (insert && !ids.Contains(id)) ids.Insert(id);
      if (!insert && ids.Contains(id)) ids.Remove(id);
    }
    RC_ASSERT(ids.Agrees());
  }));
}

std::string Padded(int number) { return base::StrCat(absl::Dec(number, absl::kZeroPad8)); }

TEST(IdOrder, KeepsItsOrderWhereverIdsAreInserted) {
  OrderedIds rising, falling, middle, split;
  middle.Insert("a");
  middle.Insert("c");
  split.Insert("a");
  split.Insert("z");
  for (int i = 0; i < 3000; ++i) {
    rising.Insert(Padded(i));
    falling.Insert(Padded(9999 - i));
    middle.Insert("b" + Padded(i));
    split.Insert((i % 2 == 0 ? "m" : "n") + Padded(i % 2 == 0 ? i : 9999 - i));
  }
  EXPECT_TRUE(rising.Agrees());
  EXPECT_TRUE(falling.Agrees());
  EXPECT_TRUE(middle.Agrees());
  EXPECT_TRUE(split.Agrees());
}

TEST(IdOrder, PlacesIdsThatAreNotThere) {
  OrderedIds ids;
  EXPECT_EQ(ids.order().PositionOf("x"), kPastLastId);
  ids.Insert("b");
  ids.Insert("d");
  const IdOrder& order = ids.order();
  const IdPosition b = order.PositionOf("b");
  const IdPosition d = order.PositionOf("d");
  EXPECT_LT(order.PositionOf("a"), b);
  EXPECT_LT(b, order.PositionOf("c"));
  EXPECT_LT(order.PositionOf("c"), d);
  EXPECT_EQ(order.PositionOf("e"), kPastLastId);
  EXPECT_EQ(order.LowerBound("b"), b);
  EXPECT_EQ(order.UpperBound("b"), d);
  EXPECT_EQ(order.LowerBound("c"), d);
  EXPECT_EQ(*order.From(order.LowerBound("c")), 1U);
  EXPECT_EQ(*order.After("b"), 1U);
  EXPECT_TRUE(order.After("d") == order.end());
}

}  // namespace
}  // namespace muster::directory
