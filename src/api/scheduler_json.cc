#include "api/scheduler_json.h"

#include <simdjson.h>

#include <array>
#include <cmath>
#include <variant>

#include "api/render.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "base/text.h"

namespace muster::api {
namespace {

// One option: its name in JSON and where it is kept.
template <typename Object>
struct Field {
  std::string_view name;
  std::variant<std::string Object::*, std::uint32_t Object::*, std::uint64_t Object::*,
               double Object::*, bool Object::*, base::Duration Object::*,
               std::array<double, 7> Object::*, std::array<double, 5> Object::*,
               std::array<double, 4> Object::*, std::array<double, 2> Object::*>
      member;
};

using schedule::JointOptions;
using schedule::Options;
using schedule::QueueLimits;

const Field<Options> kOptionFields[] = {
    {"policy", &Options::policy},
    {"update_share", &Options::update_share},
    {"batch_tasks_max", &Options::batch_tasks_max},
    {"lent_tasks_max", &Options::lent_tasks_max},
    {"batch_work_max", &Options::batch_work_max},
    {"cost_initial", &Options::cost_initial},
    {"cost_weight", &Options::cost_weight},
    {"park_margin", &Options::park_margin},
};
const Field<JointOptions> kJointFields[] = {
    {"update_weights", &JointOptions::update_weights},
    {"query_weights", &JointOptions::query_weights},
    {"update_priority", &JointOptions::update_priority},
    {"query_priority", &JointOptions::query_priority},
    {"reference_wait_updates", &JointOptions::reference_wait_updates},
    {"reference_wait_queries", &JointOptions::reference_wait_queries},
    {"share_min", &JointOptions::share_min},
    {"damping", &JointOptions::damping},
    {"hysteresis", &JointOptions::hysteresis},
    {"holding_time", &JointOptions::holding_time},
    {"holding_tasks", &JointOptions::holding_tasks},
    {"holding_work", &JointOptions::holding_work},
    {"loan_part", &JointOptions::loan_part},
    {"loans_burst", &JointOptions::loans_burst},
    {"critical_age", &JointOptions::critical_age},
    {"benefit_per_work", &JointOptions::benefit_per_work},
};
const Field<QueueLimits> kLimitFields[] = {
    {"tasks_max", &QueueLimits::tasks_max},
    {"bytes_max", &QueueLimits::bytes_max},
    {"work_max", &QueueLimits::work_max},
};

void WriteDuration(base::Duration value, base::JsonWriter* json) {
  std::string text;
  base::AppendDuration(&text, value);
  json->String(text);
}

void WriteScalar(const std::string& value, base::JsonWriter* json) { json->String(value); }
void WriteScalar(std::uint32_t value, base::JsonWriter* json) { json->Unsigned(value); }
void WriteScalar(std::uint64_t value, base::JsonWriter* json) { json->Unsigned(value); }
void WriteScalar(double value, base::JsonWriter* json) { json->Number(value); }
void WriteScalar(bool value, base::JsonWriter* json) { json->Bool(value); }
void WriteScalar(base::Duration value, base::JsonWriter* json) { WriteDuration(value, json); }
template <std::size_t kSize>
void WriteScalar(const std::array<double, kSize>& values, base::JsonWriter* json) {
  json->BeginArray();
  for (const double value : values) json->Number(value);
  json->EndArray();
}

template <typename Object, std::size_t kSize>
void WriteFields(const Field<Object> (&fields)[kSize], const Object& object,
                 base::JsonWriter* json) {
  for (const Field<Object>& field : fields) {
    json->Key(field.name);
    std::visit([&](auto member) { WriteScalar(object.*member, json); }, field.member);
  }
}

template <typename Object, std::size_t kSize>
void WriteGroup(std::string_view name, const Field<Object> (&fields)[kSize], const Object& object,
                base::JsonWriter* json) {
  json->Key(name);
  json->BeginObject();
  WriteFields(fields, object, json);
  json->EndObject();
}

void WriteOptions(const Options& options, base::JsonWriter* json) {
  json->BeginObject();
  json->Key("workers");
  json->Unsigned(options.workers);
  WriteFields(kOptionFields, options, json);
  WriteGroup("joint", kJointFields, options.joint, json);
  WriteGroup("updates", kLimitFields, options.updates, json);
  WriteGroup("queries", kLimitFields, options.queries, json);
  json->EndObject();
}

// Scores may be infinite by their formulas; JSON has no infinity.
void WriteFinite(double value, base::JsonWriter* json) {
  if (std::isfinite(value)) {
    json->Number(value);
  } else {
    json->Null();
  }
}

void WriteQueue(std::string_view name, const schedule::QueueSnapshot& queue,
                base::JsonWriter* json) {
  json->Key(name);
  json->BeginObject();
  const std::pair<std::string_view, std::uint64_t> counts[] = {
      {"tasks", queue.tasks},           {"parked", queue.parked},       {"running", queue.running},
      {"bytes", queue.bytes},           {"submitted", queue.submitted}, {"merged", queue.merged},
      {"superseded", queue.superseded}, {"refused", queue.refused},     {"expired", queue.expired},
      {"finished", queue.finished}};
  for (const auto& [key, value] : counts) {
    json->Key(key);
    json->Unsigned(value);
  }
  const std::pair<std::string_view, base::Duration> durations[] = {
      {"work", queue.work}, {"wait_max", queue.wait_max}, {"wait_mean", queue.wait_mean}};
  for (const auto& [key, value] : durations) {
    json->Key(key);
    WriteDuration(std::max(value, base::Duration(0)), json);
  }
  const std::pair<std::string_view, double> numbers[] = {
      {"deadline_pressure", queue.deadline_pressure},
      {"load", queue.load},
      {"age", queue.age},
      {"benefit", queue.benefit},
      {"score", queue.score},
      {"share", queue.share},
      {"share_target", queue.share_target}};
  for (const auto& [key, value] : numbers) {
    json->Key(key);
    WriteFinite(value, json);
  }
  json->Key("terms");
  json->BeginArray();
  for (const double term : queue.terms) WriteFinite(term, json);
  json->EndArray();
  json->EndObject();
}

void WriteReallocations(const schedule::Snapshot& snapshot, base::Now now, base::JsonWriter* json) {
  json->Key("reallocations");
  json->BeginObject();
  json->Key("count");
  json->Unsigned(snapshot.reallocations);
  json->Key("recent");
  json->BeginArray();
  for (const schedule::Reallocation& change : snapshot.recent) {
    json->BeginObject();
    json->Key("age");
    WriteDuration(std::max(now.mono - change.at, base::Duration(0)), json);
    json->Key("update_share_before");
    json->Number(change.update_share_before);
    json->Key("update_share_after");
    json->Number(change.update_share_after);
    json->Key("reason");
    json->String(change.reason);
    json->EndObject();
  }
  json->EndArray();
  json->EndObject();
}

using simdjson::dom::element;

absl::Status Wrong(std::string_view what, std::string_view pointer) {
  return base::InvalidArgument(base::StrCat("It must be ", what, ". [", pointer, "]"));
}

absl::Status ReadScalar(element value, std::string_view pointer, std::string* out) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return Wrong("a string", pointer);
  out->assign(text);
  return absl::OkStatus();
}
absl::Status ReadScalar(element value, std::string_view pointer, std::uint64_t* out) {
  if (value.get(*out) != simdjson::SUCCESS) return Wrong("a whole number from 0", pointer);
  return absl::OkStatus();
}
absl::Status ReadScalar(element value, std::string_view pointer, std::uint32_t* out) {
  std::uint64_t wide = 0;
  if (value.get(wide) != simdjson::SUCCESS || wide > 0xffffffffu) {
    return Wrong("a whole number from 0 to 4294967295", pointer);
  }
  *out = static_cast<std::uint32_t>(wide);
  return absl::OkStatus();
}
absl::Status ReadScalar(element value, std::string_view pointer, double* out) {
  if (value.get(*out) != simdjson::SUCCESS) return Wrong("a number", pointer);
  return absl::OkStatus();
}
absl::Status ReadScalar(element value, std::string_view pointer, bool* out) {
  if (value.get(*out) != simdjson::SUCCESS) return Wrong("true or false", pointer);
  return absl::OkStatus();
}
template <std::size_t kSize>
absl::Status ReadScalar(element value, std::string_view pointer, std::array<double, kSize>* out) {
  simdjson::dom::array array;
  if (value.get(array) != simdjson::SUCCESS || array.size() != kSize) {
    return Wrong(base::StrCat("an array of ", kSize, " numbers"), pointer);
  }
  std::size_t i = 0;
  for (const element number : array) {
    if (number.get((*out)[i++]) != simdjson::SUCCESS) {
      return Wrong(base::StrCat("an array of ", kSize, " numbers"), pointer);
    }
  }
  return absl::OkStatus();
}
absl::Status ReadScalar(element value, std::string_view pointer, base::Duration* out) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return Wrong("a duration such as \"2s\"", pointer);
  const absl::StatusOr<base::Duration> duration = base::ParseDuration(text);
  if (!duration.ok()) return Wrong("a duration such as \"2s\"", pointer);
  *out = *duration;
  return absl::OkStatus();
}

