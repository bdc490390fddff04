// The scheduler's rules once more, as plainly as they can be said: lists that are searched from one
// end to the other, and sums that are taken anew at every step. Slow, and never cached.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schedule/line.h"
#include "schedule/options.h"
#include "schedule/scheduler.h"

namespace muster::schedule::testing {

enum class Life { kWaiting, kParked, kRunning };

struct ReferenceTask {
  std::uint64_t order = 0;
  QueueKind kind = QueueKind::kUpdate;
  Life life = Life::kWaiting;
  TaskId id;  // what the scheduler under test calls it
  CostClass cost_class = 0;
  bool mergeable = false;
  AgentKey agent = 0;
  base::MonoTime arrived_at{};
  base::MonoTime due_at = base::MonoTime::max();
  base::Duration deadline{0};
  base::Duration estimate{0};
  std::uint32_t bytes = 0;
  bool was_parked = false;
  bool is_charged = false;
  base::MonoTime release_at{};
  std::vector<StateUpdate> states;
  std::vector<std::uint64_t> waits_for;       // orders of updates
  std::vector<ReferenceTask> inherited_from;  // the queries, as they were
};

class ReferenceScheduler {
 public:
  explicit ReferenceScheduler(const Options& options)
      : options_(options), share_(options.update_share) {
    means_.assign(kCostClassesMax, static_cast<double>(options.cost_initial.count()));
  }

  struct Submitted {
    Admission::Outcome outcome = Admission::Outcome::kQueued;
    std::uint64_t superseded = 0;
    ReferenceTask* task = nullptr;
  };

  Submitted SubmitUpdate(const UpdateTask& update) {
    ReferenceTask* pending = nullptr;
    for (ReferenceTask& task : tasks_) {
      if (update.mergeable && task.mergeable && task.life == Life::kWaiting &&
          task.kind == QueueKind::kUpdate && task.agent == update.agent) {
        pending = &task;
      }
    }
    Submitted result;
    bool has_news = update.must_run || update.states.empty();
    for (std::size_t k = 0; k < update.states.size(); ++k) {
      if (IsSuperseded(update, update.states[k], pending)) {
        result.superseded |= std::uint64_t{1} << k;
      } else {
        has_news = true;
      }
    }
    if (!has_news) {
      result.outcome = Admission::Outcome::kSuperseded;
      return result;
    }
    if (pending != nullptr) {
      if (Bytes(QueueKind::kUpdate) + update.bytes > options_.updates.bytes_max) return Refused();
      result.outcome = Admission::Outcome::kMerged;
      result.task = pending;
      pending->bytes += update.bytes;
      MergeInto(pending, update, result.superseded);
      return result;
    }
    const base::Duration estimate = Estimate(update.cost_class);
    if (IsFull(QueueKind::kUpdate, options_.updates, estimate, update.bytes)) return Refused();
    ReferenceTask task;
    task.mergeable = update.mergeable;
    task.agent = update.agent;
    for (std::size_t k = 0; k < update.states.size(); ++k) {
      if (!(result.superseded >> k & 1)) task.states.push_back(update.states[k]);
    }
    result.task = Enter(std::move(task), QueueKind::kUpdate, update.arrived_at, update.deadline,
                        update.cost_class, update.bytes);
    return result;
  }

  Submitted SubmitQuery(const QueryTask& query, base::MonoTime now) {
    const base::Duration estimate = Estimate(query.cost_class);
    if (IsFull(QueueKind::kQuery, options_.queries, estimate, query.bytes)) return Refused();
    const double slack = static_cast<double>((query.arrived_at + query.deadline - now).count());
    const double wait = PredictedWait();
    if (wait > slack) return Refused();
    Submitted result;
    result.task = Enter(ReferenceTask{}, QueueKind::kQuery, query.arrived_at, query.deadline,
                        query.cost_class, query.bytes);
    return result;
  }

