#include "node/query_runner.h"

#include "base/strings.h"

namespace muster::node {
namespace {

const ReplyTo& Sender(const Task& task) { return task.request.request.reply_to; }

Refusal NotRegistered(const Tombstones& tombstones, std::string_view id) {
  const bool gone = tombstones.Find(id) != nullptr;
  return {gone ? Refusal::Kind::kGone : Refusal::Kind::kNotFound,
          base::StrCat("agent \"", id, gone ? "\" has been removed" : "\" is not registered here"),
          {}};
}

}  // namespace

void QueryRunner::Run(WorkerState& worker, Task* task) {
  const base::Now start = node_.clock->Read();
  const RequestBody& body = task->request.request.body;
  if (const auto* get = std::get_if<GetRequest>(&body)) {
    Get(worker, *task, *get, start);
  } else if (const auto* events = std::get_if<EventsRequest>(&body)) {
    Events(worker, *task, *events, start);
  } else if (const auto* list = std::get_if<ListRequest>(&body)) {
    List(worker, *task, *list, start);
  } else if (!Discover(worker, task, std::get<DiscoverRequest>(body), start)) {
    return;
  }
  const base::MonoTime end = node_.clock->Read().mono;
  worker.metrics.queries_answered.Add();
  worker.metrics.query_nanos.Record(static_cast<std::uint64_t>((end - task->arrived_at).count()));
  worker.finished.push_back({task->id, end - start.mono});
}

AgentRow QueryRunner::Row(model::AgentSlot slot, base::Now now) const {
  AgentRow row;
  row.agent = node_.directory.agent(slot);
  row.lapsed = node_.directory.Lapsed(slot, node_.served.At(now.mono));
  row.heard_at = node_.directory.HeardAt(slot);
  return row;
}

void QueryRunner::Get(WorkerState& worker, const Task& task, const GetRequest& request,
                      base::Now now) {
  base::ReaderLock lock(&node_.directory_mutex);
  const auto slot = node_.directory.Find(request.id);
  if (!slot) {
    return node_.Refuse(worker, Sender(task), now, NotRegistered(node_.tombstones, request.id));
  }
  worker.readings.clear();
  node_.directory.ReadStates(*slot, &worker.readings);
  AgentRow row = Row(*slot, now);
  row.states = worker.readings;
  node_.Deliver(worker, Sender(task), now, AgentFound{row});
}

void QueryRunner::Events(WorkerState& worker, const Task& task, const EventsRequest& request,
                         base::Now now) {
  model::Incarnation incarnation = 0;
  {
    base::ReaderLock lock(&node_.directory_mutex);
    const auto slot = node_.directory.Find(request.id);
    if (!slot) {
      return node_.Refuse(worker, Sender(task), now, NotRegistered(node_.tombstones, request.id));
    }
    incarnation = node_.directory.agent(*slot)->incarnation;
  }
  const auto page = node_.journal.ReadEvents(incarnation, request.cursor, request.limit);
  if (!page.ok()) return node_.Refuse(worker, Sender(task), now, ToRefusal(page.status()));
  node_.Deliver(worker, Sender(task), now, EventsFound{&*page});
}

void QueryRunner::List(WorkerState& worker, const Task& task, const ListRequest& request,
                       base::Now now) {
  std::string next;
  base::ReaderLock lock(&node_.directory_mutex);
  if (auto status = node_.directory.ExecutePage(*task.request.plan, node_.ReadTimeAt(now),
                                                request.cursor, &worker.result, &next);
      !status.ok()) {
    return node_.Refuse(worker, Sender(task), now, ToRefusal(status));
  }
  FillRows(worker, now);
  node_.Deliver(worker, Sender(task), now, Listed{worker.rows, next, &request.query.fields});
}

bool QueryRunner::Discover(WorkerState& worker, Task* task, const DiscoverRequest& request,
                           base::Now now) {
  const model::Query& query = request.query;
  bool answered = false;
  {
    base::ReaderLock lock(&node_.directory_mutex);
    node_.directory.Execute(*task->request.plan, node_.ReadTimeAt(now), &worker.result);
    CollectStale(worker);
    const bool may_wait = query.freshness == model::Freshness::kRequire &&
                          !task->request.was_parked && !worker.stale_refs.empty();
    if (!may_wait) {
      DeliverDiscovered(worker, *task, request, now);
      answered = true;
    }
  }
  if (answered) {
    if (query.freshness == model::Freshness::kPrefer && !worker.stale_refs.empty()) {
      base::MutexLock lock(&node_.scheduler_mutex);
      node_.scheduler->Hasten(task->id, worker.stale_refs, now.mono);
    }
    return true;
  }
  if (Park(worker, task, now)) return false;
  // Nothing pending would make it fresher: answer with what there is.
  base::ReaderLock lock(&node_.directory_mutex);
  node_.directory.Execute(*task->request.plan, node_.ReadTimeAt(now), &worker.result);
  DeliverDiscovered(worker, *task, request, now);
  return true;
}

bool QueryRunner::Park(WorkerState& worker, Task* task, base::Now now) {
  base::MutexLock lock(&node_.scheduler_mutex);
  // Set first: once parked, another Worker may take it.
  task->request.was_parked = true;
  return node_.scheduler->Park(task->id, worker.stale_refs, now.mono);
}

void QueryRunner::CollectStale(WorkerState& worker) const {
  worker.stale_refs.clear();
  for (const directory::StaleState& stale : worker.result.stale) {
    worker.stale_refs.push_back({node_.directory.agent(stale.slot)->incarnation, stale.state});
  }
}

void QueryRunner::FillRows(WorkerState& worker, base::Now now) const {
  worker.rows.clear();
  worker.readings.clear();
  std::vector<std::size_t>& ends = worker.row_ends;
  ends.clear();
  for (const directory::ResultRow& found : worker.result.rows) {
    AgentRow& row = worker.rows.emplace_back(Row(found.slot, now));
    row.score = found.score;
    row.distance = found.distance;
    node_.directory.ReadStates(found.slot, &worker.readings);
    ends.push_back(worker.readings.size());
  }
  std::size_t begin = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    worker.rows[i].states = std::span(worker.readings).subspan(begin, ends[i] - begin);
    begin = ends[i];
  }
}

void QueryRunner::DeliverDiscovered(WorkerState& worker, const Task& task,
                                    const DiscoverRequest& request, base::Now start) {
  FillRows(worker, start);
  Discovered answer;
  answer.rows = worker.rows;
  answer.fields = &request.query.fields;
  answer.freshness_risk = worker.result.freshness_risk;
  answer.stale = worker.result.freshness_risk >= 1;
  answer.total = worker.result.total;
  answer.waited = start.mono - task.arrived_at;
  answer.took = node_.clock->Read().mono - start.mono;
  if (answer.stale) worker.metrics.answers_stale.Add();
  worker.metrics.freshness_risk_thousandths.Record(
      static_cast<std::uint64_t>(std::min(answer.freshness_risk, 1e9) * 1000));
  node_.Deliver(worker, Sender(task), start, answer);
}

}  // namespace muster::node
