#include "model/report.h"

#include <algorithm>
#include <bitset>
#include <cmath>

#include "base/strings.h"
#include "base/text.h"
#include "model/json_error.h"
#include "simdjson.h"

namespace muster::model {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kFields =
    "id, incarnation, sequence, generated_at, states, counters, events";

// Everything that one call of Parse needs at hand.
struct Reading {
  const StateCatalog& catalog;
  const Limits& limits;
  Report& report;
  std::bitset<kStatesLimit> seen;  // states and counters
};

absl::StatusOr<StateIndex> FindState(Reading& reading, std::string_view name, StateKind kind,
                                     std::string_view parent) {
  const auto index = reading.catalog.Find(name);
  if (!index) {
    return WrongField(
        "no state of this name is declared; declare it in the registration's "
        "`states` or in the node's configuration",
        PointerTo(parent, name));
  }
  const StateSpec& spec = reading.catalog.spec(*index);
  if (spec.kind != kind) {
    return WrongField(base::StrCat("\"", name, "\" is declared as ", Name(spec.kind),
                                   " and can't be reported as ", Name(kind)),
                      PointerTo(parent, name));
  }
  return *index;
}

absl::Status ReadLocation(ondemand::value& value, const std::string& pointer, Location* location) {
  ondemand::object fields;
  if (auto error = value.get_object().get(fields)) {
    return JsonError(error, "an object {latitude, longitude}", pointer);
  }
  bool has_latitude = false;
  bool has_longitude = false;
  for (auto field : fields) {
    std::string_view key;
    if (auto error = field.unescaped_key().get(key)) return JsonError(error, "a key", pointer);
    const bool is_latitude = key == "latitude";
    if (!is_latitude && key != "longitude") {
      return UnknownField(PointerTo(pointer, key), "latitude, longitude");
    }
    bool& has = is_latitude ? has_latitude : has_longitude;
    if (has) return DuplicateField(PointerTo(pointer, key));
    has = true;
    double& degrees = is_latitude ? location->latitude : location->longitude;
    if (auto error = field.value().get_double().get(degrees)) {
      return JsonError(error, "a number of degrees", PointerTo(pointer, key));
    }
    degrees += 0.0;
  }
  if (has_latitude && has_longitude) return absl::OkStatus();
  return WrongField("a location needs latitude and longitude", pointer);
}

absl::Status ReadNumber(ondemand::value& value, std::string_view name, const std::string& pointer,
                        double* number) {
  if (auto error = value.get_double().get(*number)) {
    return JsonError(error, base::StrCat("a number for ", name), pointer);
  }
  *number += 0.0;  // -0 is 0
  return absl::OkStatus();
}

absl::Status ReadText(ondemand::value& value, std::string_view name, const Limits& limits,
                      const std::string& pointer, StateValue* out) {
  std::string_view text;
  if (auto error = value.get_string().get(text)) {
    return JsonError(error, base::StrCat("a string for ", name), pointer);
  }
  if (text.size() > limits.state_text_bytes_max) {
    return WrongField(base::StrCat("the text is ", text.size(), " bytes long; the limit is ",
                                   limits.state_text_bytes_max, " (limits.state_text_bytes_max)"),
                      pointer);
  }
  if (text.find('\0') != std::string_view::npos) {
    return WrongField("a text must not hold NUL", pointer);
  }
  if (auto* held = std::get_if<std::string>(out)) {
    held->assign(text);
  } else {
    *out = std::string(text);
  }
  return absl::OkStatus();
}

absl::Status ReadValue(ondemand::value& value, const StateSpec& spec, const Limits& limits,
                       StateValue* out) {
  // Built only when needed: the pointer is for errors.
  const auto pointer = [&] { return PointerTo("/states", spec.name); };
  absl::Status status;
  switch (spec.type) {
    case StateType::kNumber: {
      double number = 0;
      if (value.get_double().get(number) != simdjson::SUCCESS) {
        status = ReadNumber(value, spec.name, pointer(), &number);
      }
      *out = number + 0.0;
      break;
    }
    case StateType::kBool: {
      bool boolean = false;
      if (auto error = value.get_bool().get(boolean)) {
        return JsonError(error, base::StrCat("true or false for ", spec.name), pointer());
      }
      *out = boolean;
      break;
    }
    case StateType::kString:
      status = ReadText(value, spec.name, limits, pointer(), out);
      break;
    case StateType::kLocation: {
      Location location;
      status = ReadLocation(value, pointer(), &location);
      *out = location;
      break;
    }
  }
  if (!status.ok()) return status;
  status = CheckValue(spec, View(*out));
  return status.ok() ? status : WrongField(base::Message(status), pointer());
}

absl::Status ReadStates(ondemand::value value, Reading& reading) {
  ondemand::object fields;
  if (auto error = value.get_object().get(fields)) {
    return JsonError(error, "an object of states", "/states");
  }
  for (auto field : fields) {
    std::string_view key;
    if (auto error = field.unescaped_key().get(key)) return JsonError(error, "a key", "/states");
    const auto index = FindState(reading, key, StateKind::kReplaceable, "/states");
    if (!index.ok()) return index.status();
    if (reading.seen[*index]) return DuplicateField(PointerTo("/states", key));
    reading.seen.set(*index);
    if (reading.report.states.size() >= reading.limits.report_states_max) {
      return WrongField(base::StrCat("more than ", reading.limits.report_states_max,
                                     " states in one report (limits.report_states_max)"),
                        "/states");
    }
    ReportedState& state = reading.report.states.emplace_back();
    state.state = *index;
    ondemand::value inner = field.value();
    if (auto status = ReadValue(inner, reading.catalog.spec(*index), reading.limits, &state.value);
        !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

absl::Status ReadCounters(ondemand::value value, Reading& reading) {
  ondemand::object fields;
  if (auto error = value.get_object().get(fields)) {
    return JsonError(error, "an object of increments", "/counters");
  }
  for (auto field : fields) {
    std::string_view key;
    if (auto error = field.unescaped_key().get(key)) return JsonError(error, "a key", "/counters");
    const auto index = FindState(reading, key, StateKind::kCounter, "/counters");
    if (!index.ok()) return index.status();
    const std::string pointer = PointerTo("/counters", key);
    if (reading.seen[*index]) return DuplicateField(pointer);
    reading.seen.set(*index);
    ondemand::value inner = field.value();
    CounterIncrement& counter = reading.report.counters.emplace_back();
    counter.state = *index;
    if (auto status = ReadNumber(inner, key, pointer, &counter.amount); !status.ok()) return status;
    if (auto status = CheckValue(reading.catalog.spec(*index), View(StateValue(counter.amount)));
        !status.ok()) {
      return WrongField(base::Message(status), pointer);
    }
  }
  return absl::OkStatus();
}

std::string_view Trimmed(std::string_view json) {
  const std::size_t last = json.find_last_not_of(" \t\r\n");
  return json.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// The on-demand parser checks only what it is asked for, but the data is kept and given back.
absl::Status CheckWhole(std::string_view json, const Limits& limits, const std::string& pointer) {
  if (json.size() > limits.event_bytes_max) {
    return WrongField(base::StrCat("the event's data is ", json.size(), " bytes; the limit is ",
                                   limits.event_bytes_max, " (limits.event_bytes_max)"),
                      pointer);
  }
  simdjson::dom::parser parser;
  auto error = parser.allocate(std::max<std::size_t>(json.size(), 64), limits.json_depth_max);
  if (error == simdjson::SUCCESS) error = parser.parse(json.data(), json.size()).error();
  return error == simdjson::SUCCESS ? absl::OkStatus() : JsonError(error, "JSON", pointer);
}

absl::Status ReadEvent(ondemand::object fields, Reading& reading, const std::string& pointer) {
  ReportedEvent& event = reading.report.events.emplace_back();
  event.json = "null";
  bool has_name = false;
  bool has_data = false;
  for (auto field : fields) {
    std::string_view key;
    if (auto error = field.unescaped_key().get(key)) return JsonError(error, "a key", pointer);
    const std::string at = PointerTo(pointer, key);
    if (key == "name" && !has_name) {
      has_name = true;
      std::string_view name;
      if (auto error = field.value().get_string().get(name))
        return JsonError(error, "a string", at);
      const auto index = FindState(reading, name, StateKind::kEvent, pointer);
      if (!index.ok()) return index.status();
      event.state = *index;
    } else if (key == "data" && !has_data) {
      has_data = true;
      std::string_view json;
      if (auto error = simdjson::to_json_string(field.value()).get(json)) {
        return JsonError(error, "JSON", at);
      }
      json = Trimmed(json);
      if (auto status = CheckWhole(json, reading.limits, at); !status.ok()) return status;
      event.json = json;
    } else if (key == "name" || key == "data") {
      return DuplicateField(at);
    } else {
      return UnknownField(at, "name, data");
    }
  }
  if (!has_name) return WrongField("an event needs the `name` of a declared event", pointer);
  return absl::OkStatus();
}

absl::Status ReadEvents(ondemand::value value, Reading& reading) {
  ondemand::array events;
  if (auto error = value.get_array().get(events)) {
    return JsonError(error, "an array of {name, data}", "/events");
  }
  for (auto item : events) {
    if (reading.report.events.size() >= reading.limits.report_events_max) {
      return WrongField(base::StrCat("more than ", reading.limits.report_events_max,
                                     " events in one report (limits.report_events_max)"),
                        "/events");
    }
    const std::string pointer = base::StrCat("/events/", reading.report.events.size());
    ondemand::object fields;
    if (auto error = item.get_object().get(fields)) {
      return JsonError(error, "an object {name, data}", pointer);
    }
    if (auto status = ReadEvent(fields, reading, pointer); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ReadUnsigned(ondemand::value value, std::string_view pointer,
                          std::optional<std::uint64_t>* out) {
  std::uint64_t number = 0;
  if (auto error = value.get_uint64().get(number)) {
    return JsonError(error, "a whole number from 0 to 18446744073709551615", pointer);
  }
  *out = number;
  return absl::OkStatus();
}

absl::Status ReadGeneratedAt(ondemand::value value, Report& report) {
  std::string_view text;
  if (auto error = value.get_string().get(text)) {
    return JsonError(error, "an RFC 3339 instant in a string", "/generated_at");
  }
  const auto at = base::ParseRfc3339(text);
  if (!at.ok()) return WrongField(base::Message(at.status()), "/generated_at");
  report.generated_at = *at;
  return absl::OkStatus();
}

absl::Status ReadId(ondemand::value value, const Limits& limits, bool id_in_path, Report& report) {
  std::string_view id;
  if (auto error = value.get_string().get(id)) return JsonError(error, "a string", "/id");
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

absl::Status ReadFields(ondemand::document& document, bool id_in_path, Reading& reading) {
  ondemand::object fields;
  if (auto error = document.get_object().get(fields)) {
    return JsonError(error, "an object, the report", "");
  }
  std::uint8_t seen = 0;
  for (auto item : fields) {
    std::string_view key;
    if (auto error = item.unescaped_key().get(key)) return JsonError(error, "a key", "");
    const auto field = FieldOf(key);
    if (!field) return UnknownField(PointerTo("", key), kFields);
    if (seen >> *field & 1) return DuplicateField(PointerTo("", key));
    seen |= static_cast<std::uint8_t>(1 << *field);
    ondemand::value value;
    if (auto error = item.value().get(value))
      return JsonError(error, "a value", PointerTo("", key));
    if (auto status = ReadField(*field, value, id_in_path, reading); !status.ok()) return status;
  }
  if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
    return WrongField("something follows the report's object", "");
  }
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
  ondemand::document document;
  if (auto error =
          buffers_->parser
              .iterate(simdjson::padded_string_view(padded.data(), json.size(), padded.size()))
              .get(document)) {
    return JsonError(error, "an object, the report", "");
  }
  Reading reading{catalog, limits_, *report, {}};
  return ReadFields(document, !id.empty(), reading);
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
