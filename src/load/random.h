// Chance for workloads: seeded, the same on every machine, and cheap. base::Random has a better
// engine, but one that costs more to seed, once an agent, than the rest of an agent's registration.
#pragma once

#include <cstdint>
#include <vector>

namespace muster::load {

// SplitMix64 (Steele, Lea and Flood, 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  // 0 <= result < n; n > 0, below 2^32.
  std::uint32_t Below(std::uint32_t n) {
    return static_cast<std::uint32_t>((Next() >> 32) * std::uint64_t{n} >> 32);
  }
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }  // 0 <= result < 1
  double Exponential(double mean);

 private:
  std::uint64_t state_;
};

// Ranks 0..size-1, rank k with a weight of 1/(k+1)^exponent.
class Zipf {
 public:
  Zipf(std::uint32_t size, double exponent);
  std::uint32_t Draw(Random* random) const;

 private:
  std::vector<double> cumulative_;  // last is 1
};

}  // namespace muster::load