template <typename Object, std::size_t kSize>
absl::Status MergeField(const Field<Object> (&fields)[kSize], std::string_view name, element value,
                        std::string_view pointer, Object* object) {
  for (const Field<Object>& field : fields) {
    if (field.name != name) continue;
    return std::visit([&](auto member) { return ReadScalar(value, pointer, &(object->*member)); },
                      field.member);
  }
  return base::InvalidArgument(
      base::StrCat("The scheduler has no option of this name; GET /v1/scheduler shows them all. [",
                   pointer, "]"));
}

template <typename Object, std::size_t kSize>
absl::Status MergeGroup(const Field<Object> (&fields)[kSize], element value,
                        std::string_view pointer, Object* group) {
  simdjson::dom::object object;
  if (value.get(object) != simdjson::SUCCESS) return Wrong("an object", pointer);
  for (const auto& [key, member] : object) {
    const absl::Status merged =
        MergeField(fields, key, member, base::StrCat(pointer, "/", key), group);
    if (!merged.ok()) return merged;
  }
  return absl::OkStatus();
}

absl::Status MergeMember(std::string_view key, element value, Options* options) {
  const std::string pointer = base::StrCat("/", key);
  if (key == "updates") return MergeGroup(kLimitFields, value, pointer, &options->updates);
  if (key == "queries") return MergeGroup(kLimitFields, value, pointer, &options->queries);
  if (key == "joint") return MergeGroup(kJointFields, value, pointer, &options->joint);
  if (key == "workers") {
    return base::InvalidArgument(
        "The number of Workers is set at the start of the node and can't change. [/workers]");
  }
  return MergeField(kOptionFields, key, value, pointer, options);
}

}  // namespace

