#include "directory/plan_compiler.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "directory/excerpt.h"
#include "directory/filter_compiler.h"
#include "directory/fingerprint.h"
#include "directory/order_parser.h"
#include "directory/plan_body.h"

namespace muster::directory {
namespace {

using Kind = Predicate::Kind;

absl::StatusOr<model::StateIndex> FindState(const model::StateCatalog& catalog,
                                            std::string_view name, std::string_view field) {
  const std::optional<model::StateIndex> state = catalog.Find(name);
  if (state) return *state;
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < catalog.size(); ++i) {
    names.push_back(catalog.spec(static_cast<model::StateIndex>(i)).name);
  }
  return base::InvalidArgument(
      base::StrCat("unknown state \"", Excerpt(name), "\"; ",
                   DidYouMean(name, names, "no agent and no configuration declares it"), " [/",
                   field, "/", PointerToken(name), "]"));
}

absl::Status CompileNear(const model::Near& near, const model::StateCatalog& catalog,
                         Plan::Body* body) {
  const std::optional<model::StateIndex> state = catalog.Find("location");
  if (!state || catalog.spec(*state).type != model::StateType::kLocation) {
    return base::InvalidArgument(
        "near needs the state \"location\", which is not declared [/near]");
  }
  const bool is_place =
      std::abs(near.center.latitude) <= 90 && std::abs(near.center.longitude) <= 180;
  if (!is_place) {
    return base::InvalidArgument(
        "latitude lies within -90 and 90, longitude within -180 and 180 [/near]");
  }
  if (!(near.radius >= 0)) {
    return base::InvalidArgument("a radius is 0 metres or more [/near/radius]");
  }
  body->near = {*state, Disc(ToPoint(near.center), near.radius)};
  return absl::OkStatus();
}

absl::Status CompileRank(const model::Query& query, const model::StateCatalog& catalog,
                         Plan::Body* body) {
  for (const auto& [name, weight] : query.rank) {
    const absl::StatusOr<model::StateIndex> state = FindState(catalog, name, "rank");
    if (!state.ok()) return state.status();
    const model::StateSpec& spec = catalog.spec(*state);
    const bool is_number =
        spec.type == model::StateType::kNumber && spec.kind != model::StateKind::kEvent;
    if (!is_number || !std::isfinite(weight)) {
      return base::InvalidArgument(
          base::StrCat(is_number ? "a weight is a finite number" : "only numbers can be ranked by",
                       " [/rank/", PointerToken(name), "]"));
    }
    body->rank.push_back({*state, weight});
  }
  return absl::OkStatus();
}

absl::Status CompileOrder(const model::Query& query, const model::StateCatalog& catalog,
                          const model::Limits& limits, Plan::Body* body) {
  if (!query.rank.empty()) {
    if (!query.order_by.empty()) {
      return base::InvalidArgument("rank and order_by exclude each other [/rank]");
    }
    body->order.push_back({.source = OrderKey::Source::kScore, .is_descending = true});
    return absl::OkStatus();
  }
  const bool has_near = query.near.has_value();
  auto order = ParseOrder(query.order_by, limits.order_keys_max, has_near, catalog);
  if (!order.ok()) return order.status();
  body->order = *std::move(order);
  if (body->order.empty() && has_near) {
    body->order.push_back({.source = OrderKey::Source::kDistance});
  }
  return absl::OkStatus();
}

absl::Status CompileMaxAge(const model::Query& query, const model::StateCatalog& catalog,
                           Plan::Body* body) {
  for (const auto& [name, max_age] : query.max_age) {
    const absl::StatusOr<model::StateIndex> state = FindState(catalog, name, "max_age");
    if (!state.ok()) return state.status();
    body->max_age.emplace_back(*state, max_age);
  }
  std::sort(body->max_age.begin(), body->max_age.end());
  return absl::OkStatus();
}

bool IsState(Kind kind) {
  return kind == Kind::kNumber || kind == Kind::kBool || kind == Kind::kText ||
         kind == Kind::kStatePresent;
}

void CollectDecidingStates(Plan::Body* body) {
  std::vector<model::StateIndex>& states = body->deciding_states;
  for (const Predicate& predicate : body->predicates) {
    if (IsState(predicate.kind)) states.push_back(predicate.state);
  }
  for (const OrderKey& key : body->order) {
    const bool is_state = key.source == OrderKey::Source::kNumber ||
                          key.source == OrderKey::Source::kBool ||
                          key.source == OrderKey::Source::kText;
    if (is_state) states.push_back(key.state);
  }
  for (const RankTerm& term : body->rank) states.push_back(term.state);
  if (body->near) states.push_back(body->near->state);
  std::sort(states.begin(), states.end());
  states.erase(std::unique(states.begin(), states.end()), states.end());
}

std::uint64_t FingerprintOf(const model::Query& query, bool include_lapsed) {
  Fingerprint print;
  print.Add(query.filter);
  print.Add(query.order_by);
  for (const auto& [name, weight] : query.rank) {
    print.Add(name);
    print.Add(weight);
  }
  if (query.near) {
    print.Add(query.near->center.latitude);
    print.Add(query.near->center.longitude);
    print.Add(query.near->radius);
  }
  print.Add(std::uint64_t{include_lapsed});
  return print.value();
}

// Six bits: is a bitmap used (1), how many other conjuncts (2), is it near (1), how it is ordered
// (2).
std::uint16_t CostShape(const Plan::Body& body) {
  unsigned sets = 0;
  unsigned others = 0;
  for (const std::uint32_t conjunct : body.conjuncts) {
    body.predicates[conjunct].is_set ? ++sets : ++others;
  }
  unsigned order = 0;  // by id
  if (!body.order.empty()) order = 1;
  if (body.order.size() > 1 || (order == 1 && body.order[0].is_text())) order = 2;
  if (!body.rank.empty()) order = 3;
  return static_cast<std::uint16_t>((sets > 0 ? 1U : 0U) | std::min(others, 3U) << 1U |
                                    (body.near ? 8U : 0U) | order << 4U);
}
static_assert(kCostShapesMax == 64);

}  // namespace

