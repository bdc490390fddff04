#include "model/state.h"

#include <limits>
#include <string>

#include "base/strings.h"
#include "gtest/gtest.h"

namespace muster::model {
namespace {

using std::chrono::seconds;

StateSpec Spec(std::string name, StateType type = StateType::kNumber) {
  StateSpec spec;
  spec.name = std::move(name);
  spec.type = type;
  return spec;
}

std::string Refusal(const absl::Status& status) { return std::string(base::Message(status)); }

TEST(StateCatalog, KnowsTheBuiltInStates) {
  const StateCatalog catalog = StateCatalog::BuiltIn();
  for (const char* name : {"load", "capacity", "queue_depth", "availability", "latency",
                           "success_rate", "cost", "location"}) {
    const auto index = catalog.Find(name);
    ASSERT_TRUE(index.has_value()) << name;
    EXPECT_EQ(catalog.spec(*index).name, name);
    EXPECT_EQ(catalog.spec(*index).kind, StateKind::kReplaceable);
  }
  EXPECT_EQ(catalog.size(), 8);
  EXPECT_FALSE(catalog.Find("Load").has_value());
  EXPECT_FALSE(catalog.Find("").has_value());
}

TEST(StateCatalog, GivesDenseNumbersInOrder) {
  StateCatalog catalog = StateCatalog::BuiltIn();
  EXPECT_EQ(*catalog.Declare(Spec("battery"), 256), 8);
  EXPECT_EQ(*catalog.Declare(Spec("voltage"), 256), 9);
  EXPECT_EQ(*catalog.Declare(Spec("battery"), 256), 8);
  EXPECT_EQ(catalog.Find("voltage"), StateIndex{9});
}

TEST(StateCatalog, RefusesAnotherDeclarationOfAName) {
  StateCatalog catalog = StateCatalog::BuiltIn();
  const auto declared = catalog.Declare(Spec("load", StateType::kString), 256);
  EXPECT_TRUE(absl::IsAlreadyExists(declared.status()));
  EXPECT_NE(Refusal(declared.status()).find("[/states/load]"), std::string::npos);
  StateSpec critical = catalog.spec(*catalog.Find("load"));
  critical.critical = true;
  EXPECT_TRUE(absl::IsAlreadyExists(catalog.Declare(critical, 256).status()));
}

TEST(StateCatalog, IsBounded) {
  StateCatalog catalog = StateCatalog::BuiltIn();
  EXPECT_TRUE(catalog.Declare(Spec("a"), 9).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(catalog.Declare(Spec("b"), 9).status()));
  EXPECT_TRUE(catalog.Declare(Spec("a"), 9).ok());
  for (std::size_t i = catalog.size(); i < kStatesLimit; ++i) {
    ASSERT_TRUE(catalog.Declare(Spec(base::StrCat("s", i)), 1'000).ok());
  }
  EXPECT_TRUE(absl::IsResourceExhausted(catalog.Declare(Spec("more"), 1'000).status()));
}

TEST(CheckStateSpec, RefusesWhatContradictsItself) {
  const auto refused = [](StateSpec spec) { return absl::IsInvalidArgument(CheckStateSpec(spec)); };
  EXPECT_TRUE(CheckStateSpec(Spec("a_1")).ok());
  for (const char* name : {"", "A", "1a", "_a", "a-b", "a b", "a.b", "\u00e9"}) {
    EXPECT_TRUE(refused(Spec(name))) << name;
  }
  EXPECT_FALSE(refused(Spec(std::string(64, 'a'))));
  EXPECT_TRUE(refused(Spec(std::string(65, 'a'))));
  StateSpec spec = Spec("a");
  spec.minimum = 2;
  spec.maximum = 1;
  EXPECT_TRUE(refused(spec));
  spec.maximum = 2;
  EXPECT_FALSE(refused(spec));
  spec.maximum = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(refused(spec));
  spec = Spec("a", StateType::kBool);
  spec.minimum = 0;
  EXPECT_TRUE(refused(spec));
  spec = Spec("a");
  spec.allowed = {"x"};
  EXPECT_TRUE(refused(spec));
  spec = Spec("a", StateType::kString);
  spec.kind = StateKind::kCounter;
  EXPECT_TRUE(refused(spec));
  spec = Spec("a");
  spec.max_age = seconds(0);
  EXPECT_TRUE(refused(spec));
}

TEST(CheckValue, HoldsNumbersToTheirRange) {
  const StateCatalog catalog = StateCatalog::BuiltIn();
  const StateSpec& load = catalog.spec(*catalog.Find("load"));
  EXPECT_TRUE(CheckValue(load, View(0.0)).ok());
  EXPECT_TRUE(CheckValue(load, View(1.0)).ok());
  EXPECT_EQ(Refusal(CheckValue(load, View(1.7))), "load must be between 0 and 1, got 1.7");
  EXPECT_FALSE(CheckValue(load, View(-0.1)).ok());
  EXPECT_FALSE(CheckValue(load, View(std::numeric_limits<double>::quiet_NaN())).ok());
  EXPECT_EQ(Refusal(CheckValue(load, View(true))), "load must be a number, got a bool");
  const StateSpec& cost = catalog.spec(*catalog.Find("cost"));
  EXPECT_EQ(Refusal(CheckValue(cost, View(-2.0))), "cost must be at least 0, got -2");
  EXPECT_TRUE(CheckValue(cost, View(1e308)).ok());
  EXPECT_FALSE(CheckValue(cost, View(std::numeric_limits<double>::infinity())).ok());
}

TEST(CheckValue, HoldsTextsToWhatIsAllowed) {
  const StateCatalog catalog = StateCatalog::BuiltIn();
  const StateSpec& spec = catalog.spec(*catalog.Find("availability"));
  EXPECT_TRUE(CheckValue(spec, View(StateValue(std::string("ready")))).ok());
  EXPECT_EQ(Refusal(CheckValue(spec, View(StateValue(std::string("Ready"))))),
            "availability must be one of ready, busy, overloaded, draining, offline, got "
            "\"Ready\"");
  EXPECT_TRUE(CheckValue(Spec("model", StateType::kString), View(StateValue(std::string()))).ok());
}

TEST(CheckValue, HoldsLocationsToTheEarth) {
  const StateSpec spec = Spec("place", StateType::kLocation);
  for (const Location at : {Location{90, 180}, Location{-90, -180}, Location{0, 0}}) {
    EXPECT_TRUE(CheckValue(spec, View(at)).ok());
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Location at :
       {Location{90.001, 0}, Location{0, 180.001}, Location{-91, 0}, Location{nan, 0}}) {
    EXPECT_FALSE(CheckValue(spec, View(at)).ok());
  }
}

}  // namespace
}  // namespace muster::model
