// The high value of the scores (11) and (13): the mean of the top k of n values,
// k = clamp(ceil(0.05 n), 1, 16).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include "schedule/score.h"

namespace muster::schedule {

class TopMean {
 public:
  void Add(double value) {
    ++n_;
    if (size_ < static_cast<std::ptrdiff_t>(kTopMax)) {
      top_[size_++] = value;
      std::push_heap(top_.begin(), top_.begin() + size_, std::greater<>());
    } else if (value > top_[0]) {
      std::pop_heap(top_.begin(), top_.end(), std::greater<>());
      top_[kTopMax - 1] = value;
      std::push_heap(top_.begin(), top_.end(), std::greater<>());
    }
  }
  // 0 for no value. Summed from the greatest down, so that the order of Add does not matter.
  double mean() const {
    std::array<double, kTopMax> sorted = top_;
    std::sort(sorted.begin(), sorted.begin() + size_, std::greater<>());
    const std::size_t k = TopCount(n_);
    double sum = 0;
    for (std::size_t i = 0; i < k; ++i) sum += sorted[i];
    return k == 0 ? 0 : sum / static_cast<double>(k);
  }

 private:
  std::array<double, kTopMax> top_{};
  std::ptrdiff_t size_ = 0;
  std::size_t n_ = 0;
};

}  // namespace muster::schedule
