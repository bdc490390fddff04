#include "app/client/assignment.h"
#include "app/client/client_command.h"
#include "app/client/input_file.h"
#include "app/client/json_view.h"
#include "app/command/commands.h"
#include "base/json_writer.h"
#include "base/strings.h"

namespace muster::app {

namespace {

constexpr std::size_t kUploadBytesMax = 1u << 30;

class ReportCommand final : public ClientCommand {
 public:
  ReportCommand() {
    usage_.name = "report";
    usage_.summary = "Reports an agent's states, or uploads many reports";
    usage_.description =
        "STATE=VALUE: a number, true or false, LATITUDE,LONGITUDE, or a text; STATE:=JSON gives "
        "JSON "
        "as it is. With --file, lines of JSON, each a report with its `id`.";
    usage_.parameters = {
        {"id", "ID", "The agent's id.", &id_},
        {"states", "STATE=VALUE", "States and their values.", &states_},
        {"--counter", "NAME=N", "Adds to a counter; may be repeated.", &counters_},
        {"--event", "NAME=JSON", "A record that is kept; may be repeated.", &events_},
        {"--generated-at", "INSTANT", "When the values were measured, RFC 3339 (default: now).",
         &generated_at_},
        {"--sequence", "N", "Recognises the same report when it comes twice.", &sequence_},
        {"--incarnation", "N", "Only if the agent still lives this life.", &incarnation_},
        {"--ack",
         "WHEN",
         "When to answer (default applied).",
         &ack_,
         false,
         "",
         {"queued", "applied", "durable"}},
        {"-f,--file", "FILE", "Uploads reports, one a line; `-` is standard input.", &file_},
    };
    AddServerParameters();
    usage_.examples = {
        {"muster report translator-1 load=0.4 availability=ready location=52.52,13.40",
         "Three states at once"},
        {"muster report translator-1 load=0.5 --ack durable", "Answered once it is on disk"},
        {"muster report --file reports.ndjson", "Many agents' reports"},
    };
  }

  int Run(Terminal* terminal) override {
    if (!file_.empty()) return Upload(terminal);
    if (id_.empty()) return Complain(terminal, "whose report? `muster report ID STATE=VALUE`");
    std::string body;
    if (auto status = WriteBody(&body); !status.ok()) {
      return Complain(terminal, base::Message(status));
    }
    std::string target = AgentTarget(id_) + "/reports";
    if (!ack_.empty()) AddQuery("ack", ack_, &target);
    api::ClientResponse response;
    const int code = Ask(terminal, {"POST", target, body}, &response);
    if (code != kDone) return code;
    if (is_json_) {
      *terminal->out << response.body << "\n";
    } else {
      ShowOne(response.body, terminal);
    }
    return kDone;
  }

 private:
  static absl::Status WriteAssignments(std::string_view key, const std::vector<std::string>& texts,
                                       base::JsonWriter* json) {
    if (texts.empty()) return absl::OkStatus();
    json->Key(key);
    json->BeginObject();
    for (const std::string& text : texts) {
      const auto assignment = ParseAssignment(text);
      if (!assignment.ok()) return assignment.status();
      json->Key(assignment->first);
      json->Raw(assignment->second);
    }
    json->EndObject();
    return absl::OkStatus();
  }

  absl::Status WriteEvents(base::JsonWriter* json) const {
    if (events_.empty()) return absl::OkStatus();
    json->Key("events");
    json->BeginArray();
    for (const std::string& text : events_) {
      const auto event = ParseAssignment(text);
      if (!event.ok()) return event.status();
      const auto raw = ParsePair(text);
      JsonDocument document;
      const bool is_json = raw.ok() && document.Parse(raw->second).ok();
      json->BeginObject();
      json->Key("name");
      json->String(event->first);
      json->Key("data");
      json->Raw(is_json ? raw->second : event->second);
      json->EndObject();
    }
    json->EndArray();
    return absl::OkStatus();
  }

  absl::Status WriteBody(std::string* body) const {
    base::JsonWriter json(body);
    json.BeginObject();
    for (const auto& [key, text] :
         {std::pair<std::string_view, const std::string&>("incarnation", incarnation_),
          {"sequence", sequence_}}) {
      if (text.empty()) continue;
      if (!IsJsonNumber(text)) {
        return base::InvalidArgument(base::StrCat("--", key, " takes a number, not `", text, "`"));
      }
      json.Key(key);
      json.Raw(text);
    }
    if (!generated_at_.empty()) {
      json.Key("generated_at");
      json.String(generated_at_);
    }
    absl::Status status = WriteAssignments("states", states_, &json);
    if (status.ok()) status = WriteAssignments("counters", counters_, &json);
    if (status.ok()) status = WriteEvents(&json);
    json.EndObject();
    return status;
  }

  void ShowOne(std::string_view body, Terminal* terminal) const {
    JsonDocument document;
    if (!document.Parse(body).ok()) return;
    const JsonView answer = document.root();
    std::string overtaken;
    answer["superseded"].ForEachElement([&](JsonView name) {
      base::StrAppend(&overtaken, overtaken.empty() ? "" : ", ", name.Text());
    });
    *terminal->out << Printable(id_) << ": " << answer["status"].Text() << ", revision "
                   << answer["revision"].Unsigned();
    if (!overtaken.empty()) *terminal->out << "; newer values were there of " << overtaken;
    *terminal->out << "\n";
  }

  int Upload(Terminal* terminal) {
    if (!id_.empty()) return Complain(terminal, "with --file, each line names its agent's `id`");
    auto text = ReadInput(file_, kUploadBytesMax);
    if (!text.ok()) return Complain(terminal, base::Message(text.status()));
    std::string target = "/v1/reports";
    if (!ack_.empty()) AddQuery("ack", ack_, &target);
    api::ClientResponse response;
    const int code =
        Ask(terminal, {"POST", target, std::move(*text), "application/x-ndjson"}, &response);
    if (code != kDone) return code;
    if (is_json_) *terminal->out << response.body << "\n";
    JsonDocument document;
    if (!document.Parse(response.body).ok()) return kDone;
    const JsonView answer = document.root();
    const std::uint64_t rejected = answer["rejected"].Unsigned();
    if (!is_json_) {
      *terminal->out << answer["accepted"].Unsigned() << " accepted, "
                     << answer["superseded"].Unsigned() << " superseded, "
                     << answer["duplicate"].Unsigned() << " duplicate, " << rejected
                     << " rejected\n";
      answer["errors"].ForEachElement([&](JsonView error) {
        *terminal->err << "line " << error["line"].Unsigned() << ": "
                       << Printable(error["detail"].Text()) << "\n";
      });
    }
    return rejected == 0 ? kDone : kRefused;
  }

  std::string id_, generated_at_, sequence_, incarnation_, ack_, file_;
  std::vector<std::string> states_, counters_, events_;
};

}  // namespace

std::unique_ptr<Command> NewReportCommand() { return std::make_unique<ReportCommand>(); }

}  // namespace muster::app
