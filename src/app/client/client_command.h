// What the commands that ask a server have in common: where it is, who asks, what to say when it
// refuses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "api/client.h"
#include "app/cli/command.h"

namespace muster::app {

// Which server, and with what token.
struct ServerAccess {
  std::string url = "http://127.0.0.1:7700";
  std::string token;
  std::string token_file;

  void AddTo(std::vector<Parameter>* parameters);
  // From the file, if one is named. InvalidArgument: it holds none.
  absl::StatusOr<std::string> ReadToken() const;
  // InvalidArgument: the URL or the token file is wrong.
  absl::StatusOr<api::Client> Connect() const;
};

class ClientCommand : public Command {
 public:
  const Usage& usage() const override { return usage_; }

 protected:
  // Appends --server, --token, --token-file and --json to the usage; call it last.
  void AddServerParameters();

  struct Call {
    std::string_view method;
    std::string target;
    std::string body = {};
    std::string_view content_type = "application/json";
    api::Client::Headers headers = {};
  };
  // kDone if the answer is a success; else what is wrong has been written to `terminal`.
  int Ask(Terminal* terminal, const Call& call, api::ClientResponse* response);
  // A mistake on the command line.
  int Complain(Terminal* terminal, std::string_view what) const;

  Usage usage_;
  ServerAccess server_;
  bool is_json_ = false;
};

// "/v1/agents/" and the encoded id.
std::string AgentTarget(std::string_view id);
// Adds `name=value` to a target, encoded.
void AddQuery(std::string_view name, std::string_view value, std::string* target);

// What a refusal says: title, detail, field and retry time, each where the answer has it.
std::string RefusalText(const api::ClientResponse& response);

}  // namespace muster::app
