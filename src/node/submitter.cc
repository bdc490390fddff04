#include "node/submitter.h"

#include <bit>
#include <utility>

#include "base/strings.h"
#include "base/text.h"
#include "node/cost_class.h"

namespace muster::node {

// What is answered at admission already: refusals, superseded reports, ack=queued.
struct Submitter::Outcome {
  ReplyTo reply_to;
  ReplyBody body;
};

namespace {

directory::PackedValue Pack(const directory::Directory& directory, const model::StateValue& value,
                            bool* unknown_text) {
  if (const auto* number = std::get_if<double>(&value)) {
    return {std::bit_cast<std::uint64_t>(*number), 0};
  }
  if (const auto* boolean = std::get_if<bool>(&value)) return {*boolean ? 1u : 0u, 0};
  if (const auto* location = std::get_if<model::Location>(&value)) {
    return {std::bit_cast<std::uint64_t>(location->latitude),
            std::bit_cast<std::uint64_t>(location->longitude)};
  }
  const auto packed = directory.FindText(std::get<std::string>(value));
  if (!packed) *unknown_text = true;
  return packed.value_or(directory::PackedValue{});
}

Refusal UnknownAgent(const Tombstones& tombstones, std::string_view id) {
  if (const auto* tombstone = tombstones.Find(id)) {
    return {Refusal::Kind::kGone,
            base::StrCat("agent \"", id, "\" was removed at revision ", tombstone->revision,
                         "; register it again before it reports"),
            {}};
  }
  return {Refusal::Kind::kNotFound,
          base::StrCat("agent \"", id, "\" is not registered here; register it before it reports"),
          {}};
}

std::optional<Refusal> CheckLife(const model::Agent& agent, const model::Report& report) {
  if (!report.incarnation || *report.incarnation == agent.incarnation) return std::nullopt;
  if (*report.incarnation < agent.incarnation) {
    return Refusal{
        Refusal::Kind::kGone,
        base::StrCat("incarnation ", *report.incarnation, " of agent \"", report.agent_id,
                     "\" is over; it now lives as ", agent.incarnation, " [/incarnation]"),
        {}};
  }
  return Refusal{Refusal::Kind::kConflict,
                 base::StrCat("agent \"", report.agent_id, "\" has incarnation ", agent.incarnation,
                              ", not ", *report.incarnation,
                              "; use the one that its registration was answered with "
                              "[/incarnation]"),
                 {}};
}

Refusal Overloaded(std::string_view queue, base::Duration retry_after) {
  std::string wait;
  base::AppendDuration(&wait, retry_after);
  return {
      Refusal::Kind::kOverloaded,
      base::StrCat("the ", queue, " queue is full; what waits in it will have drained in ", wait),
      retry_after};
}

constexpr schedule::AgentKey kRegistrationKeys = schedule::AgentKey{1} << 63;

std::uint32_t ClampBytes(std::size_t bytes) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(bytes, UINT32_MAX));
}

}  // namespace

void Submitter::SubmitReports(WorkerState& worker, std::span<ReportRequest> reports) {
  if (reports.empty()) return;
  const base::Now now = node_.clock->Read();
  GenerationAxis axis;
  {
    base::MutexLock lock(&node_.scheduler_mutex);
    axis = node_.axis;
    node_.updates_open += reports.size();  // keeps the axis where it is until they are admitted
  }
  worker.prepared_reports.clear();
  worker.prepared_states.clear();
  for (ReportRequest& request : reports) PrepareReport(worker, request, axis, now);

  std::vector<Outcome> outcomes;
  {
    base::MutexLock lock(&node_.scheduler_mutex);
    node_.updates_open -= reports.size();
    for (const PreparedReport& prepared : worker.prepared_reports) {
      AdmitReport(worker, prepared, now, &outcomes);
    }
  }
  Answer(worker, now, &outcomes);
}

