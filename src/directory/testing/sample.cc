#include "directory/testing/sample.h"

#include "base/check.h"
#include "base/strings.h"

namespace muster::directory::testing {

model::Registration ToRegistration(const AgentSketch& sketch) {
  model::Registration registration;
  registration.id = sketch.id;
  registration.card.name = sketch.name;
  registration.card.json = base::StrCat("{\"name\":\"", sketch.name, "\"}");
  registration.card.provider = sketch.provider;
  registration.card.skills = sketch.skills;
  registration.card.tags = sketch.tags;
  registration.card.domains = sketch.domains;
  registration.card.protocols = sketch.protocols;
  registration.labels = sketch.labels;
  registration.max_age = sketch.max_age;
  registration.lease = sketch.lease;
  return registration;
}

void SampleDirectory::Declare(std::string_view name, model::StateType type, model::StateKind kind) {
  model::StateSpec spec;
  spec.name = std::string(name);
  spec.type = type;
  spec.kind = kind;
  MUSTER_CHECK(directory.Declare(spec).ok(), "tests declare what may be declared");
}

AgentSlot SampleDirectory::Put(const AgentSketch& sketch) {
  const std::optional<AgentSlot> old = directory.Find(sketch.id);
  model::Agent agent;
  agent.registration = ToRegistration(sketch);
  agent.revision = ++revision_;
  if (old) {
    agent.slot = *old;
    agent.incarnation = directory.agent(*old)->incarnation;
  } else {
    const auto slot = directory.ReserveSlot();
    MUSTER_CHECK(slot.ok(), "tests stay below agents_max");
    agent.slot = *slot;
    agent.incarnation = revision_;
  }
  const AgentSlot slot = agent.slot;
  directory.Put(std::move(agent), WallSecond(0), ServedSecond(0));
  return slot;
}

void SampleDirectory::Remove(std::string_view id) { directory.Remove(*directory.Find(id)); }

PackedValue SampleDirectory::Packed(const model::StateValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return Pack(*number);
  if (const auto* boolean = std::get_if<bool>(&value)) return Pack(*boolean);
  if (const auto* location = std::get_if<model::Location>(&value)) return Pack(*location);
  const auto packed = directory.Intern(std::get<std::string>(value));
  MUSTER_CHECK(packed.ok(), "tests stay below state_texts_max");
  return *packed;
}

bool SampleDirectory::Report(std::string_view id, std::string_view state,
                             const model::StateValue& value, double generated_second) {
  const PackedValue packed = Packed(value);
  return directory.Install(*directory.Find(id), State(state), packed, WallSecond(generated_second));
}

std::vector<std::string> SampleDirectory::ToIds(const QueryResult& result) const {
  std::vector<std::string> ids;
  for (const ResultRow& row : result.rows) {
    ids.push_back(directory.agent(row.slot)->registration.id);
  }
  return ids;
}

std::vector<std::string> SampleDirectory::Ids(const model::Query& query) const {
  const absl::StatusOr<Plan> plan = directory.Compile(query);
  if (!plan.ok()) return {std::string(base::Message(plan.status()))};
  QueryResult result;
  directory.Execute(*plan, AtSecond(0), &result);
  return ToIds(result);
}

std::vector<std::string> SampleDirectory::Ids(std::string_view filter) const {
  model::Query query;
  query.filter = std::string(filter);
  query.limit = 1000;
  return Ids(query);
}

std::string SampleDirectory::Refusal(const model::Query& query) const {
  return std::string(base::Message(directory.Compile(query).status()));
}

std::string SampleDirectory::Refusal(std::string_view filter) const {
  model::Query query;
  query.filter = std::string(filter);
  return Refusal(query);
}

}  // namespace muster::directory::testing
