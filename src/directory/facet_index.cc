#include "directory/facet_index.h"

#include "base/check.h"
#include "directory/memory.h"

namespace muster::directory {
namespace {

// Every facet value of a card. A provider that is not given is no value.
void ForEachCardValue(const model::AgentCard& card,
                      absl::FunctionRef<void(Facet, const std::string&)> visit) {
  if (!card.provider.empty()) visit(Facet::kProvider, card.provider);
  for (const std::string& skill : card.skills) visit(Facet::kSkill, skill);
  for (const std::string& tag : card.tags) visit(Facet::kTag, tag);
  for (const std::string& domain : card.domains) visit(Facet::kDomain, domain);
  for (const std::string& protocol : card.protocols) visit(Facet::kProtocol, protocol);
}

std::size_t FieldBytes(const FacetField& field) {
  std::size_t bytes = HashTableBytes(field.values) + field.present.MemoryUsed();
  for (const auto& [value, posting] : field.values)
    bytes += HeapBytes(value) + posting.MemoryUsed();
  return bytes;
}

}  // namespace

void FacetIndex::AddValue(FacetField* field, std::string_view value, model::AgentSlot slot) {
  field->values.try_emplace(value).first->second.Add(slot);
  field->present.Add(slot);
}

void FacetIndex::RemoveValue(FacetField* field, std::string_view value, model::AgentSlot slot) {
  const auto found = field->values.find(value);
  MUSTER_CHECK(found != field->values.end(), "a registered value is indexed");
  found->second.Remove(slot);
  if (found->second.empty()) field->values.erase(found);
  field->present.Remove(slot);
}

void FacetIndex::Add(model::AgentSlot slot, const model::Registration& registration) {
  ForEachCardValue(registration.card, [&](Facet facet, const std::string& value) {
    AddValue(&card_fields_[static_cast<std::size_t>(facet)], value, slot);
  });
  for (const auto& [key, value] : registration.labels) AddValue(&labels_[key], value, slot);
}

void FacetIndex::Remove(model::AgentSlot slot, const model::Registration& registration) {
  ForEachCardValue(registration.card, [&](Facet facet, const std::string& value) {
    RemoveValue(&card_fields_[static_cast<std::size_t>(facet)], value, slot);
  });
  for (const auto& [key, value] : registration.labels) {
    const auto found = labels_.find(key);
    MUSTER_CHECK(found != labels_.end(), "a registered label is indexed");
    RemoveValue(&found->second, value, slot);
    if (found->second.values.empty()) labels_.erase(found);
  }
}

const FacetField* FacetIndex::Field(Facet facet, std::string_view label) const {
  if (facet != Facet::kLabel) return &card_fields_[static_cast<std::size_t>(facet)];
  const auto found = labels_.find(label);
  return found == labels_.end() ? nullptr : &found->second;
}

std::size_t FacetIndex::MemoryUsed() const {
  std::size_t bytes = HashTableBytes(labels_);
  for (const FacetField& field : card_fields_) bytes += FieldBytes(field);
  for (const auto& [key, field] : labels_) bytes += HeapBytes(key) + FieldBytes(field);
  return bytes;
}

}  // namespace muster::directory
