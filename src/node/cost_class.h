// Which service-time estimate a task belongs to: reports by the number of states, requests by kind,
// discoveries by the shape of their plan.
#pragma once

#include <algorithm>
#include <optional>

#include "directory/plan.h"
#include "node/request.h"
#include "schedule/scheduler.h"

namespace muster::node {

inline constexpr schedule::CostClass kReportClasses = 16;
inline constexpr schedule::CostClass kRequestClasses = 16;
static_assert(kReportClasses + kRequestClasses + 2 * directory::kCostShapesMax <=
              schedule::kCostClassesMax);

inline schedule::CostClass CostClassOfReport(std::size_t states) {
  return static_cast<schedule::CostClass>(std::min<std::size_t>(states, kReportClasses - 1));
}

inline bool IsRegistration(const RequestBody& body) {
  return std::holds_alternative<RegisterRequest>(body) ||
         std::holds_alternative<DeregisterRequest>(body);
}

inline schedule::CostClass CostClassOf(const RequestBody& body,
                                       const std::optional<directory::Plan>& plan) {
  constexpr auto kShapes = static_cast<schedule::CostClass>(kReportClasses + kRequestClasses);
  if (plan) {
    const bool list = std::holds_alternative<ListRequest>(body);
    return static_cast<schedule::CostClass>(kShapes + plan->cost_shape() +
                                            (list ? directory::kCostShapesMax : 0));
  }
  return static_cast<schedule::CostClass>(kReportClasses + body.index());
}

}  // namespace muster::node
