// Everything that `muster serve` can be told, with its defaults. The table of options (option.h)
// says what each is called, what it means and what it may be.
#pragma once

#include <cstdint>
#include <string>

#include "api/options.h"
#include "base/time.h"
#include "node/node.h"

namespace muster::app {

struct StoreSettings {
  std::uint64_t memory_bytes = 64ull << 20;
  std::uint64_t cache_bytes = 16ull << 20;
  std::uint64_t log_bytes_max = 128ull << 20;
};

struct LogSettings {
  std::string level = "info";
  std::string format = "text";
};

struct Settings {
  std::string listen = "127.0.0.1:7700";
  std::string data;
  bool ephemeral = false;
  std::string port_file;
  std::string token_file;
  bool allow_anonymous = false;
  base::Duration shutdown_timeout = std::chrono::seconds(10);
  std::uint32_t workers = 0;  // 0: one a processor; overrides node.schedule.workers
  LogSettings log;
  StoreSettings store;
  api::Options http;
  node::Options node;
};

}  // namespace muster::app
