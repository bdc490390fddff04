// What node::ReplyTo::request carries: which request of which connection, and how to answer it.
#pragma once

#include <cstdint>

#include "api/response.h"

namespace muster::api {

struct ReplyKey {
  std::uint32_t sequence = 0;    // of the request in its connection; of the line in its upload
  std::uint32_t generation = 0;  // of the connection's place, 24 bits: late replies are recognised
  ReplyFlags flags;
};
inline constexpr std::uint32_t kGenerationMask = 0xffffff;

constexpr std::uint64_t Pack(const ReplyKey& key) {
  const std::uint64_t flags = (key.flags.head_only ? 1u : 0u) | (key.flags.close ? 2u : 0u) |
                              (key.flags.keep_alive ? 4u : 0u) | (key.flags.upload_line ? 8u : 0u);
  return key.sequence | (std::uint64_t{key.generation & kGenerationMask} << 32) | (flags << 56);
}

constexpr ReplyKey Unpack(std::uint64_t packed) {
  ReplyKey key;
  key.sequence = static_cast<std::uint32_t>(packed);
  key.generation = static_cast<std::uint32_t>(packed >> 32) & kGenerationMask;
  const auto flags = static_cast<unsigned>(packed >> 56);
  key.flags.head_only = (flags & 1u) != 0;
  key.flags.close = (flags & 2u) != 0;
  key.flags.keep_alive = (flags & 4u) != 0;
  key.flags.upload_line = (flags & 8u) != 0;
  return key;
}

}  // namespace muster::api
