#include "base/random.h"

#include <cmath>
#include <numbers>

#include "base/check.h"

namespace muster::base {
namespace {

// One step of splitmix64 (Steele, Lea and Flood, OOPSLA 2014): a bijection that leaves no trace of
// its argument's pattern, so that neighbouring seeds give unrelated streams.
std::uint64_t Mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

// FNV-1a, so that a name's stream doesn't hang on a hash that differs from run to run.
std::uint64_t HashOf(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

}  // namespace

Random::Random(std::uint64_t seed) : seed_(seed), engine_(Mix(seed)) {}

// The two kinds of children are mixed differently, so that no name meets a number by construction.
Random Random::Child(std::string_view name) const { return Random(Mix(Mix(seed_) ^ HashOf(name))); }

Random Random::Child(std::uint64_t number) const {
  return Random(Mix(Mix(Mix(seed_)) ^ Mix(number)));
}

double Random::OpenUnit() { return (static_cast<double>(engine_() >> 12) + 0.5) * 0x1.0p-52; }

double Random::Uniform(double low, double high) {
  MUSTER_CHECK(low < high, "a uniform draw needs a range");
  const double drawn = low + (high - low) * Unit();
  return drawn < high ? drawn : low;  // rounding may reach `high`
}

std::uint64_t Random::Below(std::uint64_t bound) {
  MUSTER_CHECK(bound > 0, "nothing is below 0");
  // The lowest 2^64 mod bound values are drawn again: of the rest, each remainder is as frequent.
  const std::uint64_t surplus = (0 - bound) % bound;
  std::uint64_t drawn = Bits();
  while (drawn < surplus) drawn = Bits();
  return drawn % bound;
}

double Random::Exponential(double mean) {
  MUSTER_CHECK(mean > 0, "a mean time is above 0");
  return -mean * std::log(OpenUnit());
}

// Box and Muller, of whose two draws one is left unused: the stream then has no hidden state.
double Random::Normal(double mean, double deviation) {
  const double radius = std::sqrt(-2.0 * std::log(OpenUnit()));
  return mean + deviation * radius * std::cos(2.0 * std::numbers::pi * Unit());
}

}  // namespace muster::base
