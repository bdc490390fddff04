// The report lane: one journal record for a group of updates, then the directory's columns.
#pragma once

#include <utility>
#include <vector>

#include "model/report.h"
#include "node/checkpointer.h"
#include "node/node_state.h"

namespace muster::node {

class ReportCommitter {
 public:
  explicit ReportCommitter(NodeState* node) : node_(*node), checkpointer_(node) {}

  // Commits `tasks` (cleared), or leaves them to the Worker that leads the lane.
  void Commit(WorkerState& worker, std::vector<Task*>* tasks);
  // Goes on leading: some groups, then the lead is given up or kept for the next turn.
  void Lead(WorkerState& worker);
  // A checkpoint piece that is due, if nobody leads the lane.
  void Tick(WorkerState& worker);
  // For recovery, and for shutdown when no Worker runs any more.
  Checkpointer& checkpointer() { return checkpointer_; }

 private:
  enum class Fate : std::uint8_t { kApplied, kGone, kExpired };
  struct Item {
    Task* task = nullptr;
    Fate fate = Fate::kApplied;
    std::size_t record = 0;
    StateSet overtaken;  // found older than what is installed
  };

  void CommitGroup(WorkerState& worker);
  void Prepare(Task* task, base::Now now);
  void FillRecord(Task& task, Item* item);
  void MarkSequences(ReportWork& work);
  void AssignRevisions();
  bool WantsSync() const;
  void Apply();
  void ApplyItem(Item& item, base::MonoTime served);
  void UndoSequences();
  void AnswerGroup(WorkerState& worker, const absl::Status& status, base::Now now);
  void AnswerItem(WorkerState& worker, Item& item, base::Now now);

  NodeState& node_;
  // All below belongs to the lane's leader.
  Checkpointer checkpointer_;
  std::vector<Task*> group_;
  std::vector<Item> items_;
  std::vector<model::ReportRecord> records_;
  std::size_t records_size_ = 0;
  std::vector<std::pair<model::AgentSlot, model::SequenceWindow>> sequences_before_;
  bool moves_location_ = false;
};

}  // namespace muster::node
