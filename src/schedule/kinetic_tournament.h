// The greatest of many lines as time goes on, without looking at all of them.
//
// A winner tree in which each node knows until when its winner certainly stays ahead; advancing the
// clock plays again only the nodes whose certificates ran out. Exact: crossings are integers.
#pragma once

#include <cstdint>
#include <vector>

#include "base/time.h"
#include "schedule/line.h"

namespace muster::schedule {

// A line with its place among ties: the smaller order wins.
struct Contender {
  Line line;
  std::uint64_t order = 0;

  bool Beats(const Contender& other, base::MonoTime at) const {
    const Int128 mine = line.At(at);
    const Int128 theirs = other.line.At(at);
    return mine != theirs ? mine > theirs : order < other.order;
  }
};

class KineticTournament {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // Starts over with room for `leaves`, all empty.
  void Reset(std::uint32_t leaves);
  std::uint32_t leaves() const { return leaves_; }

  void Set(std::uint32_t leaf, const Contender& contender);
  void Clear(std::uint32_t leaf);

  // The leaf that wins at `now`, which never goes back; kNone if all are empty.
  std::uint32_t Winner(base::MonoTime now);

 private:
  struct Node {
    std::uint32_t winner = kNone;  // a leaf
    base::MonoTime fails_at = base::MonoTime::max();
  };

  void PlayUp(std::uint32_t leaf);
  void Play(std::uint32_t node);
  void Advance(std::uint32_t node);
  base::MonoTime CrossingOf(const Contender& winner, const Contender& loser) const;

  std::uint32_t leaves_ = 0;  // a power of two
  std::vector<Contender> contenders_;
  std::vector<Node> nodes_;  // heap order; leaf i is node leaves_ + i
  base::MonoTime now_ = base::MonoTime::min();
};

}  // namespace muster::schedule