  // The orders of what is taken and of what has expired.
  struct Taken {
    QueueKind kind = QueueKind::kUpdate;
    std::vector<TaskId> tasks;
    std::vector<TaskId> expired;
  };
  Taken Take(WorkerIndex worker, base::MonoTime now) {
    Release(now);
    Taken taken;
    while (taken.tasks.empty()) {
      std::uint32_t tasks_max = options_.batch_tasks_max;
      bool is_charged = false;
      const auto kind = Choose(worker, now, &tasks_max, &is_charged);
      if (!kind) break;
      taken.kind = *kind;
      base::Duration work{0};
      while (taken.tasks.size() < tasks_max) {
        ReferenceTask* best = Best(*kind, now);
        if (best == nullptr) break;
        if (!taken.tasks.empty() && IsSingleOrder() && FirstOfBoth(now) != *kind) break;
        if (*kind == QueueKind::kQuery && now > best->due_at) {
          taken.expired.push_back(best->id);
          Erase(best->order);
          continue;
        }
        if (!taken.tasks.empty() && work + best->estimate > options_.batch_work_max) break;
        work += best->estimate;
        taken.tasks.push_back(best->id);
        best->life = Life::kRunning;
        best->inherited_from.clear();
        best->is_charged = is_charged;
        if (is_charged) Charge(*kind, best->estimate);
      }
    }
    return taken;
  }

  void Finish(TaskId id, base::Duration used) {
    ReferenceTask task = *Find(id);
    double& mean = means_[task.cost_class];
    mean += options_.cost_weight * (static_cast<double>(used.count()) - mean);
    if (task.is_charged) Charge(task.kind, used - task.estimate);
    Erase(task.order);
    for (ReferenceTask& other : tasks_) {
      if (other.kind == QueueKind::kQuery) {
        const bool waited = std::erase(other.waits_for, task.order) > 0;
        if (waited && other.waits_for.empty()) ReturnToQueue(&other);
      } else if (other.agent == task.agent && other.life == Life::kWaiting) {
        for (StateUpdate& held : other.states) {
          for (const StateUpdate& done : task.states) {
            if (done.state == held.state) {
              held.installed_at = std::max(held.installed_at, done.generated_at);
            }
          }
        }
      }
    }
  }

  bool Park(TaskId id, const std::vector<StateRef>& states, base::MonoTime now) {
    Hasten(id, states, now);
    ReferenceTask* query = Find(id);
    query->release_at = query->due_at - query->estimate - options_.park_margin;
    if (query->was_parked || query->release_at <= now) return false;
    for (const StateRef& ref : states) {
      ReferenceTask* helper = nullptr;
      for (ReferenceTask& task : tasks_) {
        const StateUpdate* held = StateOf(task, ref);
        if (held == nullptr || now + task.estimate - held->generated_at >= held->max_age) continue;
        if (helper == nullptr || IsBetterFreshener(task, *helper)) helper = &task;
      }
      if (helper == nullptr) continue;
      query->waits_for.push_back(helper->order);
      if (helper->life == Life::kWaiting) helper->inherited_from.push_back(*query);
    }
    if (query->waits_for.empty()) return false;
    query->life = Life::kParked;
    query->was_parked = true;
    return true;
  }

  void Hasten(TaskId id, const std::vector<StateRef>& states, base::MonoTime now) {
    const ReferenceTask query = *Find(id);
    for (const StateRef& ref : states) {
      for (ReferenceTask& task : tasks_) {
        const StateUpdate* held = StateOf(task, ref);
        if (held == nullptr || task.life != Life::kWaiting) continue;
        if (now - held->installed_at < held->max_age) continue;
        if (held->generated_at - held->installed_at <= task.estimate) continue;
        task.inherited_from.push_back(query);
      }
    }
  }

