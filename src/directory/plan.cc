#include "directory/plan.h"

#include "directory/plan_body.h"

namespace muster::directory {

std::uint32_t Plan::limit() const { return body_->limit; }
const std::vector<model::StateIndex>& Plan::deciding_states() const {
  return body_->deciding_states;
}
std::uint16_t Plan::cost_shape() const { return body_->cost_shape; }

}  // namespace muster::directory
