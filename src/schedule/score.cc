#include "schedule/score.h"

namespace muster::schedule {

UpdateTerms TermsOfUpdates(const QueueMeasures& measures, const UpdateTerms& weights,
                           std::uint32_t workers, base::Duration reference_wait) {
  const UpdateTerms components = {Ratio(measures.work, reference_wait) / workers,
                                  Ratio(measures.wait_max, reference_wait),
                                  Ratio(measures.wait_mean, reference_wait),
                                  measures.age,
                                  measures.deadline_pressure,
                                  measures.load,
                                  measures.benefit};
  UpdateTerms terms;
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = weights[i] * Normalise(components[i]);
  return terms;
}

QueryTerms TermsOfQueries(const QueueMeasures& measures, const QueryTerms& weights,
                          std::uint32_t workers, base::Duration reference_wait) {
  const QueryTerms components = {
      Ratio(measures.work, reference_wait) / workers, Ratio(measures.wait_max, reference_wait),
      Ratio(measures.wait_mean, reference_wait), measures.deadline_pressure, measures.load};
  QueryTerms terms;
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = weights[i] * Normalise(components[i]);
  return terms;
}

}  // namespace muster::schedule
