#include "directory/sphere.h"

#include <algorithm>
#include <cmath>

#include "s2/s1angle.h"
#include "s2/s2cap.h"
#include "s2/s2cell_union.h"
#include "s2/s2earth.h"
#include "s2/s2latlng.h"
#include "s2/s2region_coverer.h"

namespace muster::directory {
namespace {

constexpr double kHalfTurn = 3.14159265358979323846;
// Far above the rounding of a squared chord of unit vectors, far below a millimetre.
constexpr double kChord2Error = 1e-14;
constexpr double kChordRelativeError = 1e-12;
constexpr double kCoverSlack = 1e-9;  // radians, about 6 mm
constexpr int kCoverCells = 4;

std::vector<Disc::CellRange> ToRanges(const std::vector<S2CellId>& cells) {
  std::vector<Disc::CellRange> ranges;
  ranges.reserve(cells.size());
  for (const S2CellId cell : cells)
    ranges.push_back({cell.range_min().id(), cell.range_max().id()});
  std::sort(ranges.begin(), ranges.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return ranges;
}

}  // namespace

S2Point ToPoint(model::Location location) {
  double longitude = location.longitude;
  if (std::abs(location.latitude) == 90) longitude = 0;
  if (longitude == -180) longitude = 180;
  return S2LatLng::FromDegrees(location.latitude, longitude).ToPoint();
}

double DistanceMeters(const S2Point& a, const S2Point& b) {
  return S2Earth::RadiansToMeters(std::atan2(a.CrossProd(b).Norm(), a.DotProd(b)));
}

Disc::Disc(const S2Point& center, double radius) : center_(center), radius_(radius) {
  const double angle = std::min(S2Earth::MetersToRadians(radius), kHalfTurn);
  const double chord = 2 * std::sin(angle / 2);
  const double chord2 = chord * chord;
  chord2_within_ = chord2 * (1 - kChordRelativeError) - kChord2Error;
  chord2_outside_ = chord2 * (1 + kChordRelativeError) + kChord2Error;
}

bool Disc::Contains(const S2Point& point) const {
  const double chord2 = (center_ - point).Norm2();
  if (chord2 < chord2_within_) return true;
  if (chord2 > chord2_outside_) return false;
  return DistanceMeters(center_, point) <= radius_;
}

S2Cap Disc::ToCap() const {
  const double angle = std::min(S2Earth::MetersToRadians(radius_) + kCoverSlack, kHalfTurn);
  return S2Cap(center_, S1Angle::Radians(angle));
}

std::vector<Disc::CellRange> Disc::Cover() const {
  S2RegionCoverer::Options options;
  options.set_max_cells(kCoverCells);
  S2RegionCoverer coverer(options);
  std::vector<S2CellId> cells;
  coverer.GetCovering(ToCap(), &cells);
  return ToRanges(cells);
}

std::vector<Disc::CellRange> Disc::CoverRoughly() const {
  std::vector<S2CellId> cells;
  ToCap().GetCellUnionBound(&cells);
  S2CellUnion::Normalize(&cells);
  return ToRanges(cells);
}

}  // namespace muster::directory
