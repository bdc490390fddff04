// Distances on the sphere of S2Earth's mean radius.
#pragma once

#include <cstdint>
#include <vector>

#include "model/state.h"
#include "s2/s2cap.h"
#include "s2/s2cell_id.h"
#include "s2/s2point.h"

namespace muster::directory {

// A pole is one point and so is the antimeridian, whatever the longitude says.
S2Point ToPoint(model::Location location);

// Metres; accurate for near, far and opposite points alike.
double DistanceMeters(const S2Point& a, const S2Point& b);

// All points whose DistanceMeters from `center` is at most `radius` metres.
class Disc {
 public:
  Disc(const S2Point& center, double radius);

  const S2Point& center() const { return center_; }
  double radius() const { return radius_; }
  bool Contains(const S2Point& point) const;
  // Ranges of leaf cells that hold every point of the disc, and more; in order, disjoint.
  struct CellRange {
    std::uint64_t first;
    std::uint64_t last;
  };
  std::vector<CellRange> Cover() const;
  // The same, found several times faster, of an area several times larger.
  std::vector<CellRange> CoverRoughly() const;

 private:
  S2Cap ToCap() const;

  S2Point center_;
  double radius_;
  // Squared chords below the first are within for certain, above the second outside; between them
  // the distance itself decides.
  double chord2_within_;
  double chord2_outside_;
};

}  // namespace muster::directory