void AppendScheduler(const schedule::Snapshot& snapshot, const Options& options, base::Now now,
                     std::string* out) {
  base::JsonWriter json(out);
  json.BeginObject();
  json.Key("policy");
  json.String(snapshot.policy);
  json.Key("workers");
  json.Unsigned(snapshot.workers);
  json.Key("queues");
  json.BeginObject();
  WriteQueue("update", snapshot.queue[0], &json);
  WriteQueue("query", snapshot.queue[1], &json);
  json.EndObject();
  WriteReallocations(snapshot, now, &json);
  json.Key("options");
  WriteOptions(options, &json);
  json.EndObject();
}

void AppendSchedulerOptions(const Options& options, std::string* out) {
  base::JsonWriter json(out);
  WriteOptions(options, &json);
}

absl::Status MergeSchedulerOptions(std::string_view json, Options* options) {
  simdjson::dom::parser parser;
  element document;
  if (const simdjson::error_code error = parser.parse(json.data(), json.size()).get(document)) {
    return base::InvalidArgument(
        base::StrCat("The body is not JSON: ", simdjson::error_message(error), ". []"));
  }
  simdjson::dom::object object;
  if (document.get(object) != simdjson::SUCCESS) return Wrong("an object", "");
  Options merged = *options;
  for (const auto& [key, value] : object) {
    const absl::Status status = MergeMember(key, value, &merged);
    if (!status.ok()) return status;
  }
  *options = std::move(merged);
  return absl::OkStatus();
}

}  // namespace muster::api
