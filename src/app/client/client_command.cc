#include "app/client/client_command.h"

#include <fstream>

#include "api/target.h"
#include "app/client/json_view.h"
#include "base/strings.h"

namespace muster::app {

namespace {

// The token is the last word of the file's first line that is none of comment or blank; so that a
// file with the token alone works as well as one in the server's form.
absl::StatusOr<std::string> TokenIn(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t end = line.find_last_not_of(" \t\r");
    if (end == std::string::npos || line[0] == '#') continue;
    line.resize(end + 1);
    return line.substr(line.find_last_of(" \t") + 1);
  }
  return base::InvalidArgument(
      base::StrCat("no token can be read from `", path, "`: is the path right, and has it one?"));
}

}  // namespace

void ServerAccess::AddTo(std::vector<Parameter>* parameters) {
  parameters->push_back({"-s,--server", "URL", "The server (default http://127.0.0.1:7700).", &url,
                         false, "MUSTER_SERVER"});
  parameters->push_back({"--token", "TOKEN",
                         "The token to show; others on this machine may see it "
                         "in the list of processes, so prefer a file or the variable.",
                         &token, false, "MUSTER_TOKEN"});
  parameters->push_back({"--token-file", "FILE", "A file with the token.", &token_file});
}

absl::StatusOr<std::string> ServerAccess::ReadToken() const {
  if (token_file.empty()) return token;
  return TokenIn(token_file);
}

absl::StatusOr<api::Client> ServerAccess::Connect() const {
  auto read = ReadToken();
  if (!read.ok()) return read.status();
  api::ClientOptions options;
  options.url = url.find("://") == std::string::npos ? "http://" + url : url;
  options.token = *read;
  return api::Client::Make(options);
}

void ClientCommand::AddServerParameters() {
  usage_.parameters.push_back(
      {"--json", "", "Prints the server's answer as it came, for programs.", &is_json_});
  server_.AddTo(&usage_.parameters);
}

int ClientCommand::Complain(Terminal* terminal, std::string_view what) const {
  *terminal->err << "muster " << usage_.name << ": " << what << "\n";
  return kUsage;
}

int ClientCommand::Ask(Terminal* terminal, const Call& call, api::ClientResponse* response) {
  auto client = server_.Connect();
  if (!client.ok()) return Complain(terminal, base::Message(client.status()));
  auto answer = client->Send(call.method, call.target, call.body, call.content_type, call.headers);
  if (!answer.ok()) {
    *terminal->err << "muster " << usage_.name << ": " << base::Message(answer.status())
                   << "\nIs a server running there? Start one with `muster serve`, or name another "
                      "with --server.\n";
    return kUnreachable;
  }
  *response = std::move(*answer);
  if (response->status >= 200 && response->status < 300) return kDone;
  if (is_json_) *terminal->out << response->body << "\n";
  *terminal->err << "muster " << usage_.name << ": " << RefusalText(*response) << "\n";
  return kRefused;
}

std::string AgentTarget(std::string_view id) {
  std::string target = "/v1/agents/";
  api::PercentEncode(id, &target);
  return target;
}

void AddQuery(std::string_view name, std::string_view value, std::string* target) {
  base::StrAppend(target, target->find('?') == std::string::npos ? "?" : "&", name, "=");
  api::PercentEncode(value, target);
}

std::string RefusalText(const api::ClientResponse& response) {
  JsonDocument problem;
  const bool is_problem = problem.Parse(response.body).ok();
  std::string text = is_problem ? std::string(problem.root()["title"].Text()) : "";
  if (text.empty()) text = base::StrCat("the server answered ", response.status);
  if (is_problem) {
    const JsonView root = problem.root();
    if (!root["detail"].Text().empty()) base::StrAppend(&text, ": ", root["detail"].Text());
    if (!root["pointer"].Text().empty()) {
      base::StrAppend(&text, " (at ", root["pointer"].Text(), ")");
    }
    if (!root["retry_after"].Text().empty()) {
      base::StrAppend(&text, " Try again in ", root["retry_after"].Text(), ".");
    }
  }
  if (response.status == 401) {
    text += " Give a token with --token-file FILE or in the variable MUSTER_TOKEN.";
  }
  return Printable(text);
}

}  // namespace muster::app
