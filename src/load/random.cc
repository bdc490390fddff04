#include "load/random.h"

#include <algorithm>
#include <cmath>

namespace muster::load {

double Random::Exponential(double mean) { return -mean * std::log1p(-Unit()); }

Zipf::Zipf(std::uint32_t size, double exponent) {
  double sum = 0;
  for (std::uint32_t k = 0; k < size; ++k) {
    sum += std::pow(k + 1.0, -exponent);
    cumulative_.push_back(sum);
  }
  for (double& value : cumulative_) value /= sum;
  cumulative_.back() = 1;
}

std::uint32_t Zipf::Draw(Random* random) const {
  const double at = random->Unit();
  return static_cast<std::uint32_t>(std::upper_bound(cumulative_.begin(), cumulative_.end(), at) -
                                    cumulative_.begin());
}

}  // namespace muster::load