  bool Cancel(TaskId id) {
    ReferenceTask* query = Find(id);
    if (query == nullptr || query->kind != QueueKind::kQuery || query->life == Life::kRunning) {
      return false;
    }
    Erase(query->order);
    return true;
  }

  // Parked queries whose slack is gone return, in that order.
  void Release(base::MonoTime now) {
    for (;;) {
      ReferenceTask* due = nullptr;
      for (ReferenceTask& task : tasks_) {
        if (task.life != Life::kParked || task.release_at > now) continue;
        if (due == nullptr || task.release_at < due->release_at) due = &task;
      }
      if (due == nullptr) return;
      ReturnToQueue(due);
    }
  }

  // r_U, which the joint policy decides.
  void set_share(double share) { share_ = share; }

  void Reconfigure(const Options& options) {
    options_ = options;
    share_ = options.update_share;
    lead_ = 0;
    for (ReferenceTask& task : tasks_) task.inherited_from.clear();
    for (const ReferenceTask& query : tasks_) {
      if (query.life != Life::kParked) continue;
      for (ReferenceTask& task : tasks_) {
        const bool waited = std::count(query.waits_for.begin(), query.waits_for.end(), task.order);
        if (waited && task.life == Life::kWaiting) task.inherited_from.push_back(query);
      }
    }
  }

  ReferenceTask* Find(TaskId id) {
    for (ReferenceTask& task : tasks_) {
      if (task.id == id) return &task;
    }
    return nullptr;
  }
  const std::vector<ReferenceTask>& tasks() const { return tasks_; }
  const Options& options() const { return options_; }

  // Sums and extremes, from scratch.
  std::uint64_t Count(QueueKind kind, Life life) const {
    return static_cast<std::uint64_t>(std::count_if(
        tasks_.begin(), tasks_.end(),
        [&](const ReferenceTask& task) { return task.kind == kind && task.life == life; }));
  }
  base::Duration Work(QueueKind kind) const {
    base::Duration sum{0};
    for (const ReferenceTask& task : tasks_) {
      if (task.kind == kind && task.life == Life::kWaiting) sum += task.estimate;
    }
    return sum;
  }
  std::uint64_t Bytes(QueueKind kind) const {
    std::uint64_t sum = 0;
    for (const ReferenceTask& task : tasks_) {
      if (task.kind == kind && task.life != Life::kRunning) sum += task.bytes;
    }
    return sum;
  }
  base::Duration WaitMax(QueueKind kind, base::MonoTime now) const {
    base::Duration longest{0};
    ForEachUnfinished(kind, [&](const ReferenceTask& task) {
      longest = std::max(longest, now - task.arrived_at);
    });
    return longest;
  }
  base::Duration WaitMean(QueueKind kind, base::MonoTime now) const {
    std::int64_t sum = 0;
    std::int64_t n = 0;
    ForEachUnfinished(kind, [&](const ReferenceTask& task) {
      sum += task.arrived_at.time_since_epoch().count();
      ++n;
    });
    return n == 0 ? base::Duration(0) : now - base::MonoFromNanos(sum / n);
  }
  double DeadlinePressure(QueueKind kind, base::MonoTime now) const {
    std::vector<double> values;
    ForEachUnfinished(kind, [&](const ReferenceTask& task) {
      const double wait = base::ToSeconds(now - task.arrived_at);
      values.push_back(task.deadline.count() > 0 ? wait / base::ToSeconds(task.deadline) : 0);
    });
    return HighValue(values);
  }
  double Age(base::MonoTime now) const {
    std::vector<double> values;
    ForEachUnfinished(QueueKind::kUpdate, [&](const ReferenceTask& task) {
      for (const StateUpdate& state : task.states) {
        values.push_back(base::ToSeconds(now - state.installed_at) /
                         base::ToSeconds(state.max_age));
      }
    });
    return HighValue(values);
  }
  double Benefit() const {
    std::vector<double> values;
    ForEachUnfinished(QueueKind::kUpdate, [&](const ReferenceTask& task) {
      for (const StateUpdate& state : task.states) {
        const double gain =
            base::ToSeconds(state.generated_at - state.installed_at - task.estimate);
        values.push_back(std::max(0.0, gain / base::ToSeconds(state.max_age)));
      }
    });
    return HighValue(values);
  }

