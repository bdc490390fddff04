// The real agent cards of data/agents/cards.ndjson.
#pragma once

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "model/card.h"

namespace muster::journal::testing {

inline std::vector<model::AgentCard> RealCards(const std::string& source_directory) {
  std::vector<model::AgentCard> cards;
  std::ifstream rows(source_directory + "/data/agents/cards.ndjson");
  for (std::string row; std::getline(rows, row);) {
    // A row ends in its card: {..., "card": {...}}
    const std::size_t begin = row.find("\"card\": ") + 8;
    auto card = model::ParseCard(row.substr(begin, row.size() - 1 - begin), {});
    MUSTER_CHECK(card.ok(), "the cards of the data set are valid");
    cards.push_back(*std::move(card));
  }
  MUSTER_CHECK(!cards.empty(), "the data set has cards");
  return cards;
}

}  // namespace muster::journal::testing
