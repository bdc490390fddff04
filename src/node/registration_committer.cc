#include "node/registration_committer.h"

#include <utility>

#include "base/check.h"
#include "base/strings.h"

namespace muster::node {
namespace {

Refusal WrongRevision(std::string_view id, const model::Agent* current, model::Revision wanted) {
  if (current == nullptr) {
    return {Refusal::Kind::kPreconditionFailed,
            base::StrCat("agent \"", id, "\" is not registered, so it has no revision ", wanted),
            {}};
  }
  return {Refusal::Kind::kPreconditionFailed,
          base::StrCat("agent \"", id, "\" is at revision ", current->revision, ", not ", wanted,
                       "; read it again and decide anew"),
          {}};
}

}  // namespace

void RegistrationCommitter::Commit(WorkerState& worker, std::vector<Task*>* tasks) {
  if (node_.registration_lane.Join(tasks, worker.leads_registrations)) Lead(worker);
}

void RegistrationCommitter::Lead(WorkerState& worker) {
  worker.leads_registrations = true;
  for (int i = 0; i < decltype(node_.registration_lane)::kGroupsPerTurn; ++i) {
    if (!node_.registration_lane.NextGroup(&group_)) {
      worker.leads_registrations = false;
      return;
    }
    CommitGroup(worker);
  }
}

void RegistrationCommitter::CommitGroup(WorkerState& worker) {
  const base::Now start = node_.clock->Read();
  PlanGroup(start);
  const absl::Status status = Write(worker, start);
  if (status.ok()) {
    Apply(start);
  } else {
    Abandon();
  }
  node_.revisions.Close(LaneName::kRegistrations);

  const base::Now end = node_.clock->Read();
  const Refusal refusal = status.ok() ? Refusal{} : node_.JournalRefusal(worker, status);
  for (Item& item : items_) {
    const bool changes = item.agent != nullptr || item.removed.has_value();
    if (!status.ok() && changes) item.reply = refusal;
    Count(worker, item);
    worker.metrics.update_nanos.Record(
        static_cast<std::uint64_t>((end.mono - item.task->arrived_at).count()));
    node_.Deliver(worker, item.task->request.request.reply_to, end, std::move(item.reply));
  }
  const base::Duration used = (end.mono - start.mono) / static_cast<std::int64_t>(group_.size());
  for (Task* task : group_) worker.finished.push_back({task->id, used});
}

void RegistrationCommitter::PlanGroup(base::Now now) {
  items_.clear();
  items_.reserve(group_.size());
  planned_.clear();
  catalog_.reset();
  declared_.clear();
  base::WriterLock lock(&node_.directory_mutex);
  for (Task* task : group_) {
    items_.push_back({});
    items_.back().task = task;
    Plan(&items_.back(), now);
  }
}

void RegistrationCommitter::Plan(Item* item, base::Now now) {
  Request& request = item->task->request.request;
  if (now.mono >= item->task->expires_at) {
    item->reply = Refusal{Refusal::Kind::kDeadline,
                          "the deadline passed while the request waited; nothing was changed",
                          {}};
    return;
  }
  if (auto* registration = std::get_if<RegisterRequest>(&request.body)) {
    PlanRegister(*registration, item, now);
  } else {
    PlanDeregister(std::get<DeregisterRequest>(request.body), item, now);
  }
}

const model::Agent* RegistrationCommitter::Current(std::string_view id) const {
  const auto planned = planned_.find(id);
  if (planned != planned_.end()) return items_[planned->second].agent.get();
  const auto slot = node_.directory.Find(id);
  return slot ? node_.directory.agent(*slot) : nullptr;
}

void RegistrationCommitter::PlanRegister(RegisterRequest& request, Item* item, base::Now now) {
  model::Registration& registration = request.registration;
  if (registration.lease.count() == 0) registration.lease = node_.options.limits.lease_default;
  const model::Agent* current = Current(registration.id);
  if (request.if_match && (current == nullptr || current->revision != *request.if_match)) {
    item->reply = WrongRevision(registration.id, current, *request.if_match);
    return;
  }
  if (current != nullptr && model::SameRegistration(current->registration, registration)) {
    item->reply =
        Registered{Registered::Change::kUnchanged, current->incarnation, current->revision};
    // Nothing changes, but the agent has been heard of: registering again renews the lease.
    if (!planned_.contains(registration.id)) {
      node_.directory.MarkHeard(current->slot, now.wall, node_.served.At(now.mono));
    }
    return;
  }
  if (auto status = PlanStates(registration); !status.ok()) {
    item->reply = ToRefusal(status);
    return;
  }
  auto agent = std::make_unique<model::Agent>();
  if (current != nullptr) {
    agent->slot = current->slot;
    agent->incarnation = current->incarnation;
    agent->registered_at = current->registered_at;
  } else {
    auto slot = node_.directory.ReserveSlot();
    if (!slot.ok()) {
      item->reply = ToRefusal(slot.status());
      return;
    }
    item->reserved_slot = true;
    agent->slot = *slot;
    agent->registered_at = now.wall;
  }
  agent->revision = node_.revisions.Allocate(LaneName::kRegistrations, 1);
  if (current == nullptr) agent->incarnation = agent->revision;
  item->reply =
      Registered{current == nullptr ? Registered::Change::kCreated : Registered::Change::kReplaced,
                 agent->incarnation, agent->revision};
  agent->registration = std::move(registration);
  item->slot = agent->slot;
  item->agent = std::move(agent);
  planned_[item->agent->registration.id] = static_cast<std::size_t>(item - items_.data());
}

absl::Status RegistrationCommitter::PlanStates(const model::Registration& registration) {
  const std::size_t states_max = node_.options.limits.states_max;
  model::StateCatalog with = catalog_ ? *catalog_ : node_.directory.catalog();
  const std::size_t before = with.size();
  for (const model::StateSpec& spec : registration.states) {
    if (auto index = with.Declare(spec, states_max); !index.ok()) return index.status();
  }
  for (const auto& [name, age] : registration.max_age) {
    if (!with.Find(name)) {
      return absl::InvalidArgumentError(
          base::StrCat("no state \"", name, "\" is declared [/max_age/", name, "]"));
    }
  }
  for (std::size_t i = before; i < with.size(); ++i) {
    declared_.push_back(with.spec(static_cast<model::StateIndex>(i)));
  }
  if (with.size() > before) catalog_ = std::move(with);
  return absl::OkStatus();
}

void RegistrationCommitter::PlanDeregister(const DeregisterRequest& request, Item* item,
                                           base::Now now) {
  const model::Agent* current = Current(request.id);
  if (request.if_match && (current == nullptr || current->revision != *request.if_match)) {
    item->reply = WrongRevision(request.id, current, *request.if_match);
    return;
  }
  if (current == nullptr) {
    const model::Tombstone* tombstone = node_.tombstones.Find(request.id);
    const bool gone = tombstone != nullptr || planned_.contains(request.id);
    item->reply =
        Refusal{gone ? Refusal::Kind::kGone : Refusal::Kind::kNotFound,
                base::StrCat("agent \"", request.id,
                             gone ? "\" has been removed already" : "\" is not registered here"),
                {}};
    return;
  }
  const model::Revision revision = node_.revisions.Allocate(LaneName::kRegistrations, 1);
  item->slot = current->slot;
  item->removed = model::Tombstone{request.id, current->incarnation, revision, now.wall};
  item->reply = Deregistered{revision};
  planned_[request.id] = static_cast<std::size_t>(item - items_.data());
}

absl::Status RegistrationCommitter::Write(WorkerState& worker, base::Now now) {
  std::vector<journal::RegistrationRecord> records;
  for (const Item& item : items_) {
    if (item.agent != nullptr) records.push_back({item.agent.get(), nullptr});
    if (item.removed) records.push_back({nullptr, &*item.removed});
  }
  if (records.empty()) return absl::OkStatus();
  std::vector<journal::DeclaredState> declared;
  for (const model::StateSpec& spec : declared_) {
    declared.push_back({*catalog_->Find(spec.name), &spec});
  }
  const base::MonoTime start = node_.clock->Read().mono;
  absl::Status status = node_.journal.CommitRegistrations(declared, records, now.wall);
  worker.metrics.journal_writes.Add();
  worker.metrics.journal_syncs.Add();
  worker.metrics.journal_write_nanos.Record(
      static_cast<std::uint64_t>((node_.clock->Read().mono - start).count()));
  return status;
}

void RegistrationCommitter::Apply(base::Now now) {
  if (!declared_.empty()) {
    base::WriterLock lock(&node_.directory_mutex);
    for (const model::StateSpec& spec : declared_) {
      MUSTER_CHECK(node_.directory.Declare(spec).ok(), "a planned state can be declared");
    }
    node_.catalog.Publish(node_.directory.catalog());
  }
  for (Item& item : items_) {
    // One lock an item, so that queries wait for one at most.
    if (item.agent == nullptr && !item.removed) continue;
    base::WriterLock lock(&node_.directory_mutex);
    ApplyItem(item, now);
  }
}

void RegistrationCommitter::ApplyItem(Item& item, base::Now now) {
  if (item.agent != nullptr) {
    node_.tombstones.Erase(item.agent->registration.id);
    node_.directory.Put(std::move(*item.agent), now.wall, node_.served.At(now.mono));
  } else {
    node_.directory.Remove(item.slot);
    node_.tombstones.Add(*item.removed);
  }
}

void RegistrationCommitter::Abandon() {
  base::WriterLock lock(&node_.directory_mutex);
  for (const Item& item : items_) {
    if (item.reserved_slot) node_.directory.ReleaseSlot(item.slot);
  }
}

void RegistrationCommitter::Count(WorkerState& worker, const Item& item) {
  if (const auto* registered = std::get_if<Registered>(&item.reply)) {
    (registered->change == Registered::Change::kUnchanged ? worker.metrics.registrations_unchanged
                                                          : worker.metrics.registrations)
        .Add();
  } else if (std::holds_alternative<Deregistered>(item.reply)) {
    worker.metrics.removals.Add();
  }
}

}  // namespace muster::node
