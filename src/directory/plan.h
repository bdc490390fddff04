// A compiled query and its result.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/time.h"
#include "model/agent.h"
#include "model/state.h"

namespace muster::directory {

// Immutable, cheap to copy, holds no pointer into the directory: it stays valid across changes.
class Plan {
 public:
  struct Body;
  explicit Plan(std::shared_ptr<const Body> body) : body_(std::move(body)) {}
  const Body& body() const { return *body_; }
  std::uint32_t limit() const;
  // The states that decide the answer (S_q): filtered, ranked or ordered by; sorted.
  const std::vector<model::StateIndex>& deciding_states() const;
  // A small dense number for the shape of the plan, for service-time estimates: < kCostShapesMax.
  std::uint16_t cost_shape() const;

 private:
  std::shared_ptr<const Body> body_;
};
inline constexpr std::uint16_t kCostShapesMax = 64;

struct ResultRow {
  model::AgentSlot slot = 0;
  std::optional<double> score;     // with `rank`
  std::optional<double> distance;  // metres, with `near`
};

// A deciding state of a returned agent that is at or past its bound (A >= 1).
struct StaleState {
  model::AgentSlot slot = 0;
  model::StateIndex state = 0;
  double age_ratio = 0;  // A_i, (6)
};

struct QueryResult {
  std::vector<ResultRow> rows;
  std::uint64_t candidates = 0;        // agents looked at one by one
  std::optional<std::uint64_t> total;  // matches in all, where counted
  double freshness_risk = 0;      // F_q, (14): the largest A over the deciding states of `rows`
  std::vector<StaleState> stale;  // bounded by rows x deciding states
};

}  // namespace muster::directory