void Submitter::PrepareReport(WorkerState& worker, ReportRequest& request, GenerationAxis axis,
                              base::Now now) {
  const model::Report& report = request.report;
  const base::WallTime generated_at = report.generated_at.value_or(now.wall);
  if (auto status = model::CheckGeneratedAt(generated_at, now.wall, node_.options.limits);
      !status.ok()) {
    return node_.Refuse(worker, request.reply_to, now, ToRefusal(status));
  }
  PreparedReport prepared{
      &request, 0, 0, generated_at, static_cast<std::uint32_t>(worker.prepared_states.size()), 0};
  bool unknown_text = false;
  std::optional<Refusal> refusal;
  {
    base::ReaderLock lock(&node_.directory_mutex);
    const directory::Directory& directory = node_.directory;
    const auto slot = directory.Find(report.agent_id);
    if (!slot) {
      refusal = UnknownAgent(node_.tombstones, report.agent_id);
    } else {
      const model::Agent& agent = *directory.agent(*slot);
      refusal = CheckLife(agent, report);
      prepared.slot = *slot;
      prepared.incarnation = agent.incarnation;
      for (const model::ReportedState& reported : report.states) {
        const auto value = Pack(directory, reported.value, &unknown_text);
        // A state that was never installed ages from the registration, but supersedes nothing.
        const base::WallTime installed =
            directory.GeneratedAt(*slot, reported.state)
                .value_or(std::min(agent.registered_at, generated_at - base::Duration(1)));
        worker.prepared_states.push_back({reported.state,
                                          directory.catalog().spec(reported.state).critical,
                                          axis.ToMono(generated_at),
                                          axis.ToMono(installed),
                                          directory.MaxAge(*slot, reported.state),
                                          {value.low, value.high}});
      }
    }
  }
  prepared.states_count =
      static_cast<std::uint32_t>(worker.prepared_states.size()) - prepared.states_begin;
  if (!refusal && unknown_text) {
    worker.prepared_states.resize(prepared.states_begin);
    if (auto status = InternTexts(request); !status.ok()) {
      refusal = ToRefusal(status);
    } else {
      return PrepareReport(worker, request, axis, now);
    }
  }
  if (refusal) {
    worker.prepared_states.resize(prepared.states_begin);
    return node_.Refuse(worker, request.reply_to, now, *std::move(refusal));
  }
  worker.prepared_reports.push_back(prepared);
}

absl::Status Submitter::InternTexts(const ReportRequest& request) {
  base::WriterLock lock(&node_.directory_mutex);
  for (const model::ReportedState& reported : request.report.states) {
    if (const auto* text = std::get_if<std::string>(&reported.value)) {
      if (auto packed = node_.directory.Intern(*text); !packed.ok()) return packed.status();
    }
  }
  return absl::OkStatus();
}

void Submitter::AdmitReport(WorkerState& worker, const PreparedReport& prepared, base::Now now,
                            std::vector<Outcome>* outcomes) {
  ReportRequest& request = *prepared.request;
  model::Report& report = request.report;
  schedule::UpdateTask update;
  update.agent = prepared.incarnation;
  update.must_run = !report.counters.empty() || !report.events.empty();
  update.cost_class = CostClassOfReport(prepared.states_count);
  update.arrived_at = now.mono;
  update.deadline = request.deadline.value_or(base::Duration(0));
  update.bytes = request.bytes;
  update.states =
      std::span(worker.prepared_states).subspan(prepared.states_begin, prepared.states_count);
  const schedule::Admission admission = node_.scheduler->SubmitUpdate(update, now.mono);

  Waiter waiter{request.reply_to, request.ack, now.mono, std::nullopt, report.sequence, false,
                update.must_run,  {},          {}};
  if (request.deadline) waiter.expires_at = now.mono + *request.deadline;
  for (std::uint32_t i = 0; i < prepared.states_count; ++i) {
    waiter.carried.set(update.states[i].state);
    if (admission.superseded >> i & 1) waiter.superseded.set(update.states[i].state);
  }
  switch (admission.outcome) {
    case schedule::Admission::Outcome::kRefused:
      outcomes->push_back({request.reply_to, Overloaded("update", admission.retry_after)});
      return;
    case schedule::Admission::Outcome::kSuperseded: {
      Reported reply;
      reply.superseded = true;
      reply.superseded_states = waiter.carried;
      reply.revision = node_.revisions.visible();
      outcomes->push_back({request.reply_to, reply});
      worker.metrics.reports_superseded.Add();
      return;
    }
    case schedule::Admission::Outcome::kQueued:
    case schedule::Admission::Outcome::kMerged:
      break;
  }
  Task& task = node_.tasks.at(admission.task);
  if (admission.outcome == schedule::Admission::Outcome::kQueued) {
    ++node_.updates_open;
    task.id = admission.task;
    task.kind = TaskKind::kReport;
    task.arrived_at = now.mono;
    task.report.Clear();
    task.report.slot = prepared.slot;
    task.report.incarnation = prepared.incarnation;
  }
  ReportWork& work = task.report;
  work.received_at = now.wall;
  const auto index = static_cast<std::uint32_t>(work.waiters.size());
  work.waiters.push_back(waiter);
  for (const model::CounterIncrement& counter : report.counters) {
    work.counters.push_back({index, counter.state, prepared.generated_at, counter.amount});
  }
  for (model::ReportedEvent& event : report.events) {
    work.events.push_back({index, event.state, prepared.generated_at, std::move(event.json)});
  }
  if (request.ack == Ack::kQueued) {
    Reported reply;
    reply.queued_only = true;
    outcomes->push_back({request.reply_to, reply});
  }
}

