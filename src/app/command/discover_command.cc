#include "app/cli/figures.h"
#include "app/client/agent_table.h"
#include "app/client/assignment.h"
#include "app/client/client_command.h"
#include "app/command/commands.h"
#include "base/json_writer.h"
#include "base/strings.h"

namespace muster::app {

namespace {

class DiscoverCommand final : public ClientCommand {
 public:
  DiscoverCommand() {
    usage_.name = "discover";
    usage_.summary = "Finds the agents that meet a need now, best first";
    usage_.description =
        "FILTER follows AIP-160 over id, name, provider, skill, tag, domain, protocol, labels.KEY "
        "and every state; without it everybody matches. The table shows the states that decided "
        "the "
        "answer with their ages, red where they are past their bound.";
    usage_.parameters = {
        {"filter", "FILTER", "Whom to find.", &filter_},
        {"-o,--order-by", "KEYS", "Best first, as `load, latency desc`.", &order_by_},
        {"--rank", "STATE=WEIGHT", "Orders by a weighted score instead; may be repeated.", &rank_},
        {"-n,--limit", "N", "Agents at most (default 10).", &limit_},
        {"--near", "LAT,LON,METRES", "Only within this distance of a place.", &near_},
        {"--freshness",
         "HOW",
         "Take what is stored, prefer fresh, or wait for fresh values.",
         &freshness_,
         false,
         "",
         {"any", "prefer", "require"}},
        {"--max-age", "STATE=DURATION",
         "A tighter or looser bound for this query; may be repeated.", &max_age_},
        {"--deadline", "DURATION", "How long the answer may take.", &deadline_},
        {"--hard-deadline", "", "A late answer is worth nothing.", &is_hard_},
        {"--critical", "", "Counts as urgent for the scheduler.", &is_critical_},
        {"--field", "NAME", "A member of the card to return, with --json; may be repeated.",
         &fields_},
        {"--include-lapsed", "", "Also agents whose lease has run out.", &includes_lapsed_},
        {"--total", "", "Counts all matches.", &counts_total_},
    };
    AddServerParameters();
    usage_.examples = {
        {"muster discover 'skill = \"translate\" AND load < 0.7' -o load",
         "Translators, least loaded "
         "first"},
        {"muster discover 'availability = \"ready\"' --freshness require --max-age load=1s "
         "--deadline 150ms",
         "Judged on values no older than a second, within 150 ms"},
        {"muster discover --near 52.52,13.40,50000 --rank load=-1 --rank success_rate=2",
         "Within 50 km, by score"},
    };
  }

  int Run(Terminal* terminal) override {
    std::string body;
    if (auto status = WriteBody(&body); !status.ok()) {
      return Complain(terminal, base::Message(status));
    }
    api::ClientResponse response;
    const int code = Ask(terminal, {"POST", "/v1/agents:discover", body}, &response);
    if (code != kDone) return code;
    if (is_json_) {
      *terminal->out << response.body << "\n";
    } else {
      Show(response.body, terminal);
    }
    return kDone;
  }

 private:
  absl::Status WriteBody(std::string* body) const {
    base::JsonWriter json(body);
    json.BeginObject();
    const std::pair<std::string_view, const std::string*> texts[] = {{"filter", &filter_},
                                                                     {"order_by", &order_by_},
                                                                     {"deadline", &deadline_},
                                                                     {"freshness", &freshness_}};
    for (const auto& [key, text] : texts) {
      if (text->empty()) continue;
      json.Key(key);
      json.String(*text);
    }
    const std::pair<std::string_view, bool> switches[] = {{"hard_deadline", is_hard_},
                                                          {"critical", is_critical_},
                                                          {"include_lapsed", includes_lapsed_},
                                                          {"count_total", counts_total_}};
    for (const auto& [key, is_set] : switches) {
      if (!is_set) continue;
      json.Key(key);
      json.Bool(true);
    }
    if (limit_ != kNoLimit) {
      json.Key("limit");
      json.Unsigned(limit_);
    }
    if (!fields_.empty()) {
      json.Key("fields");
      json.BeginArray();
      for (const std::string& field : fields_) json.String(field);
      json.EndArray();
    }
    absl::Status status = WriteNear(&json);
    if (status.ok()) status = WriteMap("rank", rank_, true, &json);
    if (status.ok()) status = WriteMap("max_age", max_age_, false, &json);
    json.EndObject();
    return status;
  }