  static double HighValue(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.rbegin(), values.rend());
    const auto n = static_cast<double>(values.size());
    const auto k = static_cast<std::size_t>(std::clamp(std::ceil(0.05 * n), 1.0, 16.0));
    double sum = 0;
    for (std::size_t i = 0; i < k; ++i) sum += values[i];
    return sum / static_cast<double>(k);
  }

 private:
  template <typename Visit>
  void ForEachUnfinished(QueueKind kind, const Visit& visit) const {
    for (const ReferenceTask& task : tasks_) {
      if (task.kind == kind && task.life != Life::kRunning) visit(task);
    }
  }

  static Submitted Refused() { return {Admission::Outcome::kRefused, 0, nullptr}; }

  static bool IsSuperseded(const UpdateTask& update, const StateUpdate& state,
                           const ReferenceTask* pending) {
    if (!update.mergeable) return false;
    if (state.generated_at <= state.installed_at) return true;
    if (pending == nullptr) return false;
    return std::any_of(pending->states.begin(), pending->states.end(), [&](const auto& held) {
      return held.state == state.state && state.generated_at <= held.generated_at;
    });
  }

  void MergeInto(ReferenceTask* task, const UpdateTask& update, std::uint64_t superseded) {
    const bool was_empty = task->states.empty();
    for (std::size_t k = 0; k < update.states.size(); ++k) {
      const StateUpdate& state = update.states[k];
      const auto held = std::find_if(task->states.begin(), task->states.end(),
                                     [&](const auto& s) { return s.state == state.state; });
      if (held == task->states.end()) {
        if (!(superseded >> k & 1)) task->states.push_back(state);
        continue;
      }
      const auto installed_at = std::max(held->installed_at, state.installed_at);
      if (!(superseded >> k & 1)) *held = state;
      held->installed_at = installed_at;
    }
    const base::Duration estimate = Estimate(update.cost_class);
    const bool replaces_all = superseded == 0 && task->states.size() == update.states.size();
    if (replaces_all || estimate > task->estimate || was_empty) {
      task->estimate = estimate;
      task->cost_class = update.cost_class;
    }
  }

  bool IsFull(QueueKind kind, const QueueLimits& limits, base::Duration estimate,
              std::uint32_t bytes) const {
    return Count(kind, Life::kWaiting) + Count(kind, Life::kParked) >= limits.tasks_max ||
           Bytes(kind) + bytes > limits.bytes_max || Work(kind) + estimate > limits.work_max;
  }

  ReferenceTask* Enter(ReferenceTask task, QueueKind kind, base::MonoTime arrived_at,
                       base::Duration deadline, CostClass cost_class, std::uint32_t bytes) {
    base::MonoTime& newest = newest_arrival_[static_cast<std::size_t>(kind)];
    newest = std::max(newest, arrived_at);
    task.order = next_order_++;
    task.kind = kind;
    task.arrived_at = newest;
    task.deadline = deadline;
    if (deadline.count() > 0) task.due_at = arrived_at + deadline;
    task.cost_class = cost_class;
    task.estimate = Estimate(cost_class);
    task.bytes = bytes;
    const bool was_idle = Count(kind, Life::kWaiting) == 0;
    tasks_.push_back(std::move(task));
    if (was_idle) BecameBusy(kind);
    return &tasks_.back();
  }

  void ReturnToQueue(ReferenceTask* query) {
    const bool was_idle = Count(QueueKind::kQuery, Life::kWaiting) == 0;
    query->life = Life::kWaiting;
    query->waits_for.clear();
    if (was_idle) BecameBusy(QueueKind::kQuery);
  }

