#include "load/result.h"

#include <algorithm>

namespace muster::load {

void Result::Add(const Result& other) {
  seconds = std::max(seconds, other.seconds);
  for (std::size_t i = 0; i < kKinds; ++i) {
    KindResult& kind = kinds[i];
    kind.requests += other.kinds[i].requests;
    kind.items += other.kinds[i].items;
    kind.latency_nanos.Add(other.kinds[i].latency_nanos);
    for (const auto& [status, count] : other.kinds[i].statuses) kind.statuses[status] += count;
  }
  errors += other.errors;
  broken += other.broken;
  unanswered += other.unanswered;
  sent_bytes += other.sent_bytes;
  received_bytes += other.received_bytes;
  if (first_error.empty()) first_error = other.first_error;
}

std::uint64_t Result::requests() const {
  std::uint64_t sum = 0;
  for (const KindResult& kind : kinds) sum += kind.requests;
  return sum;
}

}  // namespace muster::load
