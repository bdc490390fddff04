// One seed, one course of events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace muster::directory::testing {

using Words = std::vector<std::string>;

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}

  int Below(int end) { return static_cast<int>(engine_() % static_cast<unsigned>(end)); }
  bool OneIn(int n) { return Below(n) == 0; }
  template <typename T>
  const T& Pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(Below(static_cast<int>(from.size())))];
  }
  // Some of the words, in their order.
  Words Some(const Words& words) {
    Words some;
    for (const std::string& word : words) {
      if (OneIn(3)) some.push_back(word);
    }
    return some;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace muster::directory::testing
