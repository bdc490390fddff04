// All that a directory holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "directory/agent_table.h"
#include "directory/column.h"
#include "directory/facet_index.h"
#include "directory/location_index.h"
#include "directory/plane.h"
#include "directory/text_table.h"
#include "model/limits.h"
#include "model/report.h"
#include "model/state.h"

namespace muster::directory {

inline constexpr std::int64_t kNeverHeard = std::numeric_limits<std::int64_t>::min();

struct Parts {
  explicit Parts(const model::Limits& limits_in)
      : limits(limits_in), agents(limits_in.agents_max), texts(limits_in.state_texts_max) {}

  void GrowTo(std::size_t slots);
  std::size_t MemoryUsed() const;

  const model::Limits limits;
  model::StateCatalog catalog;
  AgentTable agents;
  FacetIndex facets;
  LocationIndex locations;
  TextTable texts;
  std::vector<std::unique_ptr<Column>> columns;  // by state
  Plane<std::int64_t, kNeverHeard> heard_at;     // wall nanoseconds
  Plane<std::int64_t, kNeverHeard> expires_at;   // served nanoseconds: heard and the lease
  std::vector<std::int64_t> leases;              // by slot, nanoseconds
  std::vector<model::SequenceWindow> sequences;  // by slot
};

}  // namespace muster::directory
