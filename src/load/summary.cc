#include "load/summary.h"

#include <cstdio>

#include "base/json_writer.h"
#include "base/strings.h"

namespace muster::load {

namespace {

struct QuantileName {
  const char* name;
  double q;
};
constexpr QuantileName kQuantiles[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}};

double Micros(std::uint64_t nanos) { return static_cast<double>(nanos) / 1000; }

double Rate(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

std::string Milliseconds(std::uint64_t nanos) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", static_cast<double>(nanos) / 1e6);
  return text;
}

void AppendKindJson(const KindResult& kind, double seconds, base::JsonWriter* json) {
  json->BeginObject();
  json->Key("requests");
  json->Unsigned(kind.requests);
  json->Key("items");
  json->Unsigned(kind.items);
  json->Key("rate");
  json->Number(Rate(kind.requests, seconds));
  json->Key("item_rate");
  json->Number(Rate(kind.items, seconds));
  json->Key("latency_us");
  json->BeginObject();
  for (const QuantileName& quantile : kQuantiles) {
    json->Key(quantile.name);
    json->Number(Micros(kind.latency_nanos.Quantile(quantile.q)));
  }
  json->Key("max");
  json->Number(Micros(kind.latency_nanos.max()));
  json->EndObject();
  json->Key("statuses");
  json->BeginObject();
  for (const auto& [status, count] : kind.statuses) {
    json->Key(std::to_string(status));
    json->Unsigned(count);
  }
  json->EndObject();
  json->EndObject();
}

}  // namespace

std::string SummaryText(const Result& result) {
  char line[256];
  std::snprintf(line, sizeof line, "%-10s %12s %12s %9s %9s %9s %9s %9s\n", "KIND", "REQUESTS/S",
                "ITEMS/S", "P50 MS", "P90", "P99", "P99.9", "MAX");
  std::string text = line;
  std::string statuses;
  for (std::size_t i = 0; i < kKinds; ++i) {
    const KindResult& kind = result.kinds[i];
    if (kind.requests == 0) continue;
    const std::string name(Name(static_cast<Kind>(i)));
    std::string quantiles[4];
    for (std::size_t q = 0; q < 4; ++q) {
      quantiles[q] = Milliseconds(kind.latency_nanos.Quantile(kQuantiles[q].q));
    }
    std::snprintf(line, sizeof line, "%-10s %12.0f %12.0f %9s %9s %9s %9s %9s\n", name.c_str(),
                  Rate(kind.requests, result.seconds), Rate(kind.items, result.seconds),
                  quantiles[0].c_str(), quantiles[1].c_str(), quantiles[2].c_str(),
                  quantiles[3].c_str(), Milliseconds(kind.latency_nanos.max()).c_str());
    text += line;
    for (const auto& [status, count] : kind.statuses) {
      if (status < 200 || status >= 300) {
        base::StrAppend(&statuses, "  ", name, " ", status, ": ", count, "\n");
      }
    }
  }
  base::StrAppend(&text, result.requests(), " requests in ",
                  Milliseconds(static_cast<std::uint64_t>(result.seconds * 1e9)), " ms; ",
                  result.errors, " errors, ", result.broken, " connections lost, ",
                  result.unanswered, " unanswered\n", statuses);
  if (!result.first_error.empty()) {
    base::StrAppend(&text, "the first error: ", result.first_error, "\n");
  }
  return text;
}

std::string SummaryJson(const Result& result) {
  std::string text;
  base::JsonWriter json(&text);
  json.BeginObject();
  json.Key("seconds");
  json.Number(result.seconds);
  const std::pair<std::string_view, std::uint64_t> counts[] = {
      {"requests", result.requests()},   {"errors", result.errors},
      {"broken", result.broken},         {"unanswered", result.unanswered},
      {"sent_bytes", result.sent_bytes}, {"received_bytes", result.received_bytes}};
  for (const auto& [key, value] : counts) {
    json.Key(key);
    json.Unsigned(value);
  }
  json.Key("kinds");
  json.BeginObject();
  for (std::size_t i = 0; i < kKinds; ++i) {
    if (result.kinds[i].requests == 0) continue;
    json.Key(Name(static_cast<Kind>(i)));
    AppendKindJson(result.kinds[i], result.seconds, &json);
  }
  json.EndObject();
  json.EndObject();
  return text;
}

}  // namespace muster::load
