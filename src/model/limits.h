// The bound on every size and count that a client can influence. Each is an option of the
// configuration (section `limits`), documented there with its unit and range.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/time.h"

namespace muster::model {

struct Limits {
  std::size_t id_bytes_max = 256;
  std::size_t card_bytes_max = 256 * 1024;
  std::size_t card_values_max = 4096;  // skills + tags + domains + protocols of one card
  std::size_t json_depth_max = 64;
  std::size_t labels_max = 64;
  std::size_t label_bytes_max = 256;  // key and value each
  std::size_t states_max = 256;       // declared states on a node
  std::size_t state_name_bytes_max = 64;
  std::size_t state_text_bytes_max = 1024;
  std::size_t state_texts_max = 1'000'000;  // distinct string values of states on a node
  std::size_t report_bytes_max = 64 * 1024;
  std::size_t report_states_max = 64;
  std::size_t report_events_max = 64;
  std::size_t event_bytes_max = 16 * 1024;
  std::size_t filter_bytes_max = 8 * 1024;
  std::size_t filter_terms_max = 256;
  std::size_t order_keys_max = 8;
  std::uint32_t query_limit_max = 1000;
  std::uint32_t query_limit_default = 10;
  std::size_t agents_max = 2'000'000;
  std::size_t tombstones_max = 100'000;
  std::size_t events_per_agent_max = 10'000;
  base::Duration clock_skew_max = std::chrono::seconds(5);
  base::Duration lease_default = std::chrono::seconds(60);
  base::Duration lease_max = std::chrono::hours(24 * 30);
};

}  // namespace muster::model