  base::Duration Estimate(CostClass cost_class) const {
    return base::Duration(std::max<std::int64_t>(1, std::llround(means_[cost_class])));
  }

  static const StateUpdate* StateOf(const ReferenceTask& task, const StateRef& ref) {
    if (task.kind != QueueKind::kUpdate || task.agent != ref.agent) return nullptr;
    for (const StateUpdate& held : task.states) {
      if (held.state == ref.state) return &held;
    }
    return nullptr;
  }
  // A running one, else the oldest.
  static bool IsBetterFreshener(const ReferenceTask& task, const ReferenceTask& than) {
    const bool runs = task.life == Life::kRunning;
    return runs != (than.life == Life::kRunning) ? runs : task.order < than.order;
  }

  void Erase(std::uint64_t order) {
    std::erase_if(tasks_, [order](const ReferenceTask& task) { return task.order == order; });
  }

  // Order within a queue.
  Int128 Priority(const ReferenceTask& task, base::MonoTime now) const {
    const bool is_single = options_.policy == "fcfs" || options_.policy == "edf";
    Int128 best = OwnPriority(task, now);
    for (const ReferenceTask& query : task.inherited_from) {
      Int128 bonus = is_single ? Int128{0} : Int128{1} << 64;
      if (options_.policy == "joint") bonus = Line::kOne;
      best = std::max(best, bonus + OwnPriority(query, now));
    }
    return best;
  }
  Int128 OwnPriority(const ReferenceTask& task, base::MonoTime now) const {
    if (options_.policy == "joint") return JointPriority(task, now);
    if (options_.policy == "edf") {
      const bool has_deadline = task.deadline.count() > 0;
      const base::MonoTime due_at =
          has_deadline ? task.due_at : task.arrived_at + options_.joint.reference_wait_updates;
      return -static_cast<Int128>(due_at.time_since_epoch().count());
    }
    return -static_cast<Int128>(task.order);
  }
  // (28) and (29), component by component; slopes and constants in the scheduler's fixed point.
  Int128 JointPriority(const ReferenceTask& task, base::MonoTime now) const {
    const JointOptions& joint = options_.joint;
    const auto grown = [now](double per_second, base::MonoTime since) {
      return static_cast<Int128>(std::llround(std::ldexp(per_second, 40))) * (now - since).count();
    };
    if (task.kind == QueueKind::kQuery) {
      return grown(joint.query_priority[0] / base::ToSeconds(task.deadline), task.arrived_at) +
             grown(joint.query_priority[1] / base::ToSeconds(joint.reference_wait_queries),
                   task.arrived_at);
    }
    Int128 waiting = grown(joint.update_priority[3] / base::ToSeconds(joint.reference_wait_updates),
                           task.arrived_at);
    if (task.deadline.count() > 0) {
      waiting += grown(joint.update_priority[2] / base::ToSeconds(task.deadline), task.arrived_at);
    }
    std::optional<Int128> best;
    for (const StateUpdate& state : task.states) {
      const double max_age = base::ToSeconds(state.max_age);
      double benefit = std::max(
          0.0, base::ToSeconds(state.generated_at - state.installed_at - task.estimate) / max_age);
      if (joint.benefit_per_work) {
        benefit /= base::ToSeconds(task.estimate) / base::ToSeconds(joint.reference_wait_updates);
      }
      const Int128 gain =
          static_cast<Int128>(std::llround(std::ldexp(joint.update_priority[1] * benefit, 40))) *
          1'000'000'000;
      const Int128 value =
          grown(joint.update_priority[0] / max_age, state.installed_at) + gain + waiting;
      if (!best || value > *best) best = value;
    }
    return best.value_or(waiting);
  }
  ReferenceTask* Best(QueueKind kind, base::MonoTime now) {
    ReferenceTask* best = nullptr;
    for (ReferenceTask& task : tasks_) {
      if (task.kind != kind || task.life != Life::kWaiting) continue;
      if (best == nullptr || Priority(task, now) > Priority(*best, now)) best = &task;
    }
    return best;
  }
  std::optional<QueueKind> FirstOfBoth(base::MonoTime now) {
    const ReferenceTask* update = Best(QueueKind::kUpdate, now);
    const ReferenceTask* query = Best(QueueKind::kQuery, now);
    if (update == nullptr && query == nullptr) return std::nullopt;
    if (query == nullptr) return QueueKind::kUpdate;
    if (update == nullptr) return QueueKind::kQuery;
    return Priority(*update, now) >= Priority(*query, now) ? QueueKind::kUpdate : QueueKind::kQuery;
  }

