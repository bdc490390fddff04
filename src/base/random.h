// Seeded randomness that repeats: the same seed gives the same draws, whatever the compiler and its
// library. (The engine is the standard's mt19937_64, which is specified bit by bit; the standard's
// distributions are not, so they are not used. Exponential and normal draws may still differ in the
// last place where the C library's logarithm or cosine does.)
#pragma once

#include <cstdint>
#include <random>
#include <string_view>

namespace muster::base {

// One stream of draws. Work that must not disturb other work's draws takes a child stream.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  // A stream of its own, given by this stream's seed and the name alone: however many draws were
  // made before, and whatever other children there are, it is the same.
  Random Child(std::string_view name) const;
  Random Child(std::uint64_t number) const;

  std::uint64_t seed() const { return seed_; }

  std::uint64_t Bits() { return engine_(); }
  // Uniform in [0, 1), a multiple of 2^-53.
  double Unit() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }
  // Uniform in [low, high); needs low < high, both finite.
  double Uniform(double low, double high);
  // Uniform in 0..bound-1, without bias; needs bound > 0.
  std::uint64_t Below(std::uint64_t bound);
  bool Chance(double probability) { return Unit() < probability; }
  // Exponentially distributed with this mean, above 0; needs mean > 0.
  double Exponential(double mean);
  // Normally distributed.
  double Normal(double mean, double deviation);

 private:
  double OpenUnit();  // uniform in (0, 1)

  std::uint64_t seed_;
  std::mt19937_64 engine_;
};

}  // namespace muster::base
