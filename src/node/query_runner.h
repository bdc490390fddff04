// Runs queries on the directory, and decides with the scheduler whether an answer waits to be
// fresh.
#pragma once

#include "node/node_state.h"

namespace muster::node {

class QueryRunner {
 public:
  explicit QueryRunner(NodeState* node) : node_(*node) {}

  // Answers the task's query, or parks it.
  void Run(WorkerState& worker, Task* task);

 private:
  void Get(WorkerState& worker, const Task& task, const GetRequest& request, base::Now now);
  void Events(WorkerState& worker, const Task& task, const EventsRequest& request, base::Now now);
  void List(WorkerState& worker, const Task& task, const ListRequest& request, base::Now now);
  // False: it was parked.
  bool Discover(WorkerState& worker, Task* task, const DiscoverRequest& request, base::Now now);
  bool Park(WorkerState& worker, Task* task, base::Now now);
  void DeliverDiscovered(WorkerState& worker, const Task& task, const DiscoverRequest& request,
                         base::Now start);
  void FillRows(WorkerState& worker, base::Now now) const;
  AgentRow Row(model::AgentSlot slot, base::Now now) const;
  void CollectStale(WorkerState& worker) const;

  NodeState& node_;
};

}  // namespace muster::node