  absl::Status WriteNear(base::JsonWriter* json) const {
    if (near_.empty()) return absl::OkStatus();
    const std::size_t first = near_.find(','), last = near_.rfind(',');
    const std::string_view text(near_);
    const bool has_three = first != std::string::npos && first != last;
    const std::string_view parts[] = {text.substr(0, first),
                                      has_three ? text.substr(first + 1, last - first - 1) : "",
                                      has_three ? text.substr(last + 1) : ""};
    for (const std::string_view part : parts) {
      if (IsJsonNumber(part)) continue;
      return base::InvalidArgument(base::StrCat(
          "--near takes LATITUDE,LONGITUDE,METRES, as 52.52,13.40,50000, not `", near_, "`"));
    }
    json->Key("near");
    json->Raw(base::StrCat("{\"latitude\":", parts[0], ",\"longitude\":", parts[1],
                           ",\"radius\":", parts[2], "}"));
    return absl::OkStatus();
  }

  static absl::Status WriteMap(std::string_view key, const std::vector<std::string>& pairs,
                               bool is_number, base::JsonWriter* json) {
    if (pairs.empty()) return absl::OkStatus();
    json->Key(key);
    json->BeginObject();
    for (const std::string& text : pairs) {
      const auto pair = ParsePair(text);
      if (!pair.ok()) return pair.status();
      if (is_number && !IsJsonNumber(pair->second)) {
        return base::InvalidArgument(base::StrCat("--rank: `", pair->second, "` is no number"));
      }
      json->Key(pair->first);
      if (is_number) {
        json->Raw(pair->second);
      } else {
        json->String(pair->second);
      }
    }
    json->EndObject();
    return absl::OkStatus();
  }

  static void Show(std::string_view body, Terminal* terminal) {
    JsonDocument document;
    if (!document.Parse(body).ok()) return;
    const JsonView answer = document.root();
    const std::size_t found = answer["agents"].size();
    *terminal->out << AgentTable(answer["agents"], *terminal);
    std::string line = found == 0   ? std::string("nobody matches")
                       : found == 1 ? std::string("1 agent")
                                    : base::StrCat(found, " agents");
    if (answer["total"].exists()) base::StrAppend(&line, " of ", answer["total"].Unsigned());
    char risk[32];
    std::snprintf(risk, sizeof risk, "%.3g", answer["freshness_risk"].Number());
    const bool is_stale = answer["stale"].Bool();
    if (found > 0) {
      base::StrAppend(
          &line, "; freshness risk ", risk, ", ",
          terminal->Paint(is_stale ? Colour::kRed : Colour::kGreen, is_stale ? "stale" : "fresh"));
    }
    base::StrAppend(&line, "; waited ", AgeText(answer["waited"].Text()), ", took ",
                    AgeText(answer["took"].Text()), "; revision ", answer["revision"].Unsigned());
    *terminal->out << line << "\n";
  }

  static constexpr std::uint64_t kNoLimit = ~0ull;

  std::string filter_, order_by_, near_, freshness_, deadline_;
  std::vector<std::string> rank_, max_age_, fields_;
  std::uint64_t limit_ = kNoLimit;
  bool is_hard_ = false, is_critical_ = false, includes_lapsed_ = false, counts_total_ = false;
};

}  // namespace

std::unique_ptr<Command> NewDiscoverCommand() { return std::make_unique<DiscoverCommand>(); }

}  // namespace muster::app
