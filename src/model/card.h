// An A2A agent card, of protocol 0.3 or 1.0, read leniently and kept verbatim.
//
// Real cards break the published schemas; only an object with a non-empty string `name` is
// required. Whatever else has an unexpected shape is kept in `json` and simply not indexed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "model/limits.h"

namespace muster::model {

struct AgentCard {
  std::string json;  // the card's own bytes
  std::string name;
  std::string description;
  std::string version;
  std::string provider;             // provider.organization
  std::vector<std::string> skills;  // ids and names of skills; sorted, distinct, as are all below
  std::vector<std::string> tags;    // of skills and of the card (tags, registryTags)
  std::vector<std::string> domains;
  std::vector<std::string>
      protocols;  // preferredTransport, supportedInterfaces, additionalInterfaces
};

// `json` is one JSON object. InvalidArgument says what is wrong and where (a JSON pointer in
// brackets); ResourceExhausted says which limit it passes.
absl::StatusOr<AgentCard> ParseCard(std::string_view json, const Limits& limits);

}  // namespace muster::model
