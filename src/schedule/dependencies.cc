#include "schedule/dependencies.h"

namespace muster::schedule {

void Dependencies::Add(std::uint32_t query, std::uint32_t update, StateKey state) {
  if (free_ == kNoNode) {
    free_ = static_cast<std::uint32_t>(waits_.size());
    waits_.emplace_back();
  }
  const std::uint32_t index = free_;
  Wait& wait = waits_[index];
  free_ = wait.next_of_query;
  std::uint32_t& of_query = tasks_.at(query).waits;
  std::uint32_t& of_update = tasks_.at(update).waits;
  wait = {query, update, state, kNoNode, of_update, kNoNode, of_query};
  if (of_query != kNoNode) waits_[of_query].previous_of_query = index;
  if (of_update != kNoNode) waits_[of_update].previous_of_update = index;
  of_query = index;
  of_update = index;
}

std::uint32_t Dependencies::QueriesOn(std::uint32_t update, StateKey state) const {
  std::uint32_t queries = 0;
  for (std::uint32_t i = tasks_.at(update).waits; i != kNoNode; i = waits_[i].next_of_update) {
    queries += waits_[i].state == state;
  }
  return queries;
}

void Dependencies::Installed(std::uint32_t update, std::vector<std::uint32_t>* released) {
  std::uint32_t& first = tasks_.at(update).waits;
  while (first != kNoNode) {
    const std::uint32_t index = first;
    const std::uint32_t query = waits_[index].query;
    first = waits_[index].next_of_update;
    if (first != kNoNode) waits_[first].previous_of_update = kNoNode;
    UnlinkFromQuery(index);
    Free(index);
    if (tasks_.at(query).waits == kNoNode) released->push_back(query);
  }
}

void Dependencies::Withdraw(std::uint32_t query) {
  std::uint32_t& first = tasks_.at(query).waits;
  while (first != kNoNode) {
    const std::uint32_t index = first;
    first = waits_[index].next_of_query;
    UnlinkFromUpdate(index);
    Free(index);
  }
}

void Dependencies::UnlinkFromQuery(std::uint32_t index) {
  const Wait& wait = waits_[index];
  if (wait.previous_of_query == kNoNode) {
    tasks_.at(wait.query).waits = wait.next_of_query;
  } else {
    waits_[wait.previous_of_query].next_of_query = wait.next_of_query;
  }
  if (wait.next_of_query != kNoNode) {
    waits_[wait.next_of_query].previous_of_query = wait.previous_of_query;
  }
}

void Dependencies::UnlinkFromUpdate(std::uint32_t index) {
  const Wait& wait = waits_[index];
  if (wait.previous_of_update == kNoNode) {
    tasks_.at(wait.update).waits = wait.next_of_update;
  } else {
    waits_[wait.previous_of_update].next_of_update = wait.next_of_update;
  }
  if (wait.next_of_update != kNoNode) {
    waits_[wait.next_of_update].previous_of_update = wait.previous_of_update;
  }
}

void Dependencies::Free(std::uint32_t index) {
  waits_[index].next_of_query = free_;
  free_ = index;
}

}  // namespace muster::schedule