absl::StatusOr<Plan> CompilePlan(const model::Query& query, const model::StateCatalog& catalog,
                                 const model::Limits& limits) {
  if (!query.text.empty()) {
    return absl::UnimplementedError(
        "searching in texts is not built yet; select by filter (skill, tag, name:word) [/text]");
  }
  if (query.filter.size() > limits.filter_bytes_max) {
    return base::InvalidArgument(base::StrCat("longer than ", limits.filter_bytes_max,
                                              " bytes, limits.filter_bytes_max [/filter]"));
  }
  auto body = std::make_shared<Plan::Body>();
  CompiledFilter filter;
  absl::Status status = CompileFilter(query.filter, limits.filter_terms_max, catalog, &filter);
  if (!status.ok()) return status;
  body->predicates = std::move(filter.predicates);
  body->conjuncts = std::move(filter.conjuncts);
  if (query.near) status = CompileNear(*query.near, catalog, body.get());
  if (status.ok()) status = CompileRank(query, catalog, body.get());
  if (status.ok()) status = CompileOrder(query, catalog, limits, body.get());
  if (status.ok()) status = CompileMaxAge(query, catalog, body.get());
  if (!status.ok()) return status;
  CollectDecidingStates(body.get());
  body->include_lapsed = query.include_lapsed || filter.mentions_lapsed;
  body->count_total = query.count_total;
  const std::uint32_t limit = query.limit == 0 ? limits.query_limit_default : query.limit;
  body->limit = std::min(limit, limits.query_limit_max);
  body->fingerprint = FingerprintOf(query, body->include_lapsed);
  body->cost_shape = CostShape(*body);
  return Plan(std::move(body));
}

}  // namespace muster::directory
