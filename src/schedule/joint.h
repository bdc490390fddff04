// The joint policy: Workers follow the urgency of both queues, and each queue serves what is worth
// most, (6)-(29).
#pragma once

#include <array>

#include "schedule/policy.h"
#include "schedule/worker_division.h"

namespace muster::schedule {

class Joint : public Policy {
 public:
  explicit Joint(const Options& options);

  std::string_view name() const override { return "joint"; }
  void AppendLines(const Task& task, std::vector<Line>* lines) const override;
  Line Inherited(const Task& query) const override;
  std::optional<Choice> Choose(WorkerIndex worker, base::MonoTime now,
                               const TaskQueues& queues) override;
  void BecameBusy(QueueKind kind) override { division_.BecameBusy(kind); }
  void Charge(QueueKind kind, base::Duration time) override { division_.Charge(kind, time); }
  double update_share(const TaskQueues&) const override { return effective_share_; }
  double DrainTime(QueueKind kind, double work, const TaskQueues& queues) const override;

  base::MonoTime NextScoringAt() const override { return next_scoring_at_; }
  void Score(base::MonoTime now, const QueueMeasures& updates, const QueueMeasures& queries,
             const Emergencies& emergencies) override;
  void Finished(base::Duration used) override;
  void AddToSnapshot(Snapshot* snapshot) const override;

 private:
  enum class Loan : std::uint8_t { kNone, kToUpdates, kToQueries };

  void CountGrowth(const QueueMeasures& updates, const QueueMeasures& queries);
  void Reallocate(base::MonoTime now);
  bool HasHeld(base::MonoTime now) const;
  void LendOrReturn(base::MonoTime now, const Emergencies& emergencies);
  bool TakeToken(base::MonoTime now);
  double ShareWith(Loan loan) const;
  void Apply(base::MonoTime now, std::string_view reason);

  const Options options_;
  const JointOptions& joint_;
  WorkerDivision division_;
  double share_;            // r_U by the normal rule
  double effective_share_;  // with a loan, if there is one
  double target_share_;     // r_U*, (18)
  Loan loan_ = Loan::kNone;
  base::MonoTime next_scoring_at_ = base::MonoTime::min();
  base::MonoTime reallocated_at_ = base::MonoTime::min();  // t_last
  std::uint64_t tasks_since_ = 0;
  base::Duration work_since_{0};
  std::array<std::uint32_t, 2> growing_periods_{};  // by QueueKind
  double tokens_;
  base::MonoTime tokens_at_ = base::MonoTime::min();
  UpdateTerms update_terms_{};
  QueryTerms query_terms_{};
  std::uint64_t reallocations_ = 0;
  std::array<Reallocation, 32> recent_;
  mutable std::vector<Line> inherited_;  // scratch
};

}  // namespace muster::schedule
