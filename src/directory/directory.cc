#include "directory/directory.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "base/check.h"
#include "directory/cursor.h"
#include "directory/execution.h"
#include "directory/freshness.h"
#include "directory/parts.h"
#include "directory/plan_body.h"
#include "directory/plan_compiler.h"

namespace muster::directory {
namespace {

// Leases are non-negative; a sum past the end of the axis never runs out.
std::int64_t ExpiryOf(base::MonoTime heard, std::int64_t lease) {
  const std::int64_t at = heard.time_since_epoch().count();
  const std::int64_t latest = std::numeric_limits<std::int64_t>::max() - lease;
  return at > latest ? std::numeric_limits<std::int64_t>::max() : at + lease;
}

void RaiseTo(std::atomic<std::int64_t>* word, std::int64_t value) {
  std::int64_t held = word->load(std::memory_order_relaxed);
  while (held < value && !word->compare_exchange_weak(held, value, std::memory_order_relaxed)) {
  }
}

}  // namespace

Directory::Directory(const model::Limits& limits) : parts_(std::make_unique<Parts>(limits)) {
  const model::StateCatalog built_in = model::StateCatalog::BuiltIn();
  for (std::size_t i = 0; i < built_in.size(); ++i) {
    const auto state = Declare(built_in.spec(static_cast<StateIndex>(i)));
    MUSTER_CHECK(state.ok(), "the built-in states can be declared");
  }
}
Directory::~Directory() = default;

absl::StatusOr<StateIndex> Directory::Declare(const model::StateSpec& spec) {
  const absl::StatusOr<StateIndex> state = parts_->catalog.Declare(spec, parts_->limits.states_max);
  if (!state.ok() || *state < parts_->columns.size()) return state;
  parts_->columns.push_back(std::make_unique<Column>(spec.type));
  parts_->columns.back()->Grow(slots_end());
  return state;
}

absl::StatusOr<AgentSlot> Directory::ReserveSlot() {
  const absl::StatusOr<AgentSlot> slot = parts_->agents.Reserve();
  if (slot.ok()) parts_->GrowTo(slots_end());
  return slot;
}

void Directory::ReleaseSlot(AgentSlot slot) { parts_->agents.Release(slot); }

void Directory::Put(model::Agent agent, base::WallTime heard_at, base::MonoTime heard_served) {
  const AgentSlot slot = agent.slot;
  const model::Agent* old = this->agent(slot);
  if (old != nullptr) {
    parts_->facets.Remove(slot, old->registration);
    parts_->agents.Replace(std::move(agent));
  } else {
    parts_->agents.Insert(std::move(agent));
    parts_->GrowTo(slots_end());
  }
  const model::Registration& registration = this->agent(slot)->registration;
  parts_->facets.Add(slot, registration);
  const base::Duration lease =
      registration.lease > base::Duration(0) ? registration.lease : parts_->limits.lease_default;
  parts_->leases[slot] = lease.count();
  parts_->heard_at.Store(slot, heard_at.time_since_epoch().count());
  parts_->expires_at.Store(slot, ExpiryOf(heard_served, lease.count()));
}

void Directory::Remove(AgentSlot slot) {
  MUSTER_CHECK(agent(slot) != nullptr, "only a registered agent is removed");
  parts_->facets.Remove(slot, agent(slot)->registration);
  parts_->locations.Remove(slot);
  for (const auto& column : parts_->columns) column->Clear(slot);
  parts_->heard_at.Clear(slot);
  parts_->expires_at.Clear(slot);
  parts_->leases[slot] = 0;
  parts_->sequences[slot] = {};
  parts_->agents.Remove(slot);
}

absl::StatusOr<PackedValue> Directory::Intern(std::string_view text) {
  const absl::StatusOr<TextNumber> number = parts_->texts.Intern(text);
  if (!number.ok()) return number.status();
  return PackedValue{*number, 0};
}

bool Directory::Install(AgentSlot slot, StateIndex state, PackedValue value,
                        base::WallTime generated_at) {
  MUSTER_CHECK(agent(slot) != nullptr, "states are of registered agents");
  Column& column = *parts_->columns[state];
  const std::optional<base::WallTime> installed = column.GeneratedAt(slot);
  if (installed && *installed >= generated_at) return false;
  column.Store(slot, value, generated_at);
  if (NeedsExclusive(parts_->catalog.spec(state).type)) IndexLocation(slot, state, value);
  return true;
}

// Of several states of this type, `location` alone is where an agent is.
void Directory::IndexLocation(AgentSlot slot, StateIndex state, PackedValue value) {
  if (parts_->catalog.spec(state).name == "location") {
    parts_->locations.Move(slot, UnpackLocation(value));
  }
}

void Directory::AddCounter(AgentSlot slot, StateIndex state, double amount,
                           base::WallTime generated_at) {
  MUSTER_CHECK(agent(slot) != nullptr, "states are of registered agents");
  Column& column = *parts_->columns[state];
  const std::optional<base::WallTime> installed = column.GeneratedAt(slot);
  if (!installed) {
    column.Store(slot, Pack(amount), generated_at);
    return;
  }
  // A sum stays a number, whatever is added.
  constexpr double kMax = std::numeric_limits<double>::max();
  const double sum = std::clamp(UnpackNumber(column.Low(slot)) + amount, -kMax, kMax);
  column.Store(slot, Pack(sum), std::max(*installed, generated_at));
}

void Directory::MarkHeard(AgentSlot slot, base::WallTime at, base::MonoTime served) {
  RaiseTo(&parts_->heard_at.Writable(slot), at.time_since_epoch().count());
  RaiseTo(&parts_->expires_at.Writable(slot), ExpiryOf(served, parts_->leases[slot]));
}

model::SequenceWindow* Directory::sequences(AgentSlot slot) { return &parts_->sequences[slot]; }

const model::StateCatalog& Directory::catalog() const { return parts_->catalog; }

std::optional<AgentSlot> Directory::Find(std::string_view id) const {
  return parts_->agents.Find(id);
}

const model::Agent* Directory::agent(AgentSlot slot) const { return parts_->agents.agent(slot); }

std::size_t Directory::size() const { return parts_->agents.size(); }

std::size_t Directory::slots_end() const { return parts_->agents.slots_end(); }

bool Directory::Lapsed(AgentSlot slot, base::MonoTime served) const {
  return parts_->expires_at.Load(slot) < served.time_since_epoch().count();
}

base::WallTime Directory::HeardAt(AgentSlot slot) const {
  return base::WallFromUnixNanos(parts_->heard_at.Load(slot));
}

std::optional<PackedValue> Directory::FindText(std::string_view text) const {
  const std::optional<TextNumber> number = parts_->texts.Find(text);
  if (!number) return std::nullopt;
  return PackedValue{*number, 0};
}

model::ValueView Directory::Unpack(model::StateType type, PackedValue value) const {
  model::ValueView view;
  view.type = type;
  switch (type) {
    case model::StateType::kNumber:
      view.number = UnpackNumber(value.low);
      break;
    case model::StateType::kString:
      view.text = parts_->texts.text(static_cast<TextNumber>(value.low));
      break;
    case model::StateType::kBool:
      view.boolean = value.low != 0;
      break;
    case model::StateType::kLocation:
      view.location = UnpackLocation(value);
      break;
  }
  return view;
}

std::optional<base::WallTime> Directory::GeneratedAt(AgentSlot slot, StateIndex state) const {
  return parts_->columns[state]->GeneratedAt(slot);
}

base::Duration Directory::MaxAge(AgentSlot slot, StateIndex state) const {
  return MaxAgeOf(*parts_, slot, state);
}

void Directory::ReadStates(AgentSlot slot, std::vector<StateReading>* out) const {
  for (std::size_t i = 0; i < parts_->columns.size(); ++i) {
    const auto state = static_cast<StateIndex>(i);
    const Column& column = *parts_->columns[i];
    const std::optional<base::WallTime> generated_at = column.GeneratedAt(slot);
    if (!generated_at) continue;
    const model::StateType type = parts_->catalog.spec(state).type;
    out->push_back({state, Unpack(type, column.Value(slot)), *generated_at, MaxAge(slot, state)});
  }
}

void Directory::ReadDynamics(AgentSlot slot, model::AgentDynamics* out) const {
  out->slot = slot;
  out->incarnation = agent(slot)->incarnation;
  out->heard_at = HeardAt(slot);
  out->sequences = parts_->sequences[slot];
  out->states.clear();
  for (std::size_t i = 0; i < parts_->columns.size(); ++i) {
    const auto state = static_cast<StateIndex>(i);
    const Column& column = *parts_->columns[i];
    const std::optional<base::WallTime> generated_at = column.GeneratedAt(slot);
    if (!generated_at) continue;
    const model::StateType type = parts_->catalog.spec(state).type;
    out->states.push_back({state, *generated_at, Unpack(type, column.Value(slot))});
  }
}

absl::StatusOr<Plan> Directory::Compile(const model::Query& query) const {
  return CompilePlan(query, parts_->catalog, parts_->limits);
}

void Directory::Execute(const Plan& plan, ReadTime at, QueryResult* result) const {
  Execution(*parts_, plan.body(), at, nullptr).Run(result, nullptr);
}

absl::Status Directory::ExecutePage(const Plan& plan, ReadTime at, std::string_view cursor,
                                    QueryResult* result, std::string* next_cursor) const {
  std::optional<PagePosition> after;
  if (!cursor.empty()) {
    absl::StatusOr<PagePosition> decoded = DecodeCursor(plan.body(), cursor);
    if (!decoded.ok()) return decoded.status();
    after = *std::move(decoded);
  }
  Execution(*parts_, plan.body(), at, after ? &*after : nullptr).Run(result, next_cursor);
  return absl::OkStatus();
}

std::size_t Directory::MemoryUsed() const { return parts_->MemoryUsed(); }

}  // namespace muster::directory
