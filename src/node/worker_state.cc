#include "node/worker_state.h"

namespace muster::node {

void WorkerMetrics::AddTo(Snapshot* snapshot) const {
  snapshot->registrations += registrations.get();
  snapshot->registrations_unchanged += registrations_unchanged.get();
  snapshot->removals += removals.get();
  snapshot->reports_applied += reports_applied.get();
  snapshot->reports_superseded += reports_superseded.get();
  snapshot->reports_duplicate += reports_duplicate.get();
  snapshot->queries_answered += queries_answered.get();
  snapshot->answers_stale += answers_stale.get();
  snapshot->queries_expired += queries_expired.get();
  snapshot->journal_writes += journal_writes.get();
  snapshot->journal_syncs += journal_syncs.get();
  snapshot->journal_errors += journal_errors.get();
  for (std::size_t i = 0; i < kRefusalKinds; ++i) snapshot->refusals[i] += refusals[i].get();
  snapshot->update_nanos.Add(update_nanos);
  snapshot->query_nanos.Add(query_nanos);
  snapshot->journal_write_nanos.Add(journal_write_nanos);
  snapshot->freshness_risk_thousandths.Add(freshness_risk_thousandths);
}

}  // namespace muster::node
