#include "app/client/assignment.h"
#include "app/client/client_command.h"
#include "app/client/input_file.h"
#include "app/client/json_view.h"
#include "app/command/commands.h"
#include "base/json_writer.h"
#include "base/strings.h"

namespace muster::app {

namespace {

constexpr std::size_t kCardBytesMax = 64 << 20;

class RegisterCommand final : public ClientCommand {
 public:
  RegisterCommand() {
    usage_.name = "register";
    usage_.summary = "Registers an agent, or replaces its registration";
    usage_.description =
        "Takes the agent's A2A card from a file, or makes a small one of a name, skills and tags. "
        "The "
        "same registration again changes nothing but renews the lease.";
    usage_.parameters = {
        {"id", "ID", "The agent's id.", &id_, true},
        {"--card", "FILE", "Its A2A card, of protocol 0.3 or 1.0; `-` is standard input.", &card_},
        {"--name", "NAME", "Its name, where there is no card (default: the id).", &name_},
        {"--skill", "SKILL", "A skill, where there is no card; may be repeated.", &skills_},
        {"--tag", "TAG", "A tag of all its skills, where there is no card; may be repeated.",
         &tags_},
        {"--url", "URL", "Where it is reached, where there is no card.", &url_},
        {"-l,--label", "KEY=VALUE", "A label; may be repeated.", &labels_},
        {"--lease", "DURATION", "Without a report for this long it counts as lapsed.", &lease_},
        {"--max-age", "STATE=DURATION",
         "How old a state may be and still be fresh; may be repeated.", &max_age_},
        {"--if-match", "REVISION", "Replaces only if its registration is of this revision.",
         &if_match_},
    };
    AddServerParameters();
    usage_.examples = {
        {"muster register translator-1 --skill translate --tag german --label region=eu",
         "The least that is useful"},
        {"muster register translator-1 --card card.json --lease 30s --max-age load=2s",
         "With its card, a lease and a bound on the age of its load"},
    };
  }

  int Run(Terminal* terminal) override {
    std::string body;
    if (auto status = WriteBody(&body); !status.ok()) {
      return Complain(terminal, base::Message(status));
    }
    Call call{"PUT", AgentTarget(id_), std::move(body)};
    if (!if_match_.empty())
      call.headers.emplace_back("If-Match", base::StrCat("\"", if_match_, "\""));
    api::ClientResponse response;
    const int code = Ask(terminal, call, &response);
    if (code != kDone) return code;
    if (is_json_) {
      *terminal->out << response.body << "\n";
      return kDone;
    }
    JsonDocument document;
    if (!document.Parse(response.body).ok()) return kDone;
    *terminal->out << Printable(id_) << ": "
                   << terminal->Paint(Colour::kGreen, document.root()["change"].Text())
                   << ", incarnation " << document.root()["incarnation"].Unsigned() << ", revision "
                   << document.root()["revision"].Unsigned() << "\n";
    return kDone;
  }

 private:
  absl::Status WriteCard(base::JsonWriter* json) const {
    if (!card_.empty()) {
      if (!name_.empty() || !skills_.empty() || !tags_.empty() || !url_.empty()) {
        return base::InvalidArgument(
            "--name, --skill, --tag and --url make a card; with --card they have no place");
      }
      const auto text = ReadInput(card_, kCardBytesMax);
      if (!text.ok()) return text.status();
      JsonDocument document;
      if (auto status = document.Parse(*text); !status.ok()) {
        return base::InvalidArgument(base::StrCat("`", card_, "` is ", base::Message(status)));
      }
      json->Raw(*text);
      return absl::OkStatus();
    }
    json->BeginObject();
    json->Key("name");
    json->String(name_.empty() ? id_ : name_);
    if (!url_.empty()) {
      json->Key("url");
      json->String(url_);
    }
    json->Key("skills");
    json->BeginArray();
    for (const std::string& skill : skills_) WriteSkill(skill, json);
    json->EndArray();
    json->EndObject();
    return absl::OkStatus();
  }

  void WriteSkill(const std::string& skill, base::JsonWriter* json) const {
    json->BeginObject();
    json->Key("id");
    json->String(skill);
    json->Key("name");
    json->String(skill);
    json->Key("tags");
    json->BeginArray();
    for (const std::string& tag : tags_) json->String(tag);
    json->EndArray();
    json->EndObject();
  }

  static absl::Status WritePairs(std::string_view key, const std::vector<std::string>& pairs,
                                 base::JsonWriter* json) {
    if (pairs.empty()) return absl::OkStatus();
    json->Key(key);
    json->BeginObject();
    for (const std::string& text : pairs) {
      const auto pair = ParsePair(text);
      if (!pair.ok()) return pair.status();
      json->Key(pair->first);
      json->String(pair->second);
    }
    json->EndObject();
    return absl::OkStatus();
  }

  absl::Status WriteBody(std::string* body) const {
    if (skills_.empty() && !tags_.empty()) {
      return base::InvalidArgument("tags belong to a skill: give one with --skill");
    }
    base::JsonWriter json(body);
    json.BeginObject();
    json.Key("card");
    absl::Status status = WriteCard(&json);
    if (!status.ok()) return status;
    if (!lease_.empty()) {
      json.Key("lease");
      json.String(lease_);
    }
    status = WritePairs("labels", labels_, &json);
    if (status.ok()) status = WritePairs("max_age", max_age_, &json);
    json.EndObject();
    return status;
  }

  std::string id_, card_, name_, url_, lease_, if_match_;
  std::vector<std::string> skills_, tags_, labels_, max_age_;
};

}  // namespace

std::unique_ptr<Command> NewRegisterCommand() { return std::make_unique<RegisterCommand>(); }

}  // namespace muster::app
