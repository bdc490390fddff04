#include "node/report_committer.h"

#include <algorithm>

#include "base/strings.h"

namespace muster::node {

void ReportCommitter::Commit(WorkerState& worker, std::vector<Task*>* tasks) {
  if (node_.report_lane.Join(tasks, worker.leads_reports)) Lead(worker);
}

void ReportCommitter::Tick(WorkerState& worker) {
  if (!node_.report_lane.TryLead()) return;
  checkpointer_.WriteIfDue(worker);
  Lead(worker);
}

void ReportCommitter::Lead(WorkerState& worker) {
  worker.leads_reports = true;
  for (int i = 0; i < decltype(node_.report_lane)::kGroupsPerTurn; ++i) {
    if (!node_.report_lane.NextGroup(&group_)) {
      worker.leads_reports = false;
      return;
    }
    CommitGroup(worker);
    checkpointer_.WriteIfDue(worker);
  }
}

void ReportCommitter::CommitGroup(WorkerState& worker) {
  const base::Now start = node_.clock->Read();
  items_.clear();
  records_size_ = 0;
  sequences_before_.clear();
  moves_location_ = false;
  {
    base::ReaderLock lock(&node_.directory_mutex);
    for (Task* task : group_) Prepare(task, start);
  }
  absl::Status status;
  if (records_size_ > 0) {
    AssignRevisions();
    const auto durability =
        WantsSync() ? journal::Durability::kSync : journal::Durability::kBuffered;
    status = node_.journal.CommitReports(std::span(records_.data(), records_size_), start.wall,
                                         durability);
    worker.metrics.journal_writes.Add();
    if (durability == journal::Durability::kSync) worker.metrics.journal_syncs.Add();
    worker.metrics.journal_write_nanos.Record(
        static_cast<std::uint64_t>((node_.clock->Read().mono - start.mono).count()));
    if (status.ok()) {
      Apply();
    } else {
      UndoSequences();
    }
    node_.revisions.Close(LaneName::kReports);
  }
  const base::Now end = node_.clock->Read();
  AnswerGroup(worker, status, end);
  const base::Duration used = (end.mono - start.mono) / static_cast<std::int64_t>(group_.size());
  for (Task* task : group_) worker.finished.push_back({task->id, used});
}

void ReportCommitter::Prepare(Task* task, base::Now now) {
  Item& item = items_.emplace_back();
  item.task = task;
  ReportWork& work = task->report;
  const model::Agent* agent = node_.directory.agent(work.slot);
  if (agent == nullptr || agent->incarnation != work.incarnation) {
    item.fate = Fate::kGone;
    return;
  }
  // Of several senders the values can't be told apart any more, so only a lone one expires.
  if (work.waiters.size() == 1 && work.waiters[0].expires_at &&
      now.mono >= *work.waiters[0].expires_at) {
    item.fate = Fate::kExpired;
    return;
  }
  MarkSequences(work);
  FillRecord(*task, &item);
}

void ReportCommitter::MarkSequences(ReportWork& work) {
  for (Waiter& waiter : work.waiters) {
    if (!waiter.sequence) continue;
    model::SequenceWindow* window = node_.directory.sequences(work.slot);
    waiter.duplicate = window->Seen(*waiter.sequence);
    if (waiter.duplicate) continue;
    sequences_before_.emplace_back(work.slot, *window);
    window->Mark(*waiter.sequence);
  }
}

void ReportCommitter::FillRecord(Task& task, Item* item) {
  ReportWork& work = task.report;
  if (records_size_ == records_.size()) records_.emplace_back();
  item->record = records_size_++;
  model::ReportRecord& record = records_[item->record];
  record.slot = work.slot;
  record.incarnation = work.incarnation;
  record.received_at = work.received_at;
  record.sequences.clear();
  record.states.clear();
  record.counters.clear();
  record.events.clear();
  for (const Waiter& waiter : work.waiters) {
    if (waiter.sequence && !waiter.duplicate) record.sequences.push_back(*waiter.sequence);
  }
  const directory::Directory& directory = node_.directory;
  for (const PendingState& pending : work.states) {
    const model::StateType type = directory.catalog().spec(pending.state).type;
    record.states.push_back(
        {pending.state, pending.generated_at, directory.Unpack(type, pending.value)});
    moves_location_ = moves_location_ || directory::Directory::NeedsExclusive(type);
  }
  for (const PendingCounter& counter : work.counters) {
    const Waiter& waiter = work.waiters[counter.waiter];
    if (waiter.duplicate) continue;
    record.counters.push_back(
        {counter.state, waiter.sequence, counter.generated_at, counter.amount});
  }
  for (const PendingEvent& event : work.events) {
    const Waiter& waiter = work.waiters[event.waiter];
    if (waiter.duplicate) continue;
    record.events.push_back({event.state, waiter.sequence, event.generated_at, 0, event.json});
  }
}

void ReportCommitter::AssignRevisions() {
  model::Revision next = node_.revisions.Allocate(LaneName::kReports, records_size_);
  for (std::size_t i = 0; i < records_size_; ++i) {
    records_[i].revision = next++;
    for (model::EventRecord& event : records_[i].events) event.revision = records_[i].revision;
  }
}

bool ReportCommitter::WantsSync() const {
  return std::any_of(items_.begin(), items_.end(), [](const Item& item) {
    const auto& waiters = item.task->report.waiters;
    return std::any_of(waiters.begin(), waiters.end(),
                       [](const Waiter& waiter) { return waiter.ack == Ack::kDurable; });
  });
}

void ReportCommitter::Apply() {
  const base::MonoTime served = node_.served.At(node_.clock->Read().mono);
  const auto apply_all = [&] {
    for (Item& item : items_) {
      if (item.fate == Fate::kApplied) ApplyItem(item, served);
    }
  };
  if (moves_location_) {
    base::WriterLock lock(&node_.directory_mutex);
    apply_all();
  } else {
    base::ReaderLock lock(&node_.directory_mutex);
    apply_all();
  }
}

void ReportCommitter::ApplyItem(Item& item, base::MonoTime served) {
  directory::Directory& directory = node_.directory;
  const ReportWork& work = item.task->report;
  const model::ReportRecord& record = records_[item.record];
  // The registration lane may have removed the agent while the record was written.
  const model::Agent* agent = directory.agent(work.slot);
  if (agent == nullptr || agent->incarnation != work.incarnation) {
    item.fate = Fate::kGone;
    return;
  }
  for (std::size_t i = 0; i < record.states.size(); ++i) {
    if (!directory.Install(work.slot, record.states[i].state, work.states[i].value,
                           record.states[i].generated_at)) {
      item.overtaken.set(record.states[i].state);
    }
  }
  for (const model::CounterRecord& counter : record.counters) {
    directory.AddCounter(work.slot, counter.state, counter.amount, counter.generated_at);
  }
  directory.MarkHeard(work.slot, record.received_at, served);
  checkpointer_.MarkDirty(work.slot, record.revision);
}

void ReportCommitter::UndoSequences() {
  base::ReaderLock lock(&node_.directory_mutex);
  for (auto it = sequences_before_.rbegin(); it != sequences_before_.rend(); ++it) {
    if (node_.directory.agent(it->first) != nullptr) {
      *node_.directory.sequences(it->first) = it->second;
    }
  }
}

void ReportCommitter::AnswerGroup(WorkerState& worker, const absl::Status& status, base::Now now) {
  if (status.ok()) {
    for (Item& item : items_) AnswerItem(worker, item, now);
    return;
  }
  const Refusal refusal = node_.JournalRefusal(worker, status);
  for (const Item& item : items_) {
    for (const Waiter& waiter : item.task->report.waiters) {
      if (waiter.ack != Ack::kQueued) node_.Refuse(worker, waiter.reply_to, now, refusal);
    }
  }
}

void ReportCommitter::AnswerItem(WorkerState& worker, Item& item, base::Now now) {
  ReportWork& work = item.task->report;
  // A later report in the same update overtook the states that it carries too.
  StateSet overtaken = item.overtaken;
  for (auto waiter = work.waiters.rbegin(); waiter != work.waiters.rend(); ++waiter) {
    waiter->superseded |= waiter->carried & overtaken;
    overtaken |= waiter->carried & ~waiter->superseded;
  }
  for (const Waiter& waiter : work.waiters) {
    worker.metrics.update_nanos.Record(
        static_cast<std::uint64_t>((now.mono - waiter.arrived_at).count()));
    if (item.fate == Fate::kApplied) {
      Reported reply;
      reply.superseded_states = waiter.superseded;
      reply.superseded = waiter.carried.any() && waiter.superseded == waiter.carried &&
                         (!waiter.carries_more || waiter.duplicate);
      reply.duplicate = waiter.duplicate;
      reply.revision = records_[item.record].revision;
      (reply.duplicate    ? worker.metrics.reports_duplicate
       : reply.superseded ? worker.metrics.reports_superseded
                          : worker.metrics.reports_applied)
          .Add();
      if (waiter.ack != Ack::kQueued) node_.Deliver(worker, waiter.reply_to, now, reply);
      continue;
    }
    if (waiter.ack == Ack::kQueued) continue;
    const bool gone = item.fate == Fate::kGone;
    node_.Refuse(worker, waiter.reply_to, now,
                 {gone ? Refusal::Kind::kGone : Refusal::Kind::kDeadline,
                  gone ? "the agent was removed while its report waited; register it again"
                       : "the deadline passed while the report waited; nothing was changed",
                  {}});
  }
}

}  // namespace muster::node
