#include "schedule/kinetic_tournament.h"

#include <algorithm>
#include <bit>

namespace muster::schedule {

void KineticTournament::Reset(std::uint32_t leaves) {
  leaves_ = std::bit_ceil(std::max(leaves, 2u));
  contenders_.assign(leaves_, {});
  nodes_.assign(2 * static_cast<std::size_t>(leaves_), {});
}

void KineticTournament::Set(std::uint32_t leaf, const Contender& contender) {
  contenders_[leaf] = contender;
  nodes_[leaves_ + leaf].winner = leaf;
  PlayUp(leaf);
}

void KineticTournament::Clear(std::uint32_t leaf) {
  nodes_[leaves_ + leaf].winner = kNone;
  PlayUp(leaf);
}

std::uint32_t KineticTournament::Winner(base::MonoTime now) {
  now_ = std::max(now_, now);
  if (nodes_[1].fails_at <= now_) Advance(1);
  return nodes_[1].winner;
}

void KineticTournament::PlayUp(std::uint32_t leaf) {
  for (std::uint32_t node = (leaves_ + leaf) / 2; node > 0; node /= 2) Play(node);
}

// The winner of the two children, as they stand, and how long that is certain.
void KineticTournament::Play(std::uint32_t node) {
  const Node& left = nodes_[2 * node];
  const Node& right = nodes_[2 * node + 1];
  Node& result = nodes_[node];
  result.fails_at = std::min(left.fails_at, right.fails_at);
  if (left.winner == kNone || right.winner == kNone) {
    result.winner = left.winner == kNone ? right.winner : left.winner;
    return;
  }
  const bool left_wins = contenders_[left.winner].Beats(contenders_[right.winner], now_);
  result.winner = left_wins ? left.winner : right.winner;
  const std::uint32_t loser = left_wins ? right.winner : left.winner;
  result.fails_at =
      std::min(result.fails_at, CrossingOf(contenders_[result.winner], contenders_[loser]));
}

void KineticTournament::Advance(std::uint32_t node) {
  if (node >= leaves_ || nodes_[node].fails_at > now_) return;
  Advance(2 * node);
  Advance(2 * node + 1);
  Play(node);
}

// The first instant after now at which `loser` is ahead.
base::MonoTime KineticTournament::CrossingOf(const Contender& winner,
                                             const Contender& loser) const {
  if (loser.line.slope <= winner.line.slope) return base::MonoTime::max();
  const Int128 gap = winner.line.intercept - loser.line.intercept;
  const Int128 closing = Int128{loser.line.slope} - winner.line.slope;
  Int128 at = gap / closing;
  if (gap % closing != 0 && gap < 0) --at;  // rounds down
  // At the crossing itself the smaller order is ahead; it is met exactly only if it divides.
  const bool is_met = gap % closing == 0;
  if (!(is_met && loser.order < winner.order)) ++at;
  constexpr Int128 kLast = base::MonoTime::max().time_since_epoch().count();
  return at >= kLast ? base::MonoTime::max() : base::MonoFromNanos(static_cast<std::int64_t>(at));
}

}  // namespace muster::schedule
