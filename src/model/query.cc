#include "model/query.h"

#include <algorithm>
#include <cmath>

#include "base/strings.h"
#include "model/json_document.h"
#include "model/json_error.h"
#include "model/state_json.h"
#include "simdjson.h"

namespace muster::model {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kFields[] = {
    "filter",    "near",          "text",           "order_by",   "rank",
    "max_age",   "fields",        "limit",          "deadline",   "critical",
    "freshness", "hard_deadline", "include_lapsed", "count_total"};
constexpr double kHalfEarthMetres = 20'037'508.0;  // farther than any two points are apart
constexpr std::string_view kNearFields = "latitude, longitude, radius";
constexpr std::string_view kExpected = "an object, the query";

absl::Status ReadText(ondemand::value value, std::size_t bytes_max, const std::string& pointer,
                      std::string* out) {
  std::string_view text;
  if (auto error = value.get_string().get(text))
    return JsonError(error, value, "a string", pointer);
  if (text.size() > bytes_max) {
    return WrongField(base::StrCat("the text is ", text.size(), " bytes long; the limit is ",
                                   bytes_max, " (limits.filter_bytes_max)"),
                      pointer);
  }
  out->assign(text);
  return absl::OkStatus();
}

absl::Status ReadNumber(ondemand::value value, const std::string& pointer, double* out) {
  if (auto error = value.get_double().get(*out)) {
    return JsonError(error, value, "a number", pointer);
  }
  *out += 0.0;  // -0 is 0
  return absl::OkStatus();
}

absl::Status ReadBool(ondemand::value value, const std::string& pointer, bool* out) {
  if (auto error = value.get_bool().get(*out)) {
    return JsonError(error, value, "true or false", pointer);
  }
  return absl::OkStatus();
}

absl::Status CheckNear(const Near& near) {
  const auto wrong = [](std::string_view what, double got, std::string_view pointer) {
    return WrongField(base::StrCat(what, ", got ", got), pointer);
  };
  const Location& at = near.center;
  if (std::abs(at.latitude) > 90) {
    return wrong("latitude must be between -90 and 90 degrees", at.latitude, "/near/latitude");
  }
  if (std::abs(at.longitude) > 180) {
    return wrong("longitude must be between -180 and 180 degrees", at.longitude, "/near/longitude");
  }
  if (near.radius < 0 || near.radius > kHalfEarthMetres) {
    return wrong("radius must be between 0 and 20037508 metres", near.radius, "/near/radius");
  }
  return absl::OkStatus();
}

absl::Status ReadNear(ondemand::value value, Query* query) {
  Near near;
  unsigned seen = 0;
  auto status = ForEachMember(
      value, "an object {latitude, longitude, radius}", "/near",
      [&](std::string_view key, ondemand::value inner) {
        const std::string pointer = PointerTo("/near", key);
        const auto [target, bit] = key == "latitude"    ? std::pair(&near.center.latitude, 1U)
                                   : key == "longitude" ? std::pair(&near.center.longitude, 2U)
                                   : key == "radius"    ? std::pair(&near.radius, 4U)
                                                     : std::pair(static_cast<double*>(nullptr), 0U);
        if (target == nullptr) return UnknownField(pointer, kNearFields);
        if (seen & bit) return DuplicateField(pointer);
        seen |= bit;
        return ReadNumber(inner, pointer, target);
      });
  if (!status.ok()) return status;
  if (seen != 7) return WrongField("near needs latitude, longitude and radius", "/near");
  query->near = near;
  return CheckNear(near);
}

// Reads an object of `Value`s, in the order sent; a key that stands twice is refused.
template <typename Value, typename ReadOne>
absl::Status ReadMap(ondemand::value value, const std::string& pointer, std::size_t count_max,
                     const ReadOne& read, std::vector<std::pair<std::string, Value>>* out) {
  return ForEachMember(
      value, "an object with states as keys", pointer,
      [&](std::string_view key, ondemand::value inner) {
        const std::string at = PointerTo(pointer, key);
        const bool twice = std::any_of(out->begin(), out->end(),
                                       [&](const auto& entry) { return entry.first == key; });
        if (twice) return DuplicateField(at);
        if (out->size() >= count_max) {
          return WrongField(base::StrCat("more than ", count_max, " keys"), pointer);
        }
        return read(inner, at, &out->emplace_back(key, Value{}).second);
      });
}

absl::Status ReadPositiveDuration(ondemand::value value, const std::string& pointer,
                                  base::Duration* out) {
  if (auto status = ReadDuration(value, pointer, out); !status.ok()) return status;
  if (*out > base::Duration(0)) return absl::OkStatus();
  return WrongField("the duration must be above 0, got 0s", pointer);
}

absl::Status ReadFieldNames(ondemand::value value, Query* query) {
  ondemand::array names;
  if (auto error = value.get_array().get(names)) {
    return JsonError(error, value, "an array of card fields", "/fields");
  }
  constexpr std::size_t kNamesMax = 64;
  for (auto item : names) {
    if (query->fields.size() >= kNamesMax) {
      return WrongField(base::StrCat("more than ", kNamesMax, " card fields"), "/fields");
    }
    std::string_view name;
    if (auto error = item.get_string().get(name)) {
      return JsonError(error, "a string", base::StrCat("/fields/", query->fields.size()));
    }
    query->fields.emplace_back(name);
  }
  return absl::OkStatus();
}

absl::Status ReadLimit(ondemand::value value, const Limits& limits, Query* query) {
  std::uint64_t limit = 0;
  const std::string expected = base::StrCat("a whole number from 1 to ", limits.query_limit_max,
                                            " (limits.query_limit_max)");
  if (auto error = value.get_uint64().get(limit)) {
    return JsonError(error, value, expected, "/limit");
  }
  if (limit == 0 || limit > limits.query_limit_max) {
    return WrongField(base::StrCat("expected ", expected, ", got ", limit), "/limit");
  }
  query->limit = static_cast<std::uint32_t>(limit);
  return absl::OkStatus();
}

absl::Status ReadFreshness(ondemand::value value, Query* query) {
  std::string_view name;
  if (auto error = value.get_string().get(name)) {
    return JsonError(error, value, "any, prefer or require", "/freshness");
  }
  if (name == "any") {
    query->freshness = Freshness::kAny;
  } else if (name == "prefer") {
    query->freshness = Freshness::kPrefer;
  } else if (name == "require") {
    query->freshness = Freshness::kRequire;
  } else {
    return WrongField(
        base::StrCat("expected any, prefer or require, got \"", Shown(name, 40), "\""),
        "/freshness");
  }
  return absl::OkStatus();
}

absl::Status ReadField(std::string_view key, ondemand::value value, const Limits& limits,
                       Query* query) {
  const std::string pointer = PointerTo("", key);
  if (key == "filter") return ReadText(value, limits.filter_bytes_max, pointer, &query->filter);
  if (key == "text") return ReadText(value, limits.filter_bytes_max, pointer, &query->text);
  if (key == "order_by") return ReadText(value, limits.filter_bytes_max, pointer, &query->order_by);
  if (key == "near") return ReadNear(value, query);
  if (key == "rank") {
    return ReadMap(value, pointer, limits.order_keys_max, ReadNumber, &query->rank);
  }
  if (key == "max_age") {
    return ReadMap(value, pointer, limits.states_max, ReadPositiveDuration, &query->max_age);
  }
  if (key == "fields") return ReadFieldNames(value, query);
  if (key == "limit") return ReadLimit(value, limits, query);
  if (key == "deadline") return ReadPositiveDuration(value, pointer, &query->deadline.emplace());
  if (key == "hard_deadline") return ReadBool(value, pointer, &query->hard_deadline);
  if (key == "critical") return ReadBool(value, pointer, &query->critical);
  if (key == "include_lapsed") return ReadBool(value, pointer, &query->include_lapsed);
  if (key == "count_total") return ReadBool(value, pointer, &query->count_total);
  return ReadFreshness(value, query);
}

std::string AllFields() {
  std::string all;
  for (const std::string_view field : kFields) {
    base::StrAppend(&all, all.empty() ? "" : ", ", field);
  }
  return all;
}

absl::Status ReadQuery(ondemand::value value, const Limits& limits, Query* query) {
  std::uint32_t seen = 0;
  auto status =
      ForEachMember(value, kExpected, "", [&](std::string_view key, ondemand::value inner) {
        const auto* known = std::find(std::begin(kFields), std::end(kFields), key);
        if (known == std::end(kFields)) return UnknownField(PointerTo("", key), AllFields());
        const auto bit = std::uint32_t{1} << (known - std::begin(kFields));
        if (seen & bit) return DuplicateField(PointerTo("", key));
        seen |= bit;
        return ReadField(*known, inner, limits, query);
      });
  if (!status.ok()) return status;
  if (!query->rank.empty() && !query->order_by.empty()) {
    return WrongField("rank and order_by exclude each other", "/rank");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Query> ParseQuery(std::string_view json, const Limits& limits) {
  Query query;
  auto status = ReadDocument(
      json, kExpected, [&](ondemand::value value) { return ReadQuery(value, limits, &query); });
  if (!status.ok()) return status;
  return query;
}

}  // namespace muster::model
