// Requests on their way into the scheduler: checked against the directory under its lock, then
// admitted together under the scheduler's.
#pragma once

#include "base/time.h"
#include "node/node_state.h"
#include "node/request.h"

namespace muster::node {

class Submitter {
 public:
  explicit Submitter(NodeState* node) : node_(*node) {}

  void SubmitReports(WorkerState& worker, std::span<ReportRequest> reports);
  void SubmitRequests(WorkerState& worker, std::span<Request> requests);

 private:
  struct Outcome;
  void PrepareReport(WorkerState& worker, ReportRequest& request, GenerationAxis axis,
                     base::Now now);
  absl::Status InternTexts(const ReportRequest& request);
  void AdmitReport(WorkerState& worker, const PreparedReport& prepared, base::Now now,
                   std::vector<Outcome>* outcomes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(node_.scheduler_mutex);
  void AdmitRequest(Request& request, std::optional<directory::Plan> plan, base::Now now,
                    std::vector<Outcome>* outcomes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(node_.scheduler_mutex);
  void Answer(WorkerState& worker, base::Now now, std::vector<Outcome>* outcomes);

  NodeState& node_;
};

}  // namespace muster::node