void Submitter::SubmitRequests(WorkerState& worker, std::span<Request> requests) {
  if (requests.empty()) return;
  const base::Now now = node_.clock->Read();
  std::vector<Outcome> outcomes;
  for (Request& request : requests) {
    const model::Query* query = nullptr;
    if (const auto* discover = std::get_if<DiscoverRequest>(&request.body))
      query = &discover->query;
    if (const auto* list = std::get_if<ListRequest>(&request.body)) query = &list->query;
    std::optional<directory::Plan> plan;
    if (query != nullptr) {
      base::ReaderLock lock(&node_.directory_mutex);
      auto compiled = node_.directory.Compile(*query);
      if (!compiled.ok()) {
        outcomes.push_back({request.reply_to, ToRefusal(compiled.status())});
        continue;
      }
      plan = *std::move(compiled);
    }
    base::MutexLock lock(&node_.scheduler_mutex);
    AdmitRequest(request, std::move(plan), now, &outcomes);
  }
  Answer(worker, now, &outcomes);
}

void Submitter::AdmitRequest(Request& request, std::optional<directory::Plan> plan, base::Now now,
                             std::vector<Outcome>* outcomes) {
  const bool is_update = IsRegistration(request.body);
  const schedule::CostClass cost_class = CostClassOf(request.body, plan);
  base::Duration deadline = request.deadline.value_or(base::Duration(0));
  schedule::Admission admission;
  if (is_update) {
    schedule::UpdateTask update;
    update.mergeable = false;
    // Beside the incarnations: no two share a key, so the scheduler finds each at once.
    update.agent = kRegistrationKeys | ++node_.registrations_submitted;
    update.must_run = true;
    update.cost_class = cost_class;
    update.arrived_at = now.mono;
    update.deadline = deadline;
    update.bytes = request.bytes;
    admission = node_.scheduler->SubmitUpdate(update, now.mono);
  } else {
    schedule::QueryTask query;
    query.cost_class = cost_class;
    query.arrived_at = now.mono;
    query.bytes = ClampBytes(request.bytes + sizeof(RequestWork));
    if (const auto* discover = std::get_if<DiscoverRequest>(&request.body)) {
      query.hard = discover->query.hard_deadline;
      query.critical = discover->query.critical;
      if (const auto& own = discover->query.deadline;
          own && (deadline.count() == 0 || *own < deadline)) {
        deadline = *own;
      }
    }
    if (deadline.count() == 0) deadline = node_.options.query_deadline;
    query.deadline = deadline;
    admission = node_.scheduler->SubmitQuery(query, now.mono);
  }
  if (admission.outcome == schedule::Admission::Outcome::kRefused) {
    outcomes->push_back(
        {request.reply_to, Overloaded(is_update ? "update" : "query", admission.retry_after)});
    return;
  }
  if (is_update) ++node_.updates_open;
  Task& task = node_.tasks.at(admission.task);
  task.id = admission.task;
  task.kind = is_update ? TaskKind::kRegistration : TaskKind::kQuery;
  task.arrived_at = now.mono;
  task.expires_at = deadline.count() == 0 ? base::MonoTime::max() : now.mono + deadline;
  task.request = {std::move(request), std::move(plan), false};
}

void Submitter::Answer(WorkerState& worker, base::Now now, std::vector<Outcome>* outcomes) {
  for (Outcome& outcome : *outcomes) {
    node_.Deliver(worker, outcome.reply_to, now, std::move(outcome.body));
  }
}

}  // namespace muster::node
