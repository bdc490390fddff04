// The equations of urgency, (6)-(14) and (18)-(25), as plain functions.
//
// docs/scheduling.md gives each its symbols, source and choices.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/time.h"
#include "schedule/scheduler.h"

namespace muster::schedule {

inline double Ratio(base::Duration part, base::Duration whole) {
  return base::ToSeconds(part) / base::ToSeconds(whole);
}

// A, (6): the age of a state against its bound; 1 and above is stale, (7) and (8).
inline double Age(base::MonoTime now, base::MonoTime installed_at, base::Duration max_age) {
  return Ratio(now - installed_at, max_age);
}

// B, (10), with the estimated completion "if started now": constant in time.
inline double Benefit(const StateUpdate& state, base::Duration estimate) {
  return std::max(0.0, Ratio(state.generated_at - state.installed_at - estimate, state.max_age));
}

// D, (12): the wait against the deadline; 0 without one.
inline double DeadlinePressure(base::Duration wait, base::Duration deadline) {
  return deadline.count() > 0 ? Ratio(wait, deadline) : 0;
}

// x/(1+x): every component of a score counts 1/2 at its limit, and has no dead zone above.
inline double Normalise(double x) { return x > 0 ? x / (1 + x) : 0; }

// rho, (23) and (24): 1 where no Worker serves.
inline double Load(double arrival_rate, double mean_service, double workers) {
  return workers > 0 ? arrival_rate * mean_service / workers : 1;
}

// k of the high value, the mean of the top k of n: clamp(ceil(0.05 n), 1, 16); 0 for none.
inline constexpr std::size_t kTopMax = 16;
inline std::size_t TopCount(std::size_t n) { return n == 0 ? 0 : std::min(kTopMax, (n + 19) / 20); }

// The components of one queue's score.
struct QueueMeasures {
  base::Duration work{0};        // W, (3)-(5)
  base::Duration wait_max{0};    // T^max
  base::Duration wait_mean{0};   // T^avg
  double age = 0;                // A
  double deadline_pressure = 0;  // D
  double load = 0;               // rho
  double benefit = 0;            // B
};

inline constexpr std::size_t kUpdateTerms = 7;
inline constexpr std::size_t kQueryTerms = 5;
using UpdateTerms = std::array<double, kUpdateTerms>;  // W, T^max, T^avg, A, D, rho, B
using QueryTerms = std::array<double, kQueryTerms>;    // W, T^max, T^avg, D, rho

// The weighted terms whose sums are P_U, (11), and P_Q, (13). `reference_wait` is theta.
UpdateTerms TermsOfUpdates(const QueueMeasures& measures, const UpdateTerms& weights,
                           std::uint32_t workers, base::Duration reference_wait);
QueryTerms TermsOfQueries(const QueueMeasures& measures, const QueryTerms& weights,
                          std::uint32_t workers, base::Duration reference_wait);

template <std::size_t kSize>
double Sum(const std::array<double, kSize>& terms) {
  double sum = 0;
  for (const double term : terms) sum += term;
  return sum;
}

// r_U, (18); `current` where both scores are 0. r_Q, (19), is the rest, (20).
inline double TargetShare(double update_score, double query_score, double current) {
  const double sum = update_score + query_score;
  return sum > 0 ? update_score / sum : current;
}

// A part `damping` of the way from the current share to the target. Undamped (1), scores that fall
// as Workers are added make the share cycle for ever.
inline double DampedShare(double current, double target, double damping) {
  return current + damping * (target - current);
}

}  // namespace muster::schedule
