// What a reactor counts. One thread writes, any thread reads.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "api/route.h"

namespace muster::api {

class Count {
 public:
  void Add(std::uint64_t n = 1) { Set(value() + n); }
  void Subtract(std::uint64_t n = 1) { Set(value() - n); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  void Set(std::uint64_t value) { value_.store(value, std::memory_order_relaxed); }
  std::atomic<std::uint64_t> value_{0};
};

struct Counters {
  Count connections_open;
  Count connections_accepted;
  Count connections_refused;  // over connections_max, or no file descriptor left
  Count connections_timed_out;
  Count connections_broken;  // reset, or cut in the middle of a request
  Count received_bytes;
  Count sent_bytes;
  Count upload_lines;
  Count wakes_sent;
  std::array<Count, kRoutes> requests;
  std::array<Count, 600> responses;  // by status
};

}  // namespace muster::api
