// What a query is compiled to: names looked up, values typed, nothing resolved that may change.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "directory/facet_index.h"
#include "directory/plan.h"
#include "directory/sphere.h"
#include "directory/text_pattern.h"
#include "model/state.h"

namespace muster::directory {

struct Predicate {
  enum class Kind : std::uint8_t {
    kAnd,
    kOr,
    kNot,
    kFacet,         // some value of `facet` matches `text`
    kFacetPresent,  // there is a value
    kId,
    kName,
    kNumber,  // a state's value compared with `number`
    kBool,    // a state's value compared with `boolean`
    kText,    // a state's value matches `text`
    kStatePresent,
    kLapsed,  // compared with `boolean`
  };
  Kind kind = Kind::kAnd;
  Comparator comparator = Comparator::kEqual;  // of kNumber, kBool and kLapsed
  Facet facet = Facet::kProvider;
  bool boolean = false;
  bool is_set = false;  // made of facets alone: one bitmap answers it
  model::StateIndex state = 0;
  double number = 0;
  std::string label;  // the key, of Facet::kLabel
  TextPattern text;
  std::vector<std::uint32_t> children;  // indices
};

// A key to order by. Agents without it come last, whichever the direction.
struct OrderKey {
  enum class Source : std::uint8_t { kNumber, kBool, kText, kId, kName, kDistance, kScore };
  Source source = Source::kNumber;
  bool is_descending = false;
  model::StateIndex state = 0;

  bool is_text() const { return source == Source::kText || source == Source::kName; }
};

struct RankTerm {
  model::StateIndex state = 0;
  double weight = 0;
};

struct NearDisc {
  model::StateIndex state = 0;
  Disc disc;
};

struct Plan::Body {
  std::vector<Predicate> predicates;
  std::vector<std::uint32_t> conjuncts;  // all must hold; empty: everything matches
  std::optional<NearDisc> near;
  std::vector<OrderKey> order;  // ties, and an empty order, by id
  std::vector<RankTerm> rank;
  std::vector<std::pair<model::StateIndex, base::Duration>> max_age;  // overrides, sorted
  std::vector<model::StateIndex> deciding_states;
  std::uint64_t fingerprint = 0;  // of what gives the rows and their order
  std::uint32_t limit = 0;
  std::uint16_t cost_shape = 0;
  bool include_lapsed = false;
  bool count_total = false;
};

}  // namespace muster::directory
