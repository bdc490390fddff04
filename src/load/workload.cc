#include "load/workload.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "base/check.h"
#include "base/json_writer.h"
#include "base/strings.h"

namespace muster::load {

namespace {

constexpr std::string_view kNames[kKinds] = {"register", "report",   "batch",
                                             "get",      "discover", "list"};
constexpr std::array<std::string_view, 4> kRegions = {"eu", "us", "ap", "sa"};
constexpr std::size_t kIdDigits = 7;
constexpr std::size_t kQueries = 1024, kBatches = 32;
// Both as long as the other, so that one is patched over the other.
constexpr std::string_view kReady = "\"ready\"", kBusy = "\"busy\" ";

void PatchDigits(char* at, std::size_t digits, std::uint32_t value) {
  while (digits-- > 0) {
    at[digits] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
}

// Where the text stands that is patched; each is unique in its request.
std::size_t PlaceOf(const std::string& request, std::string_view mark) {
  const std::size_t at = request.find(mark);
  MUSTER_CHECK(at != std::string::npos, "a request has its places");
  return at + mark.size();
}

}  // namespace

std::string_view Name(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }

absl::StatusOr<Mix> ParseMix(std::string_view text) {
  Mix mix{};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = std::min(part.find('='), part.size());
    const auto found = std::find(std::begin(kNames), std::end(kNames), part.substr(0, equals));
    double weight = 1;
    const bool is_weight =
        equals == part.size() || absl::SimpleAtod(base::ToAbsl(part.substr(equals + 1)), &weight);
    if (found == std::end(kNames) || !is_weight || !(weight > 0 && weight < 1e12)) {
      return base::InvalidArgument(
          base::StrCat("`", part,
                       "` is no part of a mix: use register, report, batch, get, discover or list, "
                       "with a weight, as `report=65,discover=9`"));
    }
    mix[static_cast<std::size_t>(found - std::begin(kNames))] += weight;
  }
  if (std::all_of(mix.begin(), mix.end(), [](double w) { return w == 0; })) {
    return base::InvalidArgument("the mix is empty: name at least one kind, as `report`");
  }
  return mix;
}

std::string AgentId(std::uint32_t number) {
  std::string id = "agent-0000000";
  PatchDigits(id.data() + id.size() - kIdDigits, kIdDigits, number);
  return id;
}

Workload::Workload(const WorkloadOptions& options, std::uint32_t thread, std::uint32_t threads)
    : options_(options),
      threads_(threads),
      next_new_(options.agents + thread),
      random_(options.seed * 0x9e3779b97f4a7c15ull + thread),
      zipf_(static_cast<std::uint32_t>(std::max<std::size_t>(options.skills.size(), 1)),
            options.skill_exponent) {
  MUSTER_CHECK(!options_.skills.empty() && options_.agents > 0, "a workload has agents and skills");
  double sum = 0, before = 0;
  for (const double weight : options_.mix) sum += weight;
  for (std::size_t i = 0; i < kKinds; ++i) {
    before += options_.mix[i];
    cumulative_[i] = sum > 0 ? before / sum : 1;
  }
  MakeReport();
  if (options_.mix[static_cast<std::size_t>(Kind::kReportBatch)] > 0) MakeBatches();
  if (options_.mix[static_cast<std::size_t>(Kind::kDiscover)] > 0) MakeQueries();
  get_ = Head("GET", "/v1/agents/" + AgentId(0), 0, "");
  get_id_at_ = PlaceOf(get_, "/v1/agents/agent-");
  list_ = Head("GET", "/v1/agents?page_size=100", 0, "");
}

std::string Workload::Head(std::string_view method, std::string_view target, std::size_t body_size,
                           std::string_view content_type) const {
  std::string head = base::StrCat(method, " ", target, " HTTP/1.1\r\nHost: muster\r\n");
  if (!options_.token.empty()) {
    base::StrAppend(&head, "Authorization: Bearer ", options_.token, "\r\n");
  }
  if (!content_type.empty()) {
    base::StrAppend(&head, "Content-Type: ", content_type, "\r\nContent-Length: ", body_size,
                    "\r\n");
  }
  return head + "\r\n";
}

void Workload::MakeReport() {
  const std::string body = base::StrCat(
      "{\"states\":{\"load\":0.0000,\"queue_depth\":100,\"availability\":", kReady, "}}");
  report_ = Head("POST", base::StrCat("/v1/agents/", AgentId(0), "/reports"), body.size(),
                 "application/json") +
            body;
  report_id_at_ = PlaceOf(report_, "/v1/agents/agent-");
  report_load_at_ = PlaceOf(report_, "\"load\":0.");
  report_depth_at_ = PlaceOf(report_, "\"queue_depth\":");
  report_ready_at_ = PlaceOf(report_, "\"availability\":");
}

// Batches go round the whole population, in a random order of values.
void Workload::MakeBatches() {
  std::uint32_t agent = random_.Below(options_.agents);
  for (std::size_t i = 0; i < kBatches; ++i) {
    std::string body;
    for (std::uint32_t line = 0; line < options_.batch_lines; ++line) {
      const std::size_t at = body.size();
      base::StrAppend(&body, "{\"id\":\"", AgentId(agent),
                      "\",\"states\":{\"load\":0.0000,\"queue_depth\":");
      PatchDigits(body.data() + body.find("0.0000", at) + 2, 4, random_.Below(10'000));
      base::StrAppend(&body, 100 + random_.Below(900),
                      ",\"availability\":", random_.Below(10) == 0 ? kBusy : kReady, "}}\n");
      agent = (agent + 1) % options_.agents;
    }
    batches_.push_back(Head("POST", "/v1/reports", body.size(), "application/x-ndjson") + body);
  }
}

void Workload::MakeQueries() {
  for (std::size_t i = 0; i < kQueries; ++i) {
    std::string body = options_.discover_body;
    if (body.empty()) {
      const std::string filter =
          base::StrCat("skill = \"", options_.skills[zipf_.Draw(&random_)], "\" AND load < 0.",
                       5 + random_.Below(4), " AND availability = \"ready\" AND labels.region = \"",
                       kRegions[random_.Below(kRegions.size())], "\"");
      base::JsonWriter json(&body);
      json.BeginObject();
      json.Key("filter");
      json.String(filter);
      json.Key("order_by");
      json.String("load");
      json.Key("limit");
      json.Unsigned(10);
      json.EndObject();
    }
    queries_.push_back(Head("POST", "/v1/agents:discover", body.size(), "application/json") + body);
  }
}

Kind Workload::Draw() {
  const double at = random_.Unit();
  for (std::size_t i = 0; i + 1 < kKinds; ++i) {
    if (at < cumulative_[i]) return static_cast<Kind>(i);
  }
  return static_cast<Kind>(kKinds - 1);
}

void Workload::Append(Kind kind, std::string* out) {
  const std::size_t at = out->size();
  switch (kind) {
    case Kind::kRegister:
      AppendRegistration(next_new_, out);
      next_new_ += threads_;
      return;
    case Kind::kReport: {
      const std::uint64_t bits = random_.Next();
      out->append(report_);
      char* request = out->data() + at;
      PatchDigits(request + report_id_at_, kIdDigits, random_.Below(options_.agents));
      PatchDigits(request + report_load_at_, 4, static_cast<std::uint32_t>(bits % 10'000));
      PatchDigits(request + report_depth_at_, 3,
                  100 + static_cast<std::uint32_t>((bits >> 20) % 900));
      if ((bits >> 40) % 10 == 0) kBusy.copy(request + report_ready_at_, kBusy.size());
      return;
    }
    case Kind::kReportBatch:
      out->append(batches_[next_batch_++ % batches_.size()]);
      return;
    case Kind::kGet:
      out->append(get_);
      PatchDigits(out->data() + at + get_id_at_, kIdDigits, random_.Below(options_.agents));
      return;
    case Kind::kDiscover:
      out->append(queries_[random_.Below(kQueries)]);
      return;
    case Kind::kList:
      out->append(list_);
      return;
  }
}

void Workload::AppendRegistration(std::uint32_t number, std::string* out) {
  // What an agent can do depends on its number alone, so that every run registers the same.
  Random chance(options_.seed ^ (std::uint64_t{number} << 20));
  std::string body;
  const std::string id = AgentId(number);
  base::StrAppend(&body, "{\"card\":{\"name\":\"Agent ", number,
                  "\",\"description\":\"One of a benchmark's population\",\"version\":\"1.0.0\","
                  "\"url\":\"https://",
                  id, ".example/a2a\",\"skills\":[");
  for (std::uint32_t i = 0; i < options_.skills_per_agent; ++i) {
    const std::string& skill = options_.skills[zipf_.Draw(&chance)];
    base::StrAppend(&body, i == 0 ? "" : ",", "{\"id\":\"", skill, "\",\"name\":\"", skill,
                    "\",\"tags\":[\"tag-", chance.Below(50), "\"]}");
  }
  base::StrAppend(&body, "]},\"labels\":{\"region\":\"", kRegions[chance.Below(kRegions.size())],
                  "\"},\"lease\":\"1h\"}");
  base::StrAppend(out, Head("PUT", "/v1/agents/" + id, body.size(), "application/json"), body);
}

}  // namespace muster::load
