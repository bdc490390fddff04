#include "model/report.h"

#include <algorithm>
#include <bitset>
#include <cmath>

#include "base/strings.h"
#include "base/text.h"
#include "model/json_document.h"
#include "model/json_error.h"
#include "model/json_walk.h"
#include "simdjson.h"

namespace muster::model {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kFields =
    "id, incarnation, sequence, generated_at, states, counters, events";
constexpr std::string_view kExpected = "an object, the report";

// Everything that one call of Parse needs at hand.
struct Reading {
  const StateCatalog& catalog;
  const Limits& limits;
  Report& report;
  std::bitset<kStatesLimit> seen;  // states and counters
};

absl::Status FindState(Reading& reading, std::string_view name, StateKind kind,
                       std::string_view parent, StateIndex* state) {
  const auto index = reading.catalog.Find(name);
  if (!index) {
    return WrongField(
        "no state of this name is declared; declare it in the registration's "
        "`states` or in the node's configuration",
        PointerTo(parent, name));
  }
  const StateSpec& spec = reading.catalog.spec(*index);
  if (spec.kind != kind) {
    return WrongField(base::StrCat(spec.name, " is declared as ", Name(spec.kind),
                                   " and can't be reported as ", Name(kind)),
                      PointerTo(parent, name));
  }
  *state = *index;
  return absl::OkStatus();
}

// Here and below, `pointer` gives the JSON pointer when an error needs it: most reports have none.
template <typename Pointer>
absl::Status ReadNumber(ondemand::value value, std::string_view name, const Pointer& pointer,
                        double* number) {
  if (auto error = value.get_double().get(*number)) {
    return JsonError(error, value, base::StrCat("a number for ", name), pointer());
  }
  *number += 0.0;  // -0 is 0
  return absl::OkStatus();
}

template <typename Pointer>
absl::Status ReadLocation(ondemand::value value, const Pointer& pointer, Location* location) {
  bool has_latitude = false;
  bool has_longitude = false;
  auto status = ForEachMember(
      value, "an object {latitude, longitude}", pointer,
      [&](std::string_view key, ondemand::value inner) {
        const auto at = [&] { return PointerTo(pointer(), key); };
        const bool is_latitude = key == "latitude";
        if (!is_latitude && key != "longitude") {
          return UnknownField(at(), "latitude, longitude");
        }
        bool& has = is_latitude ? has_latitude : has_longitude;
        if (has) return DuplicateField(at());
        has = true;
        return ReadNumber(inner, key, at, is_latitude ? &location->latitude : &location->longitude);
      });
  if (!status.ok()) return status;
  if (has_latitude && has_longitude) return absl::OkStatus();
  return WrongField("a location needs latitude and longitude", pointer());
}

template <typename Pointer>
absl::Status ReadText(ondemand::value value, std::string_view name, const Limits& limits,
                      const Pointer& pointer, StateValue* out) {
  std::string_view text;
  if (auto error = value.get_string().get(text)) {
    return JsonError(error, value, base::StrCat("a string for ", name), pointer());
  }
  if (text.size() > limits.state_text_bytes_max) {
    return WrongField(base::StrCat("the text is ", text.size(), " bytes long; the limit is ",
                                   limits.state_text_bytes_max, " (limits.state_text_bytes_max)"),
                      pointer());
  }
  if (text.find('\0') != std::string_view::npos) {
    return WrongField("a text must not hold NUL", pointer());
  }
  if (auto* held = std::get_if<std::string>(out)) {
    held->assign(text);
  } else {
    *out = std::string(text);
  }
  return absl::OkStatus();
}

absl::Status ReadValue(ondemand::value value, const StateSpec& spec, const Limits& limits,
                       StateValue* out) {
  const auto pointer = [&] { return PointerTo("/states", spec.name); };
  absl::Status status;
  switch (spec.type) {
    case StateType::kNumber: {
      double number = 0;
      status = ReadNumber(value, spec.name, pointer, &number);
      *out = number;
      break;
    }
    case StateType::kBool: {
      bool boolean = false;
      if (auto error = value.get_bool().get(boolean)) {
        return JsonError(error, value, base::StrCat("true or false for ", spec.name), pointer());
      }
      *out = boolean;
      break;
    }
    case StateType::kString:
      status = ReadText(value, spec.name, limits, pointer, out);
      break;
    case StateType::kLocation: {
      Location location;
      status = ReadLocation(value, pointer, &location);
      *out = location;
      break;
    }
  }
  if (!status.ok()) return status;
  status = CheckValue(spec, View(*out));
  return status.ok() ? status : WrongField(base::Message(status), pointer());
}

absl::Status ReadStates(ondemand::value value, Reading& reading) {
  return ForEachMember(
      value, "an object of states", "/states", [&](std::string_view key, ondemand::value inner) {
        StateIndex index = 0;
        auto status = FindState(reading, key, StateKind::kReplaceable, "/states", &index);
        if (!status.ok()) return status;
        if (reading.seen[index]) return DuplicateField(PointerTo("/states", key));
        reading.seen.set(index);
        if (reading.report.states.size() >= reading.limits.report_states_max) {
          return WrongField(base::StrCat("more than ", reading.limits.report_states_max,
                                         " states in one report (limits.report_states_max)"),
                            "/states");
        }
        ReportedState& state = reading.report.states.emplace_back();
        state.state = index;
        return ReadValue(inner, reading.catalog.spec(index), reading.limits, &state.value);
      });
}

absl::Status ReadCounters(ondemand::value value, Reading& reading) {
  return ForEachMember(value, "an object of increments", "/counters",
                       [&](std::string_view key, ondemand::value inner) {
                         StateIndex index = 0;
                         auto status =
                             FindState(reading, key, StateKind::kCounter, "/counters", &index);
                         if (!status.ok()) return status;
                         const auto pointer = [&] { return PointerTo("/counters", key); };
                         if (reading.seen[index]) return DuplicateField(pointer());
                         reading.seen.set(index);
                         CounterIncrement& counter = reading.report.counters.emplace_back();
                         counter.state = index;
                         status = ReadNumber(inner, key, pointer, &counter.amount);
                         if (!status.ok()) return status;
                         ValueView view;
                         view.number = counter.amount;
                         status = CheckValue(reading.catalog.spec(index), view);
                         return status.ok() ? status : WrongField(base::Message(status), pointer());
                       });
}

// The data is kept and given back, so all of it is checked.
absl::Status ReadData(ondemand::value value, const Limits& limits, const std::string& pointer,
                      std::string* out) {
  const char* const begin = value.raw_json_token().data();
  if (auto status = CheckJson(value, pointer, limits.json_depth_max); !status.ok()) return status;
  std::string_view json;
  if (auto status = TakeConsumed(begin, value, pointer, &json); !status.ok()) return status;
  if (json.size() > limits.event_bytes_max) {
    return WrongField(
        base::StrCat("the event's data is ", json.size(), " bytes long; the limit is ",
                     limits.event_bytes_max, " (limits.event_bytes_max)"),
        pointer);
  }
  out->assign(json);
  return absl::OkStatus();
}

absl::Status ReadEventName(ondemand::value value, Reading& reading, const std::string& pointer,
                           StateIndex* state) {
  std::string_view name;
  if (auto error = value.get_string().get(name)) {
    return JsonError(error, value, "the name of a declared event", pointer);
  }
  // The pointer shows where the name stands, so what it is must be in the message.
  const auto index = reading.catalog.Find(name);
  if (!index || reading.catalog.spec(*index).kind != StateKind::kEvent) {
    return WrongField(base::StrCat("no event of the name \"", Shown(name, 40),
                                   "\" is declared; declare it in the registration's `states` or "
                                   "in the node's configuration"),
                      pointer);
  }
  *state = *index;
  return absl::OkStatus();
}

absl::Status ReadEvent(ondemand::value value, Reading& reading, const std::string& pointer) {
  ReportedEvent& event = reading.report.events.emplace_back();
  event.json = "null";
  bool has_name = false;
  bool has_data = false;
  auto status = ForEachMember(value, "an object {name, data}", pointer,
                              [&](std::string_view key, ondemand::value inner) {
                                const std::string at = PointerTo(pointer, key);
                                const bool is_name = key == "name";
                                if (!is_name && key != "data")
                                  return UnknownField(at, "name, data");
                                bool& has = is_name ? has_name : has_data;
                                if (has) return DuplicateField(at);
                                has = true;
                                return is_name ? ReadEventName(inner, reading, at, &event.state)
                                               : ReadData(inner, reading.limits, at, &event.json);
                              });
  if (!status.ok()) return status;
  if (!has_name) return WrongField("an event needs the `name` of a declared event", pointer);
  return absl::OkStatus();
}

absl::Status ReadEvents(ondemand::value value, Reading& reading) {
  ondemand::array events;
  if (auto error = value.get_array().get(events)) {
    return JsonError(error, value, "an array of {name, data}", "/events");
  }
  for (auto item : events) {
    if (reading.report.events.size() >= reading.limits.report_events_max) {
      return WrongField(base::StrCat("more than ", reading.limits.report_events_max,
                                     " events in one report (limits.report_events_max)"),
                        "/events");
    }
    const std::string pointer = base::StrCat("/events/", reading.report.events.size());
    ondemand::value event;
    if (auto error = item.get(event)) return JsonError(error, "a value", pointer);
    if (auto status = ReadEvent(event, reading, pointer); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ReadUnsigned(ondemand::value value, std::string_view pointer,
                          std::optional<std::uint64_t>* out) {
  std::uint64_t number = 0;
  if (auto error = value.get_uint64().get(number)) {
    return JsonError(error, value, "a whole number from 0 to 18446744073709551615", pointer);
  }
  *out = number;
  return absl::OkStatus();
}

absl::Status ReadGeneratedAt(ondemand::value value, Report& report) {
  std::string_view text;
  if (auto error = value.get_string().get(text)) {
    return JsonError(error, value, "an RFC 3339 instant in a string", "/generated_at");
  }
  const auto at = base::ParseRfc3339(text);
  if (!at.ok()) return WrongField(base::Message(at.status()), "/generated_at");
  report.generated_at = *at;
  return absl::OkStatus();
}

absl::Status ReadId(ondemand::value value, const Limits& limits, bool id_in_path, Report& report) {
  std::string_view id;
  if (auto error = value.get_string().get(id)) return JsonError(error, value, "a string", "/id");
  if (auto status = CheckAgentId(id, limits); !status.ok()) {
    return WrongField(base::Message(status), "/id");
  }
  if (id_in_path && id != report.agent_id) {
    return WrongField("this id is not the one in the request's path", "/id");
  }
  report.agent_id.assign(id);
  return absl::OkStatus();
}

enum Field : std::uint8_t {
  kId,
  kIncarnation,
  kSequence,
  kGeneratedAt,
  kStates,
  kCounters,
  kEvents
};

std::optional<Field> FieldOf(std::string_view key) {
  if (key == "id") return kId;
  if (key == "incarnation") return kIncarnation;
  if (key == "sequence") return kSequence;
  if (key == "generated_at") return kGeneratedAt;
  if (key == "states") return kStates;
  if (key == "counters") return kCounters;
  if (key == "events") return kEvents;
  return std::nullopt;
}

absl::Status ReadField(Field field, ondemand::value value, bool id_in_path, Reading& reading) {
  switch (field) {
    case kId:
      return ReadId(value, reading.limits, id_in_path, reading.report);
    case kIncarnation:
      return ReadUnsigned(value, "/incarnation", &reading.report.incarnation);
    case kSequence:
      return ReadUnsigned(value, "/sequence", &reading.report.sequence);
    case kGeneratedAt:
      return ReadGeneratedAt(value, reading.report);
    case kStates:
      return ReadStates(value, reading);
    case kCounters:
      return ReadCounters(value, reading);
    case kEvents:
      return ReadEvents(value, reading);
  }
  return absl::OkStatus();
}

absl::Status ReadReport(ondemand::value value, bool id_in_path, Reading& reading) {
  unsigned seen = 0;
  auto status =
      ForEachMember(value, kExpected, "", [&](std::string_view key, ondemand::value inner) {
        const auto field = FieldOf(key);
        if (!field) return UnknownField(PointerTo("", key), kFields);
        if (seen >> *field & 1) return DuplicateField(PointerTo("", key));
        seen |= 1U << *field;
        return ReadField(*field, inner, id_in_path, reading);
      });
  if (!status.ok()) return status;
  if (!id_in_path && !(seen >> kId & 1)) return WrongField("the report needs an `id`", "/id");
  return absl::OkStatus();
}

void Clear(std::string_view id, Report* report) {
  report->agent_id.assign(id);
  report->incarnation.reset();
  report->sequence.reset();
  report->generated_at.reset();
  report->states.clear();
  report->counters.clear();
  report->events.clear();
}

}  // namespace

struct ReportParser::Buffers {
  ondemand::parser parser;
  std::string padded;
};

ReportParser::ReportParser(const Limits& limits)
    : limits_(limits), buffers_(std::make_unique<Buffers>()) {}
ReportParser::~ReportParser() = default;

absl::Status ReportParser::Parse(std::string_view id, std::string_view json,
                                 const StateCatalog& catalog, Report* report) {
  if (json.size() > limits_.report_bytes_max) {
    return absl::ResourceExhaustedError(
        base::StrCat("the report is ", json.size(), " bytes long; the limit is ",
                     limits_.report_bytes_max, " (limits.report_bytes_max)"));
  }
  Clear(id, report);
  std::string& padded = buffers_->padded;
  padded.assign(json);
  padded.append(simdjson::SIMDJSON_PADDING, '\0');
  Reading reading{catalog, limits_, *report, {}};
  return ReadDocument(
      &buffers_->parser, simdjson::padded_string_view(padded.data(), json.size(), padded.size()),
      kExpected, [&](ondemand::value value) { return ReadReport(value, !id.empty(), reading); });
}

absl::Status CheckGeneratedAt(base::WallTime generated_at, base::WallTime now,
                              const Limits& limits) {
  if (generated_at - now <= limits.clock_skew_max) return absl::OkStatus();
  std::string ahead;
  std::string allowed;
  base::AppendDuration(&ahead, generated_at - now);
  base::AppendDuration(&allowed, limits.clock_skew_max);
  return WrongField(
      base::StrCat("generated_at is ", ahead, " ahead of this node's clock; at most ", allowed,
                   " is accepted (limits.clock_skew_max): check the agent's clock"),
      "/generated_at");
}

bool SequenceWindow::Seen(std::uint64_t sequence) const {
  if (bits_ == 0 || sequence > newest_) return false;
  const std::uint64_t back = newest_ - sequence;
  return back >= 64 || (bits_ >> back & 1) != 0;
}

void SequenceWindow::Mark(std::uint64_t sequence) {
  if (bits_ == 0) {
    newest_ = sequence;
    bits_ = 1;
  } else if (sequence > newest_) {
    const std::uint64_t ahead = sequence - newest_;
    bits_ = ahead >= 64 ? 1 : bits_ << ahead | 1;
    newest_ = sequence;
  } else if (newest_ - sequence < 64) {
    bits_ |= std::uint64_t{1} << (newest_ - sequence);
  }
}

SequenceWindow SequenceWindow::Restore(std::uint64_t newest, std::uint64_t bits) {
  SequenceWindow window;
  window.newest_ = newest;
  window.bits_ = bits;
  return window;
}

}  // namespace muster::model
