// What a journal's store must hold after a list of calls, said as simply as possible.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/strings.h"
#include "journal/journal.h"
#include "journal/testing/describe.h"

namespace muster::journal::testing {

class StoreModel {
 public:
  explicit StoreModel(const Journal::Options& options) : options_(options) {}

  void CommitRegistrations(std::span<const DeclaredState> declared,
                           std::span<const RegistrationRecord> records, base::WallTime written_at) {
    Saw(0, written_at);
    for (const DeclaredState& state : declared) states_[state.index] = Describe(*state.spec);
    for (const RegistrationRecord& record : records) {
      if (record.agent != nullptr) {
        agents_[record.agent->incarnation] = Describe(*record.agent);
        Saw(record.agent->revision, written_at);
      } else {
        agents_.erase(record.removed->incarnation);
        events_.erase(record.removed->incarnation);
        tombstones_[record.removed->revision] = Describe(*record.removed);
        Saw(record.removed->revision, written_at);
      }
    }
    while (tombstones_.size() > options_.tombstones_max) tombstones_.erase(tombstones_.begin());
  }

  void CommitReports(std::span<const model::ReportRecord> records, base::WallTime written_at) {
    std::vector<Item>& commit = commits_[records.back().revision];
    for (const model::ReportRecord& record : records) {
      commit.push_back({record.slot, record.revision, Describe(record)});
      Saw(record.revision, written_at);
      std::deque<std::string>& history = events_[record.incarnation];
      for (const model::EventRecord& event : record.events) {
        history.push_back(
            DescribeEvent(event.state, event.revision, event.generated_at, event.json));
      }
      const std::uint64_t most = options_.events_per_agent_max;
      const std::uint64_t kept = history.size() > most ? most - most / 8 : history.size();
      history.erase(history.begin(), history.end() - static_cast<std::ptrdiff_t>(kept));
    }
  }

  void WriteCheckpoint(std::uint32_t piece, std::span<const model::AgentDynamics> agents,
                       model::Revision covers) {
    Piece& stored = pieces_[piece];
    stored = {covers, {}};
    for (const auto& agent : agents) stored.agents.push_back(Describe(agent, covers));
  }

  void TrimReports(model::Revision covered) {
    commits_.erase(commits_.begin(), commits_.upper_bound(covered));
  }

  std::vector<std::string> States() const {
    std::vector<std::string> lines;
    for (const auto& [index, spec] : states_) lines.push_back(base::StrCat(index, " ", spec));
    return lines;
  }
  std::vector<std::string> Agents() const { return Values(agents_); }
  std::vector<std::string> Tombstones() const { return Values(tombstones_); }
  std::vector<std::string> Checkpoint() const {
    std::vector<std::string> lines;
    for (const auto& [index, piece] : pieces_) {
      lines.insert(lines.end(), piece.agents.begin(), piece.agents.end());
    }
    return lines;
  }
  std::vector<std::string> Reports() const {
    std::vector<std::string> lines;
    for (const auto& [last, items] : commits_) {
      for (const Item& item : items) {
        const auto piece = pieces_.find(item.slot / kPieceSlots);
        if (piece != pieces_.end() && item.revision <= piece->second.covers) continue;
        lines.push_back(item.line);
      }
    }
    return lines;
  }
  // Of a life that goes on; empty of others.
  std::vector<std::string> Events(model::Incarnation life) const {
    const auto history = events_.find(life);
    if (history == events_.end() || !agents_.contains(life)) return {};
    return {history->second.begin(), history->second.end()};
  }
  model::Revision revision() const { return revision_; }
  base::WallTime last_written_at() const { return last_written_at_; }
  std::size_t pieces() const { return pieces_.size(); }

 private:
  struct Item {
    model::AgentSlot slot;
    model::Revision revision;
    std::string line;
  };
  struct Piece {
    model::Revision covers = 0;
    std::vector<std::string> agents;
  };

  template <typename Map>
  static std::vector<std::string> Values(const Map& map) {
    std::vector<std::string> lines;
    for (const auto& [key, line] : map) lines.push_back(line);
    return lines;
  }
  void Saw(model::Revision revision, base::WallTime at) {
    revision_ = std::max(revision_, revision);
    last_written_at_ = std::max(last_written_at_, at);
  }

  Journal::Options options_;
  std::map<model::StateIndex, std::string> states_;
  std::map<model::Incarnation, std::string> agents_;
  std::map<model::Revision, std::string> tombstones_;
  std::map<std::uint32_t, Piece> pieces_;
  std::map<model::Revision, std::vector<Item>> commits_;
  std::map<model::Incarnation, std::deque<std::string>> events_;
  model::Revision revision_ = 0;
  base::WallTime last_written_at_{};
};

}  // namespace muster::journal::testing
