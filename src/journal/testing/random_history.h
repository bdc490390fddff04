// A random life of a node as its journal sees it: drives a Journal and a StoreModel alike.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "journal/journal.h"
#include "journal/testing/random_records.h"
#include "journal/testing/store_model.h"

namespace muster::journal::testing {

class RandomHistory {
 public:
  // What is true after some calls: the store, and which agents live where.
  struct Past {
    StoreModel model;
    std::map<model::AgentSlot, model::Agent> living;
  };

  RandomHistory(std::uint64_t seed, const Journal::Options& options)
      : records_(seed), past_{StoreModel(options), {}}, attempted_(past_) {}

  // One call to `journal`. If it returns OK the past is what was attempted.
  absl::Status Step(Journal* journal) {
    attempted_ = past_;
    const absl::Status status = Attempt(journal);
    if (status.ok()) past_ = attempted_;
    return status;
  }

  const StoreModel& model() const { return past_.model; }
  const Past& past() const { return past_; }
  // The past if the last call takes effect.
  const Past& attempted() const { return attempted_; }
  // After a crash: what is really there.
  void Resume(const Past& past) {
    past_ = past;
    for (const auto& [slot, agent] : past_.living) {
      const auto same = [&life = agent.incarnation](const auto& a) {
        return a.incarnation == life;
      };
      if (std::none_of(lives_.begin(), lives_.end(), same)) lives_.push_back(agent);
    }
  }
  // Every life that began, also those that are over.
  const std::vector<model::Agent>& lives() const { return lives_; }
  RandomRecords& records() { return records_; }

 private:
  absl::Status Attempt(Journal* journal) {
    switch (records_.Below(8)) {
      case 0:
      case 1:
      case 2:
        return Registrations(journal);
      case 3:
      case 4:
      case 5:
        return Reports(journal);
      case 6:
        return Checkpoint(journal);
      default:
        return Trim(journal);
    }
  }

  static constexpr model::AgentSlot kSlots = 2 * kPieceSlots + 7;

  base::WallTime Tick() {
    now_ += base::Duration(records_.Below(1000));
    return now_;
  }

  absl::Status Registrations(Journal* journal) {
    std::vector<model::StateSpec> specs(records_.OneIn(4) ? 1 + records_.Below(2) : 0);
    std::vector<DeclaredState> declared;
    for (model::StateSpec& spec : specs) {
      spec = records_.Spec();
      declared.push_back({states_++, &spec});
    }
    std::deque<model::Agent> agents;
    std::deque<model::Tombstone> removed;
    std::vector<RegistrationRecord> changes;
    std::map<model::AgentSlot, model::Agent>& living = attempted_.living;
    const base::WallTime now = Tick();
    for (auto n = records_.Below(5); n > 0; --n) {
      const auto slot = static_cast<model::AgentSlot>(records_.OneIn(2) ? records_.Below(4)
                                                                        : records_.Below(kSlots));
      const auto found = living.find(slot);
      ++revision_;
      if (found != living.end() && records_.OneIn(2)) {
        const model::Agent& agent = found->second;
        removed.push_back({agent.registration.id, agent.incarnation, revision_, now});
        changes.push_back({nullptr, &removed.back()});
        living.erase(found);
        continue;
      }
      model::Agent agent{records_.Registration(), slot, revision_, revision_, now};
      if (found != living.end()) {
        agent.incarnation = found->second.incarnation;
        agent.registered_at = found->second.registered_at;
        agent.registration.id = found->second.registration.id;
      }
      living[slot] = agents.emplace_back(agent);
      changes.push_back({&agents.back(), nullptr});
    }
    const absl::Status status = journal->CommitRegistrations(declared, changes, now);
    if (changes.empty() && declared.empty()) return status;
    if (status.ok()) lives_.insert(lives_.end(), agents.begin(), agents.end());
    attempted_.model.CommitRegistrations(declared, changes, now);
    return status;
  }

  absl::Status Reports(Journal* journal) {
    std::vector<model::ReportRecord> reports;
    for (auto n = 1 + records_.Below(4); n > 0 && !lives_.empty(); --n) {
      const model::Agent* agent = &lives_[records_.Below(lives_.size())];
      if (!past_.living.empty() && !records_.OneIn(5)) {
        agent = &std::next(past_.living.begin(),
                           static_cast<std::ptrdiff_t>(records_.Below(past_.living.size())))
                     ->second;
      }
      reports.push_back(records_.Report(agent->slot, agent->incarnation, ++revision_));
    }
    const base::WallTime now = Tick();
    const auto durability = records_.OneIn(4) ? Durability::kSync : Durability::kBuffered;
    const absl::Status status = journal->CommitReports(reports, now, durability);
    if (!reports.empty()) attempted_.model.CommitReports(reports, now);
    return status;
  }

  absl::Status Checkpoint(Journal* journal) {
    const auto piece = static_cast<std::uint32_t>(records_.Below(3));
    std::vector<model::AgentDynamics> agents;
    for (const auto& [slot, agent] : past_.living) {
      if (slot / kPieceSlots != piece) continue;
      agents.push_back(records_.Dynamics(slot, agent.incarnation));
    }
    const model::Revision covers =
        past_.model.revision() - records_.Below(past_.model.revision() / 4 + 1);
    const absl::Status status = journal->WriteCheckpoint(piece, agents, covers);
    attempted_.model.WriteCheckpoint(piece, agents, covers);
    return status;
  }

  absl::Status Trim(Journal* journal) {
    const model::Revision covered = records_.Below(past_.model.revision() + 1);
    const absl::Status status = journal->TrimReports(covered);
    attempted_.model.TrimReports(covered);
    return status;
  }

  RandomRecords records_;
  Past past_;
  Past attempted_;
  base::WallTime now_ = base::WallFromUnixNanos(1'700'000'000'000'000'000);
  model::Revision revision_ = 0;
  model::StateIndex states_ = 0;
  std::vector<model::Agent> lives_;
};

}  // namespace muster::journal::testing
