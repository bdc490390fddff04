// Every field of a record as text, so that tests compare records and say how they differ.
#pragma once

#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "journal/journal.h"
#include "model/agent.h"
#include "model/report.h"
#include "model/state.h"

namespace muster::journal::testing {

inline std::ostream& operator<<(std::ostream& out, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) out << " '" << text << "'";
  return out;
}

inline std::string Describe(const model::StateSpec& spec) {
  std::ostringstream out;
  out << std::hexfloat << spec.name << " type " << static_cast<int>(spec.type) << " kind "
      << static_cast<int>(spec.kind) << " max_age " << spec.max_age.count();
  if (spec.minimum.has_value()) out << " from " << *spec.minimum;
  if (spec.maximum.has_value()) out << " to " << *spec.maximum;
  out << " allowed" << spec.allowed << " critical " << spec.critical;
  return out.str();
}

inline std::string Describe(const model::Agent& agent) {
  const model::Registration& registration = agent.registration;
  const model::AgentCard& card = registration.card;
  std::ostringstream out;
  out << registration.id << " slot " << agent.slot << " life " << agent.incarnation << " revision "
      << agent.revision << " at " << agent.registered_at.time_since_epoch().count() << " lease "
      << registration.lease.count();
  for (const auto& [name, value] : registration.labels) out << " " << name << "=" << value;
  for (const auto& [name, bound] : registration.max_age) out << " " << name << "<" << bound.count();
  for (const model::StateSpec& spec : registration.states) out << " {" << Describe(spec) << "}";
  out << " card " << card.json << "|" << card.name << "|" << card.description << "|" << card.version
      << "|" << card.provider << "| skills" << card.skills << " tags" << card.tags << " domains"
      << card.domains << " protocols" << card.protocols;
  return out.str();
}

inline std::string Describe(const model::Tombstone& tombstone) {
  std::ostringstream out;
  out << tombstone.id << " life " << tombstone.incarnation << " revision " << tombstone.revision
      << " at " << tombstone.removed_at.time_since_epoch().count();
  return out.str();
}

inline void Describe(const model::StateRecord& state, std::ostream* out) {
  const model::ValueView& value = state.value;
  *out << std::hexfloat << " [" << state.state << " type " << static_cast<int>(value.type) << " "
       << value.boolean << " " << value.number << " '" << value.text << "' "
       << value.location.latitude << "," << value.location.longitude << " at "
       << state.generated_at.time_since_epoch().count() << "]";
}

inline std::ostream& operator<<(std::ostream& out, const std::optional<std::uint64_t>& sequence) {
  return sequence.has_value() ? out << " #" << *sequence : out << " #-";
}

// Events without their data, as report records keep them.
inline std::string Describe(const model::ReportRecord& report) {
  std::ostringstream out;
  out << "slot " << report.slot << " life " << report.incarnation << " revision " << report.revision
      << " received " << report.received_at.time_since_epoch().count() << " sequences";
  for (const std::uint64_t sequence : report.sequences) out << " " << sequence;
  for (const model::StateRecord& state : report.states) Describe(state, &out);
  for (const model::CounterRecord& counter : report.counters) {
    out << std::hexfloat << " +" << counter.state << counter.sequence << " " << counter.amount
        << " at " << counter.generated_at.time_since_epoch().count();
  }
  for (const model::EventRecord& event : report.events) {
    out << " !" << event.state << event.sequence << " revision " << event.revision << " at "
        << event.generated_at.time_since_epoch().count();
  }
  return out.str();
}

inline std::string Describe(const model::AgentDynamics& agent, model::Revision covers) {
  std::ostringstream out;
  out << "covers " << covers << " slot " << agent.slot << " life " << agent.incarnation << " heard "
      << agent.heard_at.time_since_epoch().count() << " sequences " << agent.sequences.newest()
      << "/" << agent.sequences.bits();
  for (const model::StateRecord& state : agent.states) Describe(state, &out);
  return out.str();
}

inline std::string DescribeEvent(model::StateIndex state, model::Revision revision,
                                 base::WallTime at, std::string_view json) {
  std::ostringstream out;
  out << state << " revision " << revision << " at " << at.time_since_epoch().count() << " "
      << json;
  return out.str();
}

}  // namespace muster::journal::testing
