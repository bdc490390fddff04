// Small directories for tests: agents from a few words, instants in whole seconds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "directory/directory.h"
#include "model/agent.h"
#include "model/limits.h"
#include "model/query.h"
#include "model/state.h"

namespace muster::directory::testing {

inline base::WallTime WallSecond(double second) {
  return base::WallTime(base::FromSeconds(second));
}
inline base::MonoTime ServedSecond(double second) {
  return base::MonoTime(base::FromSeconds(second));
}
inline ReadTime AtSecond(double second) { return {WallSecond(second), ServedSecond(second)}; }

struct AgentSketch {
  std::string id;
  std::string name = "agent";
  std::string provider = {};
  std::vector<std::string> skills = {};  // these lists sorted
  std::vector<std::string> tags = {};
  std::vector<std::string> domains = {};
  std::vector<std::string> protocols = {};
  std::vector<std::pair<std::string, std::string>> labels = {};
  std::vector<std::pair<std::string, base::Duration>> max_age = {};
  base::Duration lease{0};
};
model::Registration ToRegistration(const AgentSketch& sketch);

// A directory that is easy to fill and to ask.
class SampleDirectory {
 public:
  explicit SampleDirectory(const model::Limits& limits = {}) : directory(limits) {}

  void Declare(std::string_view name, model::StateType type,
               model::StateKind kind = model::StateKind::kReplaceable);
  // Registers or replaces, heard from at second 0.
  AgentSlot Put(const AgentSketch& sketch);
  // Removes the agent of this id.
  void Remove(std::string_view id);
  // Installs a value; the state is declared and the agent registered.
  bool Report(std::string_view id, std::string_view state, const model::StateValue& value,
              double generated_second = 0);
  StateIndex State(std::string_view name) const { return *directory.catalog().Find(name); }
  PackedValue Packed(const model::StateValue& value);

  // The ids that a query finds, in its order, at second 0.
  std::vector<std::string> Ids(const model::Query& query) const;
  std::vector<std::string> Ids(std::string_view filter) const;
  // The refusal of a filter; empty: it is accepted.
  std::string Refusal(std::string_view filter) const;
  std::string Refusal(const model::Query& query) const;
  std::vector<std::string> ToIds(const QueryResult& result) const;

  Directory directory;

 private:
  std::uint64_t revision_ = 0;
};

}  // namespace muster::directory::testing
