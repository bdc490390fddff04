#include "api/render.h"

#include <simdjson.h>

#include <charconv>

#include "absl/strings/escaping.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "base/text.h"

namespace muster::api {
namespace {

void AppendUnsigned(std::uint64_t value, std::string* out) {
  char digits[20];
  out->append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void AppendInstant(base::WallTime at, std::string* out) {
  out->push_back('"');
  base::AppendRfc3339(out, at);
  out->push_back('"');
}

void AppendExactDuration(base::Duration d, std::string* out) {
  out->push_back('"');
  base::AppendDuration(out, d);
  out->push_back('"');
}

void AppendValue(const model::ValueView& value, std::string* out) {
  switch (value.type) {
    case model::StateType::kNumber:
      AppendNumber(value.number, out);
      return;
    case model::StateType::kString:
      base::AppendJsonString(out, value.text);
      return;
    case model::StateType::kBool:
      out->append(value.boolean ? "true" : "false");
      return;
    case model::StateType::kLocation:
      out->append("{\"latitude\":");
      AppendNumber(value.location.latitude, out);
      out->append(",\"longitude\":");
      AppendNumber(value.location.longitude, out);
      out->push_back('}');
      return;
  }
}

void AppendLabels(const model::Registration& registration, std::string* out) {
  out->append("\"labels\":{");
  bool first = true;
  for (const auto& [key, value] : registration.labels) {
    if (!first) out->push_back(',');
    first = false;
    base::AppendJsonString(out, key);
    out->push_back(':');
    base::AppendJsonString(out, value);
  }
  out->push_back('}');
}

void AppendMaxAges(const model::Registration& registration, std::string* out) {
  out->append("\"max_age\":{");
  bool first = true;
  for (const auto& [state, bound] : registration.max_age) {
    if (!first) out->push_back(',');
    first = false;
    base::AppendJsonString(out, state);
    out->push_back(':');
    AppendExactDuration(bound, out);
  }
  out->push_back('}');
}

std::string_view ChangeName(node::Registered::Change change) {
  switch (change) {
    case node::Registered::Change::kCreated:
      return "created";
    case node::Registered::Change::kReplaced:
      return "replaced";
    case node::Registered::Change::kUnchanged:
      break;
  }
  return "unchanged";
}

std::string_view StatusName(const node::Reported& reported) {
  if (reported.queued_only) return "queued";
  if (reported.duplicate) return "duplicate";
  return reported.superseded ? "superseded" : "applied";
}

}  // namespace

struct Renderer::CardReader {
  simdjson::ondemand::parser parser;
  std::string padded;
};

Renderer::Renderer() : card_reader_(std::make_unique<CardReader>()) {}
Renderer::~Renderer() = default;

int StatusOf(const node::Reply& reply) {
  if (const auto* refusal = std::get_if<node::Refusal>(&reply.body)) return StatusOf(refusal->kind);
  if (const auto* registered = std::get_if<node::Registered>(&reply.body)) {
    return registered->change == node::Registered::Change::kCreated ? 201 : 200;
  }
  if (const auto* reported = std::get_if<node::Reported>(&reply.body)) {
    return reported->queued_only ? 202 : 200;
  }
  return 200;
}

void Renderer::Render(const node::Reply& reply, ReplyFlags flags, std::string* out) {
  if (const auto* refusal = std::get_if<node::Refusal>(&reply.body)) {
    WriteProblem(FromRefusal(*refusal), flags, reply.revision, reply.now.wall, out);
    return;
  }
  ResponseWriter response(out, StatusOf(reply), ContentType::kJson, flags, reply.revision,
                          reply.now.wall);
  model::Revision tag = 0;
  if (const auto* registered = std::get_if<node::Registered>(&reply.body)) {
    tag = registered->revision;
  } else if (const auto* found = std::get_if<node::AgentFound>(&reply.body)) {
    tag = found->row.agent->revision;
  }
  if (tag != 0) response.Header("ETag", "\"" + std::to_string(tag) + "\"");
  RenderBody(reply, response.BeginBody());
  response.Finish();
}

void Renderer::RenderBody(const node::Reply& reply, std::string* out) {
  std::visit([&](const auto& body) { Body(reply, body, out); }, reply.body);
}

void Renderer::Body(const node::Reply&, const node::Refusal& refusal, std::string* out) {
  AppendProblem(FromRefusal(refusal), out);
}

void Renderer::Body(const node::Reply&, const node::Registered& registered, std::string* out) {
  out->append("{\"incarnation\":");
  AppendUnsigned(registered.incarnation, out);
  out->append(",\"revision\":");
  AppendUnsigned(registered.revision, out);
  out->append(",\"change\":\"").append(ChangeName(registered.change)).append("\"}");
}

void Renderer::Body(const node::Reply&, const node::Deregistered& removed, std::string* out) {
  out->append("{\"revision\":");
  AppendUnsigned(removed.revision, out);
  out->push_back('}');
}

void Renderer::Body(const node::Reply& reply, const node::Reported& reported, std::string* out) {
  out->append("{\"status\":\"").append(StatusName(reported)).append("\",\"superseded\":[");
  if (reported.superseded_states.any()) {
    bool first = true;
    for (std::size_t state = 0; state < reply.catalog->size(); ++state) {
      if (!reported.superseded_states[state]) continue;
      if (!first) out->push_back(',');
      first = false;
      base::AppendJsonString(out, reply.catalog->spec(static_cast<model::StateIndex>(state)).name);
    }
  }
  out->append("],\"revision\":");
  AppendUnsigned(reported.queued_only ? reply.revision : reported.revision, out);
  out->push_back('}');
}

void Renderer::Body(const node::Reply& reply, const node::AgentFound& found, std::string* out) {
  const node::AgentRow& row = found.row;
  const model::Agent& agent = *row.agent;
  out->append("{\"id\":");
  base::AppendJsonString(out, agent.registration.id);
  out->append(",\"incarnation\":");
  AppendUnsigned(agent.incarnation, out);
  out->append(",\"revision\":");
  AppendUnsigned(agent.revision, out);
  out->append(",\"registered_at\":");
  AppendInstant(agent.registered_at, out);
  out->append(",\"heard_at\":");
  AppendInstant(row.heard_at, out);
  out->append(row.lapsed ? ",\"lapsed\":true," : ",\"lapsed\":false,");
  if (agent.registration.lease > base::Duration(0)) {
    out->append("\"lease\":");
    AppendExactDuration(agent.registration.lease, out);
    out->push_back(',');
  }
  AppendMaxAges(agent.registration, out);
  out->push_back(',');
  AppendLabels(agent.registration, out);
  out->append(",\"card\":").append(agent.registration.card.json).push_back(',');
  AppendStates(row, reply, true, out);
  out->push_back('}');
}

void Renderer::Body(const node::Reply& reply, const node::Discovered& discovered,
                    std::string* out) {
  out->append("{\"agents\":[");
  bool first = true;
  for (const node::AgentRow& row : discovered.rows) {
    if (!first) out->push_back(',');
    first = false;
    AppendRow(row, reply, discovered.fields, false, out);
  }
  out->append("],\"freshness_risk\":");
  AppendRatio(discovered.freshness_risk, out);
  out->append(discovered.stale ? ",\"stale\":true" : ",\"stale\":false");
  out->append(",\"revision\":");
  AppendUnsigned(reply.revision, out);
  out->append(",\"waited\":");
  AppendAge(discovered.waited, out);
  out->append(",\"took\":");
  AppendAge(discovered.took, out);
  if (discovered.total) {
    out->append(",\"total\":");
    AppendUnsigned(*discovered.total, out);
  }
  out->push_back('}');
}

void Renderer::Body(const node::Reply& reply, const node::Listed& listed, std::string* out) {
  out->append("{\"agents\":[");
  bool first = true;
  for (const node::AgentRow& row : listed.rows) {
    if (!first) out->push_back(',');
    first = false;
    AppendRow(row, reply, listed.fields, true, out);
  }
  out->append("],\"next_page_token\":\"").append(PageToken(listed.next_cursor)).append("\"}");
}

void Renderer::Body(const node::Reply& reply, const node::EventsFound& found, std::string* out) {
  out->append("{\"events\":[");
  bool first = true;
  for (const journal::EventPage::Event& event : found.page->events) {
    out->append(first ? "{\"name\":" : ",{\"name\":");
    first = false;
    base::AppendJsonString(out, reply.catalog->spec(event.state).name);
    out->append(",\"revision\":");
    AppendUnsigned(event.revision, out);
    out->append(",\"generated_at\":");
    AppendInstant(event.generated_at, out);
    out->append(",\"data\":").append(event.json.empty() ? "null" : event.json).push_back('}');
  }
  out->append("],\"next_page_token\":\"").append(PageToken(found.page->next_cursor)).append("\"}");
}

void Renderer::AppendRow(const node::AgentRow& row, const node::Reply& reply,
                         const std::vector<std::string>* fields, bool listed, std::string* out) {
  const model::Registration& registration = row.agent->registration;
  out->append("{\"id\":");
  base::AppendJsonString(out, registration.id);
  out->append(",\"name\":");
  base::AppendJsonString(out, registration.card.name);
  if (row.score) {
    out->append(",\"score\":");
    AppendNumber(*row.score, out);
  }
  if (row.distance) {
    out->append(",\"distance\":");
    AppendRatio(*row.distance, out);
  }
  if (row.lapsed) out->append(",\"lapsed\":true");
  if (listed) {
    out->append(",\"incarnation\":");
    AppendUnsigned(row.agent->incarnation, out);
    out->append(",\"revision\":");
    AppendUnsigned(row.agent->revision, out);
    out->push_back(',');
    AppendLabels(registration, out);
  }
  if (fields != nullptr && !fields->empty()) AppendCard(registration.card, *fields, out);
  out->push_back(',');
  AppendStates(row, reply, false, out);
  out->push_back('}');
}

void Renderer::AppendCard(const model::AgentCard& card, const std::vector<std::string>& fields,
                          std::string* out) {
  out->append(",\"card\":{");
  std::string& text = card_reader_->padded;
  text.assign(card.json);
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  simdjson::ondemand::document document;
  simdjson::ondemand::object object;
  if (card_reader_->parser.iterate(text.data(), text.size(), text.capacity()).get(document) ==
          simdjson::SUCCESS &&
      document.get_object().get(object) == simdjson::SUCCESS) {
    bool first = true;
    for (const std::string& field : fields) {
      std::string_view raw;
      simdjson::ondemand::value value;
      if (object.find_field_unordered(field).get(value) != simdjson::SUCCESS) continue;
      if (simdjson::to_json_string(value).get(raw) != simdjson::SUCCESS) continue;
      if (!first) out->push_back(',');
      first = false;
      base::AppendJsonString(out, field);
      out->push_back(':');
      out->append(raw);
    }
  }
  out->push_back('}');
}

const std::string& Renderer::StateKey(const model::StateCatalog& catalog, model::StateIndex state) {
  while (state_keys_.size() <= state) {
    std::string& key = state_keys_.emplace_back();
    const auto index = static_cast<model::StateIndex>(state_keys_.size() - 1);
    base::AppendJsonString(&key, catalog.spec(index).name);
    key.append(":{\"value\":");
  }
  return state_keys_[state];
}

void Renderer::AppendStates(const node::AgentRow& row, const node::Reply& reply, bool whole,
                            std::string* out) {
  out->append("\"states\":{");
  bool first = true;
  for (const directory::StateReading& reading : row.states) {
    if (!first) out->push_back(',');
    first = false;
    out->append(StateKey(*reply.catalog, reading.state));
    AppendValue(reading.value, out);
    const base::Duration age = reply.now.wall - reading.generated_at;
    if (whole) {
      out->append(",\"generated_at\":");
      AppendInstant(reading.generated_at, out);
    }
    out->append(",\"age\":");
    AppendAge(age, out);
    if (whole) {
      out->append(",\"max_age\":");
      AppendExactDuration(reading.max_age, out);
    }
    if (reading.max_age > base::Duration(0)) {
      out->append(",\"freshness\":");
      AppendRatio(base::ToSeconds(age) / base::ToSeconds(reading.max_age), out);
    }
    out->push_back('}');
  }
  out->push_back('}');
}

std::string PageToken(std::string_view cursor) {
  return absl::WebSafeBase64Escape(base::ToAbsl(cursor));
}

bool CursorOf(std::string_view page_token, std::string* cursor) {
  // Only what PageToken gives: the decoder alone would take padding and blanks too.
  return absl::WebSafeBase64Unescape(base::ToAbsl(page_token), cursor) &&
         PageToken(*cursor) == page_token;
}

}  // namespace muster::api
