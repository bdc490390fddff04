// Replies of the node as JSON bodies. The shapes are those of openapi.json.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/response.h"
#include "directory/directory.h"
#include "node/reply.h"

namespace muster::api {

// Renders for one thread and one node. Keeps the JSON text of state names, so that a state costs
// little more than its digits; a catalog's names never change, it only grows.
class Renderer {
 public:
  Renderer();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  // The whole response.
  void Render(const node::Reply& reply, ReplyFlags flags, std::string* out);
  // The body alone. `reply` is no Refusal.
  void RenderBody(const node::Reply& reply, std::string* out);

 private:
  struct CardReader;

  void Body(const node::Reply& reply, const node::Registered& registered, std::string* out);
  void Body(const node::Reply& reply, const node::Deregistered& removed, std::string* out);
  void Body(const node::Reply& reply, const node::Reported& reported, std::string* out);
  void Body(const node::Reply& reply, const node::AgentFound& found, std::string* out);
  void Body(const node::Reply& reply, const node::Discovered& discovered, std::string* out);
  void Body(const node::Reply& reply, const node::Listed& listed, std::string* out);
  void Body(const node::Reply& reply, const node::EventsFound& found, std::string* out);
  void Body(const node::Reply& reply, const node::Refusal& refusal, std::string* out);

  void AppendRow(const node::AgentRow& row, const node::Reply& reply,
                 const std::vector<std::string>* fields, bool listed, std::string* out);
  void AppendCard(const model::AgentCard& card, const std::vector<std::string>& fields,
                  std::string* out);
  // "states":{...}; `whole`: generated_at and max_age too.
  void AppendStates(const node::AgentRow& row, const node::Reply& reply, bool whole,
                    std::string* out);
  const std::string& StateKey(const model::StateCatalog& catalog, model::StateIndex state);

  std::vector<std::string> state_keys_;  // `"load":{"value":`
  std::unique_ptr<CardReader> card_reader_;
};

// The status code of a reply.
int StatusOf(const node::Reply& reply);

// The shortest decimal that reads back equal; the usual short ones at the cost of an integer.
void AppendNumber(double value, std::string* out);
// An age or wait as a duration string, to the microsecond (to the millisecond from 10 s on);
// negative where the sender's clock runs ahead.
void AppendAge(base::Duration age, std::string* out);
// `ratio` to three decimals.
void AppendRatio(double ratio, std::string* out);

// Page tokens carry the node's cursor, which may be binary.
std::string PageToken(std::string_view cursor);
bool CursorOf(std::string_view page_token, std::string* cursor);

}  // namespace muster::api
