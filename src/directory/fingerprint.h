// A 64-bit FNV-1a hash, the same on every machine and in every run.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace muster::directory {

class Fingerprint {
 public:
  void Add(std::uint64_t word) {
    for (unsigned shift = 0; shift < 64; shift += 8) AddByte((word >> shift) & 0xffU);
  }
  void Add(double number) { Add(std::bit_cast<std::uint64_t>(number)); }
  // With its length, so that neighbours can't run into each other.
  void Add(std::string_view text) {
    Add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) AddByte(static_cast<unsigned char>(c));
  }
  std::uint64_t value() const { return value_; }

 private:
  void AddByte(std::uint64_t byte) { value_ = (value_ ^ byte) * 0x100000001b3U; }

  std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace muster::directory
