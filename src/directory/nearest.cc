#include "directory/nearest.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace muster::directory {
namespace {

constexpr int kTries = 10;
constexpr double kStep = 4;            // between radii, until one is too small and one too large
constexpr double kGlobe = 20'100'000;  // metres, a little more than to the opposite point

// The radius of a disc that would hold twice `wanted` of so many, if they stood evenly.
double FirstRadius(std::size_t wanted, std::size_t located) {
  const double share = 2.0 * static_cast<double>(wanted) / static_cast<double>(located);
  return kGlobe * std::sqrt(std::min(share, 1.0)) / 1.5;
}

}  // namespace

bool FindNearest(const LocationIndex& locations, const Disc& limits, std::size_t wanted,
                 absl::FunctionRef<void(std::vector<model::AgentSlot>*)> keep,
                 std::vector<model::AgentSlot>* out) {
  const std::size_t slots_max =
      std::min(std::max<std::size_t>(384, 16 * wanted), locations.size() / 4);
  std::optional<double> too_small;
  std::optional<double> too_large;
  double radius = FirstRadius(wanted, std::max<std::size_t>(locations.size(), 1));
  for (int i = 0; i < kTries; ++i) {
    const bool is_all = radius >= limits.radius();
    const Disc disc(limits.center(), std::min(radius, limits.radius()));
    if (locations.Collect(disc.CoverRoughly(), slots_max, out)) {
      std::erase_if(*out,
                    [&](model::AgentSlot slot) { return !disc.Contains(*locations.Point(slot)); });
      keep(out);
      if (out->size() >= wanted || is_all) return true;
      too_small = radius;
    } else {
      too_large = radius;
    }
    if (too_small && too_large) {
      radius = std::sqrt(*too_small * *too_large);
    } else {
      radius = too_small ? radius * kStep : radius / kStep;
    }
  }
  return false;
}

}  // namespace muster::directory
