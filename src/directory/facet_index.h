// Which agents have which provider, skill, tag, domain, protocol and label: an inverted index.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "base/strings.h"
#include "directory/posting.h"
#include "model/agent.h"

namespace muster::directory {

enum class Facet : std::uint8_t { kProvider, kSkill, kTag, kDomain, kProtocol, kLabel };
inline constexpr std::size_t kCardFacets = 5;  // all but kLabel

// The values of one field: of a facet of the card, or of one label key.
struct FacetField {
  base::StringMap<Posting> values;
  Posting present;  // any value
};

class FacetIndex {
 public:
  void Add(model::AgentSlot slot, const model::Registration& registration);
  void Remove(model::AgentSlot slot, const model::Registration& registration);

  // Null: no agent has one. `label` is the key, for kLabel only.
  const FacetField* Field(Facet facet, std::string_view label) const;
  std::size_t MemoryUsed() const;

 private:
  void AddValue(FacetField* field, std::string_view value, model::AgentSlot slot);
  void RemoveValue(FacetField* field, std::string_view value, model::AgentSlot slot);

  std::array<FacetField, kCardFacets> card_fields_;
  base::StringMap<FacetField> labels_;
};

}  // namespace muster::directory
