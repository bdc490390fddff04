// Commands about one agent or all of them: get, list, deregister.
#include "app/cli/figures.h"
#include "app/cli/table.h"
#include "app/client/agent_table.h"
#include "app/client/client_command.h"
#include "app/command/commands.h"
#include "base/strings.h"

namespace muster::app {

namespace {

class GetCommand final : public ClientCommand {
 public:
  GetCommand() {
    usage_.name = "get";
    usage_.summary = "Shows one agent: card, labels, and every state with its age";
    usage_.parameters = {{"id", "ID", "The agent's id.", &id_, true}};
    AddServerParameters();
    usage_.examples = {{"muster get translator-1", "For people"},
                       {"muster get translator-1 --json | jq .card", "Its card, byte for byte"}};
  }

  int Run(Terminal* terminal) override {
    api::ClientResponse response;
    const int code = Ask(terminal, {"GET", AgentTarget(id_)}, &response);
    if (code != kDone) return code;
    JsonDocument document;
    if (is_json_ || !document.Parse(response.body).ok()) {
      *terminal->out << response.body << "\n";
      return kDone;
    }
    Show(document.root(), terminal);
    return kDone;
  }

 private:
  static void Line(std::string_view name, const std::string& text, Terminal* terminal) {
    if (text.empty()) return;
    std::string padded(name);
    padded.resize(14, ' ');
    *terminal->out << terminal->Paint(Colour::kDim, padded) << Printable(text) << "\n";
  }

  static std::string SkillsText(JsonView card) {
    std::string text;
    card["skills"].ForEachElement([&](JsonView skill) {
      const std::string_view name =
          skill["id"].Text().empty() ? skill["name"].Text() : skill["id"].Text();
      base::StrAppend(&text, text.empty() ? "" : ", ", name);
    });
    return text;
  }

  static void Show(JsonView agent, Terminal* terminal) {
    const JsonView card = agent["card"];
    *terminal->out << terminal->Paint(Colour::kBold, Printable(agent["id"].Text())) << "\n";
    Line("name", std::string(card["name"].Text()), terminal);
    Line("description", std::string(card["description"].Text()), terminal);
    Line("provider", std::string(card["provider"]["organization"].Text()), terminal);
    Line("url", std::string(card["url"].Text()), terminal);
    Line("skills", SkillsText(card), terminal);
    std::string labels;
    agent["labels"].ForEachMember([&](std::string_view key, JsonView value) {
      base::StrAppend(&labels, labels.empty() ? "" : " ", key, "=", value.Text());
    });
    Line("labels", labels, terminal);
    Line("lease",
         base::StrCat(agent["lease"].Text(), agent["lapsed"].Bool() ? ", lapsed" : ", held"),
         terminal);
    Line("heard at", std::string(agent["heard_at"].Text()), terminal);
    Line("incarnation",
         base::StrCat(agent["incarnation"].Unsigned(), ", revision ", agent["revision"].Unsigned()),
         terminal);
    Table table({{"STATE"},
                 {"VALUE"},
                 {"AGE", Table::Align::kRight},
                 {"BOUND", Table::Align::kRight},
                 {"FRESHNESS", Table::Align::kRight}});
    agent["states"].ForEachMember([&](std::string_view name, JsonView state) {
      const double freshness = state["freshness"].Number();
      char text[32];
      std::snprintf(text, sizeof text, "%.2f", freshness);
      table.AddRow({{std::string(name)},
                    {StateValueText(state["value"])},
                    {AgeText(state["age"].Text())},
                    {std::string(state["max_age"].Text())},
                    {text, FreshnessColour(freshness)}});
    });
    if (table.rows() > 0) *terminal->out << "\n" << table.Render(*terminal);
  }

  std::string id_;
};

class ListCommand final : public ClientCommand {
 public:
  ListCommand() {
    usage_.name = "list";
    usage_.summary = "Lists agents, page by page";
    usage_.parameters = {
        {"filter", "FILTER", "Whom to list; as for discover.", &filter_},
        {"-o,--order-by", "KEYS", "In which order (default: by id).", &order_by_},
        {"-n,--page-size", "N", "Agents on a page.", &page_size_},
        {"--page-token", "TOKEN", "Goes on where a page ended.", &page_token_},
        {"--all", "", "Every page, one after the other.", &is_all_},
        {"--include-lapsed", "", "Also agents whose lease has run out.", &includes_lapsed_},
    };
    AddServerParameters();
    usage_.examples = {
        {"muster list --all", "Everybody"},
        {"muster list 'labels.region = \"eu\"' -o name", "Those in the EU, by name"}};
  }

  int Run(Terminal* terminal) override {
    std::size_t listed = 0;
    std::string token = page_token_;
    while (true) {
      api::ClientResponse response;
      const int code = Ask(terminal, {"GET", Target(token)}, &response);
      if (code != kDone) return code;
      JsonDocument document;
      if (!document.Parse(response.body).ok()) return kRefused;
      const JsonView page = document.root();
      if (is_json_) {
        *terminal->out << response.body << "\n";
      } else {
        *terminal->out << AgentTable(page["agents"], *terminal);
      }
      listed += page["agents"].size();
      token = page["next_page_token"].Text();
      if (!is_all_ || token.empty()) break;
    }
    if (is_json_) return kDone;
    *terminal->out << listed << (listed == 1 ? " agent" : " agents");
    if (!token.empty()) *terminal->out << "; more with --page-token " << token << " or --all";
    *terminal->out << "\n";
    return kDone;
  }

 private:
  std::string Target(const std::string& token) const {
    std::string target = "/v1/agents";
    if (!filter_.empty()) AddQuery("filter", filter_, &target);
    if (!order_by_.empty()) AddQuery("order_by", order_by_, &target);
    if (!page_size_.empty()) AddQuery("page_size", page_size_, &target);
    if (!token.empty()) AddQuery("page_token", token, &target);
    if (includes_lapsed_) AddQuery("include_lapsed", "true", &target);
    return target;
  }

  std::string filter_, order_by_, page_size_, page_token_;
  bool is_all_ = false, includes_lapsed_ = false;
};

class DeregisterCommand final : public ClientCommand {
 public:
  DeregisterCommand() {
    usage_.name = "deregister";
    usage_.summary = "Removes an agent";
    usage_.description = "Its late reports are then answered with 410, and never revive it.";
    usage_.parameters = {
        {"id", "ID", "The agent's id.", &id_, true},
        {"--if-match", "REVISION", "Only if its registration is of this revision.", &if_match_},
    };
    AddServerParameters();
    usage_.examples = {{"muster deregister translator-1", "It is gone, durably, once this ends"}};
  }

  int Run(Terminal* terminal) override {
    Call call{"DELETE", AgentTarget(id_)};
    if (!if_match_.empty())
      call.headers.emplace_back("If-Match", base::StrCat("\"", if_match_, "\""));
    api::ClientResponse response;
    const int code = Ask(terminal, call, &response);
    if (code != kDone) return code;
    if (is_json_) {
      *terminal->out << response.body << "\n";
    } else {
      *terminal->out << Printable(id_) << ": removed\n";
    }
    return kDone;
  }

 private:
  std::string id_, if_match_;
};

}  // namespace

std::unique_ptr<Command> NewGetCommand() { return std::make_unique<GetCommand>(); }
std::unique_ptr<Command> NewListCommand() { return std::make_unique<ListCommand>(); }
std::unique_ptr<Command> NewDeregisterCommand() { return std::make_unique<DeregisterCommand>(); }

}  // namespace muster::app