  // Which queue a Worker serves.
  std::optional<QueueKind> Choose(WorkerIndex worker, base::MonoTime now, std::uint32_t* tasks_max,
                                  bool* is_charged) {
    if (IsSingleOrder()) return FirstOfBoth(now);
    const bool updates_wait = Count(QueueKind::kUpdate, Life::kWaiting) > 0;
    const bool queries_wait = Count(QueueKind::kQuery, Life::kWaiting) > 0;
    if (!updates_wait && !queries_wait) return std::nullopt;
    const QueueKind only = updates_wait ? QueueKind::kUpdate : QueueKind::kQuery;
    if (options_.policy == "update_first") return only;
    if (options_.policy == "query_first") {
      return queries_wait ? QueueKind::kQuery : QueueKind::kUpdate;
    }
    const double for_updates = std::floor(options_.workers * share_ + 1e-9);
    if (worker == for_updates && SwingingShare() > 1e-9) {
      *is_charged = true;
      if (!(updates_wait && queries_wait)) return only;
      return lead_ <= 0 ? QueueKind::kUpdate : QueueKind::kQuery;
    }
    const QueueKind own = worker < for_updates ? QueueKind::kUpdate : QueueKind::kQuery;
    if ((updates_wait && queries_wait) || own == only) return own;
    *tasks_max = options_.lent_tasks_max;
    return only;
  }
  double SwingingShare() const {
    const double wanted = options_.workers * share_;
    return wanted - std::floor(wanted + 1e-9);
  }
  void Charge(QueueKind kind, base::Duration time) {
    const bool is_divided = options_.policy == "joint" || options_.policy == "fixed_split";
    if (!is_divided || SwingingShare() < 1e-9) return;
    const auto nanos = static_cast<double>(time.count());
    lead_ += kind == QueueKind::kUpdate ? nanos / SwingingShare() : -nanos / (1 - SwingingShare());
  }
  void BecameBusy(QueueKind kind) {
    lead_ = kind == QueueKind::kUpdate ? std::max(lead_, 0.0) : std::min(lead_, 0.0);
  }
  // Of a query that comes now.
  double PredictedWait() const {
    const auto queries = static_cast<double>(Work(QueueKind::kQuery).count());
    const auto updates = static_cast<double>(Work(QueueKind::kUpdate).count());
    const double workers = options_.workers;
    if (options_.policy == "query_first") return queries / workers;
    if (options_.policy == "fcfs" && queries == 0) return 0;
    if (IsSingleOrder() || options_.policy == "update_first") return (queries + updates) / workers;
    if (Count(QueueKind::kUpdate, Life::kWaiting) == 0) return queries / workers;
    return queries / (workers * (1 - share_));
  }

  bool IsSingleOrder() const { return options_.policy == "fcfs" || options_.policy == "edf"; }

  Options options_;
  double share_;
  std::vector<ReferenceTask> tasks_;  // in order of submission
  std::vector<double> means_;
  base::MonoTime newest_arrival_[2] = {base::MonoTime::min(), base::MonoTime::min()};
  std::uint64_t next_order_ = 0;
  double lead_ = 0;
};

}  // namespace muster::schedule::testing
