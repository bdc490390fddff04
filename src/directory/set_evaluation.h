// Answers predicates over facets by bitmap algebra.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "directory/facet_index.h"
#include "directory/plan_body.h"
#include "directory/slot_set.h"

namespace muster::directory {

class SetEvaluation {
 public:
  SetEvaluation(const FacetIndex& facets, std::span<const Predicate> predicates)
      : facets_(facets), predicates_(predicates) {}

  // predicates[index].is_set. The set borrows from the facet index.
  SlotSet Evaluate(std::uint32_t index) const;
  // Of all `indices`, each a set; the smallest first.
  SlotSet EvaluateAll(std::span<const std::uint32_t> indices) const;

 private:
  SlotSet EvaluateFacet(const Predicate& predicate) const;

  const FacetIndex& facets_;
  std::span<const Predicate> predicates_;
};

}  // namespace muster::directory
