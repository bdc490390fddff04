#include "schedule/joint.h"

#include <algorithm>

#include "schedule/fixed_split.h"

namespace muster::schedule {

namespace {

constexpr std::uint32_t kGrowingPeriods = 3;

// A greater benefit counts as this: it must fit in a line.
constexpr double kValueMax = 1 << 22;

Int128 PriorityFrom(double value) {
  const double bounded = std::min(value, kValueMax);
  return static_cast<Int128>(std::llround(bounded * static_cast<double>(Line::kSlopeUnit))) *
         Line::kNanosPerSecond;
}

}  // namespace

Joint::Joint(const Options& options)
    : options_(options),
      joint_(options_.joint),
      share_(std::clamp(options.update_share, joint_.share_min, 1 - joint_.share_min)),
      effective_share_(share_),
      target_share_(share_),
      tokens_(joint_.loans_burst) {
  division_.Divide(options_.workers, effective_share_);
}

// (28), for each state that the update carries: c1 A + c2 B + c3 D + c4 w/theta. The task's
// priority is the greatest, so that no state waits longer because it travels with others.
void Joint::AppendLines(const Task& task, std::vector<Line>* lines) const {
  Line line;
  if (task.kind == QueueKind::kQuery) {  // (29)
    line.AddSlope(SlopeOf(joint_.query_priority[0] / base::ToSeconds(task.deadline)),
                  task.arrived_at);
    line.AddSlope(
        SlopeOf(joint_.query_priority[1] / base::ToSeconds(joint_.reference_wait_queries)),
        task.arrived_at);
    lines->push_back(line);
    return;
  }
  const auto& c = joint_.update_priority;
  if (task.deadline.count() > 0) {
    line.AddSlope(SlopeOf(c[2] / base::ToSeconds(task.deadline)), task.arrived_at);
  }
  line.AddSlope(SlopeOf(c[3] / base::ToSeconds(joint_.reference_wait_updates)), task.arrived_at);
  if (task.states().empty()) lines->push_back(line);
  for (const StateUpdate& state : task.states()) {
    double benefit = Benefit(state, task.estimate);
    if (joint_.benefit_per_work) benefit /= Ratio(task.estimate, joint_.reference_wait_updates);
    Line of_state = line;
    of_state.AddSlope(SlopeOf(c[0] / base::ToSeconds(state.max_age)), state.installed_at);
    of_state.intercept += PriorityFrom(c[1] * benefit);
    lines->push_back(of_state);
  }
}

// Priority inheritance, (17): the query's priority plus 1.
Line Joint::Inherited(const Task& query) const {
  std::vector<Line>& lines = inherited_;
  lines.clear();
  AppendLines(query, &lines);
  lines.front().intercept += Line::kOne;
  return lines.front();
}

std::optional<Choice> Joint::Choose(WorkerIndex worker, base::MonoTime, const TaskQueues& queues) {
  return ChooseDivided(division_, worker, options_.batch_tasks_max, options_.lent_tasks_max,
                       queues);
}

double Joint::DrainTime(QueueKind kind, double work, const TaskQueues& queues) const {
  return DrainTimeDivided(kind, work, options_.workers, effective_share_, queues);
}

void Joint::Score(base::MonoTime now, const QueueMeasures& updates, const QueueMeasures& queries,
                  const Emergencies& emergencies) {
  update_terms_ = TermsOfUpdates(updates, joint_.update_weights, options_.workers,
                                 joint_.reference_wait_updates);
  query_terms_ = TermsOfQueries(queries, joint_.query_weights, options_.workers,
                                joint_.reference_wait_queries);
  target_share_ = TargetShare(Sum(update_terms_), Sum(query_terms_), share_);
  if (now >= next_scoring_at_) {
    CountGrowth(updates, queries);
    next_scoring_at_ = now + joint_.holding_time / 2;
  }
  Reallocate(now);
  LendOrReturn(now, emergencies);
}

void Joint::CountGrowth(const QueueMeasures& updates, const QueueMeasures& queries) {
  const auto count = [this](const QueueMeasures& measures, base::Duration reference_wait,
                            std::uint32_t* periods) {
    const bool grows = measures.load > 1 && Ratio(measures.work, reference_wait) > options_.workers;
    *periods = grows ? std::min(*periods + 1, kGrowingPeriods) : 0;
  };
  count(updates, joint_.reference_wait_updates, &growing_periods_[0]);
  count(queries, joint_.reference_wait_queries, &growing_periods_[1]);
}

// The normal rule, (26) and (27).
void Joint::Reallocate(base::MonoTime now) {
  const double wanted = std::clamp(DampedShare(share_, target_share_, joint_.damping),
                                   joint_.share_min, 1 - joint_.share_min);
  if (std::abs(wanted - share_) <= joint_.hysteresis || !HasHeld(now)) return;
  share_ = wanted;
  reallocated_at_ = now;
  tasks_since_ = 0;
  work_since_ = base::Duration(0);
  Apply(now, "balance: one queue has become more urgent than its share");
}

bool Joint::HasHeld(base::MonoTime now) const {
  if (reallocated_at_ == base::MonoTime::min()) return true;
  return now - reallocated_at_ >= joint_.holding_time && tasks_since_ >= joint_.holding_tasks &&
         work_since_ >= joint_.holding_work;
}

void Joint::Finished(base::Duration used) {
  ++tasks_since_;
  work_since_ += used;
}

// Cases (3)-(6): a loan while its cause lasts; the normal rule's t_last is left alone.
void Joint::LendOrReturn(base::MonoTime now, const Emergencies& emergencies) {
  std::string_view for_updates;
  if (growing_periods_[0] >= kGrowingPeriods) for_updates = "loan: updates grow fast";
  if (emergencies.dependency) for_updates = "loan: queries wait for a stale state";
  if (emergencies.critical_state) for_updates = "loan: a critical state is far too old";
  std::string_view for_queries;
  if (growing_periods_[1] >= kGrowingPeriods) for_queries = "loan: queries grow fast";
  if (emergencies.hard_query) for_queries = "loan: a hard query is near its deadline";

  Loan wanted = Loan::kNone;
  if (for_queries.empty() && !for_updates.empty()) wanted = Loan::kToUpdates;
  if (for_updates.empty() && !for_queries.empty()) wanted = Loan::kToQueries;
  if (wanted == loan_) return Apply(now, "loan: follows the share");
  if (loan_ != Loan::kNone) {
    loan_ = Loan::kNone;
    Apply(now, "loan returned: its cause has cleared");
  }
  if (wanted == Loan::kNone || ShareWith(wanted) == share_ || !TakeToken(now)) return;
  loan_ = wanted;
  Apply(now, wanted == Loan::kToUpdates ? for_updates : for_queries);
}

bool Joint::TakeToken(base::MonoTime now) {
  if (tokens_at_ != base::MonoTime::min()) {
    tokens_ = std::min<double>(joint_.loans_burst,
                               tokens_ + Ratio(now - tokens_at_, joint_.holding_time / 4));
  }
  tokens_at_ = now;
  if (tokens_ < 1) return false;
  tokens_ -= 1;
  return true;
}

double Joint::ShareWith(Loan loan) const {
  double share = share_;
  if (loan == Loan::kToUpdates) share += joint_.loan_part;
  if (loan == Loan::kToQueries) share -= joint_.loan_part;
  return std::clamp(share, joint_.share_min, 1 - joint_.share_min);
}

void Joint::Apply(base::MonoTime now, std::string_view reason) {
  const double share = ShareWith(loan_);
  if (share == effective_share_) return;
  recent_[reallocations_ % recent_.size()] = {now, effective_share_, share, reason};
  ++reallocations_;
  effective_share_ = share;
  division_.Divide(options_.workers, effective_share_);
}

void Joint::AddToSnapshot(Snapshot* snapshot) const {
  QueueSnapshot& updates = snapshot->queue[0];
  QueueSnapshot& queries = snapshot->queue[1];
  updates.terms.assign(update_terms_.begin(), update_terms_.end());
  queries.terms.assign(query_terms_.begin(), query_terms_.end());
  updates.score = Sum(update_terms_);
  queries.score = Sum(query_terms_);
  updates.share_target = target_share_;
  queries.share_target = 1 - target_share_;
  snapshot->reallocations = reallocations_;
  const std::uint64_t kept = std::min<std::uint64_t>(reallocations_, recent_.size());
  for (std::uint64_t i = reallocations_ - kept; i < reallocations_; ++i) {
    snapshot->recent.push_back(recent_[i % recent_.size()]);
  }
}

}  // namespace muster::schedule
