// Dynamic state: what agents report and queries ask about.
//
// A state has a type, a kind and a maximum acceptable age (d_i of equation (6)). States are
// declared in the configuration or by an agent's registration; once declared, a name's type and
// kind are fixed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/strings.h"
#include "base/time.h"

namespace muster::model {

enum class StateType : std::uint8_t { kNumber, kString, kBool, kLocation };
enum class StateKind : std::uint8_t {
  kReplaceable,  // a newer value replaces an older one
  kCounter,      // increments are added up, none is lost
  kEvent,        // every record is kept, in order
};

// Degrees; latitude -90..90, longitude -180..180.
struct Location {
  double latitude = 0;
  double longitude = 0;
  friend bool operator==(const Location&, const Location&) = default;
};

using StateValue = std::variant<double, std::string, bool, Location>;  // in StateType's order

// A value that borrows its text.
struct ValueView {
  StateType type = StateType::kNumber;
  bool boolean = false;
  double number = 0;
  std::string_view text;
  Location location;
};
ValueView View(const StateValue& value);

struct StateSpec {
  std::string name;  // [a-z][a-z0-9_]*
  StateType type = StateType::kNumber;
  StateKind kind = StateKind::kReplaceable;
  base::Duration max_age = std::chrono::seconds(10);
  std::optional<double> minimum;  // numbers only, inclusive
  std::optional<double> maximum;
  std::vector<std::string> allowed;  // strings only; empty: any
  bool critical = false;             // stale beyond twice its bound is an emergency

  friend bool operator==(const StateSpec&, const StateSpec&) = default;
};

// OK if a state may be declared so; whether its name is free is the catalog's question.
absl::Status CheckStateSpec(const StateSpec& spec);

// A state's number on this node, dense from 0, never reused; persisted with its spec.
using StateIndex = std::uint16_t;
inline constexpr std::size_t kStatesLimit = 256;  // the highest that Limits::states_max may be set

class StateCatalog {
 public:
  // load, capacity, queue_depth, availability, latency, success_rate, cost, location.
  static StateCatalog BuiltIn();

  // Adds `spec`, or finds the equal one. AlreadyExists: another spec has that name.
  // InvalidArgument: the spec itself is wrong. ResourceExhausted: `states_max` are declared.
  absl::StatusOr<StateIndex> Declare(const StateSpec& spec, std::size_t states_max);

  std::optional<StateIndex> Find(std::string_view name) const;
  const StateSpec& spec(StateIndex index) const { return specs_[index]; }
  std::size_t size() const { return specs_.size(); }

 private:
  std::vector<StateSpec> specs_;
  base::StringMap<StateIndex> index_of_;
};

// OK if `value` may be stored under `spec`: the right type, finite, in range, an allowed text.
absl::Status CheckValue(const StateSpec& spec, const ValueView& value);

std::string_view Name(StateType type);
std::string_view Name(StateKind kind);

}  // namespace muster::model
