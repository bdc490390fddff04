// Any bytes as a report, with and without an id in the path: what is taken holds to its
// declarations.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/strings.h"
#include "model/report.h"
#include "simdjson.h"

namespace {

using muster::model::Report;
using muster::model::ReportParser;
using muster::model::StateCatalog;
using muster::model::StateKind;
using muster::model::StateSpec;
using muster::model::StateType;

const StateCatalog& Catalog() {
  static const StateCatalog* const catalog = [] {
    auto* made = new StateCatalog(StateCatalog::BuiltIn());
    const auto declare = [&](const char* name, StateType type, StateKind kind) {
      StateSpec spec;
      spec.name = name;
      spec.type = type;
      spec.kind = kind;
      MUSTER_CHECK(made->Declare(spec, 256).ok(), "the sample's states can be declared");
    };
    declare("requests", StateType::kNumber, StateKind::kCounter);
    declare("incidents", StateType::kString, StateKind::kEvent);
    declare("gpu", StateType::kBool, StateKind::kReplaceable);
    declare("model", StateType::kString, StateKind::kReplaceable);
    return made;
  }();
  return *catalog;
}

void Check(const absl::Status& status, const Report& report) {
  if (!status.ok()) {
    if (!absl::IsInvalidArgument(status)) return;
    const std::string_view message = muster::base::Message(status);
    MUSTER_CHECK(message.ends_with("]"), "a refusal names its field");
    MUSTER_CHECK(simdjson::validate_utf8(message.data(), message.size()), "a message is text");
    return;
  }
  for (const auto& state : report.states) {
    MUSTER_CHECK(muster::model::CheckValue(Catalog().spec(state.state), View(state.value)).ok(),
                 "a value that is taken may be stored");
  }
  for (const auto& counter : report.counters) {
    MUSTER_CHECK(std::isfinite(counter.amount), "increments can be added up");
  }
  for (const auto& event : report.events) {
    simdjson::dom::parser parser;
    const auto error = parser.parse(event.json).error();
    // The other parser knows no integers beyond 64 bits.
    MUSTER_CHECK(error == simdjson::SUCCESS || error == simdjson::NUMBER_ERROR,
                 "an event's data is JSON");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static auto* const parser = new ReportParser(muster::model::Limits());
  static auto* const report = new Report;
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  Check(parser->Parse("a", json, Catalog(), report), *report);
  Check(parser->Parse("", json, Catalog(), report), *report);
  return 0;
}
