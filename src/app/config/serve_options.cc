#include "app/config/option_sections.h"

namespace muster::app {

std::vector<Option> ServeOptions() {
  return {
      {"listen", "",
       "Address that the HTTP API listens on, `host:port` with a numeric host. Port 0 "
       "lets the system choose one. An address that others can reach needs `token_file` or "
       "`allow_anonymous`.",
       [](Settings* s) -> Slot { return &s->listen; }},
      {"data", "",
       "Directory that holds what the node keeps; created where it is missing. One "
       "process at a time may use it. Needed unless `ephemeral` is set.",
       [](Settings* s) -> Slot { return &s->data; }},
      {"ephemeral", "",
       "Keeps everything in memory alone: whatever was registered is gone when the "
       "process ends.",
       [](Settings* s) -> Slot { return &s->ephemeral; }},
      {"port_file", "",
       "File that `host:port` is written to once the node listens, for scripts that "
       "start it on port 0. Empty: none.",
       [](Settings* s) -> Slot { return &s->port_file; }},
      {"token_file", "",
       "File with one token a line, `name scope[,scope...] token`; scopes are read, "
       "report, register and admin. Read again on SIGHUP. Empty: no tokens, everybody may do "
       "everything.",
       [](Settings* s) -> Slot { return &s->token_file; }},
      {"allow_anonymous", "", "Serves without tokens even on an address that others can reach.",
       [](Settings* s) -> Slot { return &s->allow_anonymous; }},
      {"shutdown_timeout", "",
       "How long a shutdown waits for requests that are under way before it "
       "gives them up. Durable writes are safe either way.",
       [](Settings* s) -> Slot { return &s->shutdown_timeout; }, 0.001, 3600},
      {"workers", "threads",
       "Worker threads, each with connections of its own. 0 means one a "
       "processor.",
       [](Settings* s) -> Slot { return &s->workers; }, 0, 4096},
  };
}

std::vector<Option> LogOptions() {
  return {
      {"log.level",
       "",
       "The least severe messages that are logged.",
       [](Settings* s) -> Slot { return &s->log.level; },
       0,
       kUnbounded,
       {"debug", "info", "warn", "error"}},
      {"log.format",
       "",
       "One line of text or one JSON object a message, on standard error.",
       [](Settings* s) -> Slot { return &s->log.format; },
       0,
       kUnbounded,
       {"text", "json"}},
  };
}

std::vector<Option> NodeOptions() {
  return {
      {"node.query_deadline", "", "How long a query may take where its sender sets no deadline.",
       [](Settings* s) -> Slot { return &s->node.query_deadline; }, 0.001, 3600},
      {"node.stall_min", "",
       "A pause of the process at least this long counts as a stall: the time "
       "lapses no agent's lease.",
       [](Settings* s) -> Slot { return &s->node.stall_min; }, 0.1, 3600},
      {"node.checkpoint_every", "reports",
       "Applied reports between two pieces of the checkpoint. "
       "Fewer makes restarts faster and costs disk writes.",
       [](Settings* s) -> Slot { return &s->node.checkpoint_every; }, 1, 1e9},
  };
}

std::vector<Option> StoreOptions() {
  return {
      {"store.memory_bytes", "bytes",
       "Written data that is kept in memory before it goes to files.",
       [](Settings* s) -> Slot { return &s->store.memory_bytes; }, 1 << 20, 1ll << 40},
      {"store.cache_bytes", "bytes", "Cache of blocks read from files.",
       [](Settings* s) -> Slot { return &s->store.cache_bytes; }, 0, 1ll << 40},
      {"store.log_bytes_max", "bytes",
       "Write-ahead logs on disk at most, which is what a restart "
       "after a crash has to replay.",
       [](Settings* s) -> Slot { return &s->store.log_bytes_max; }, 1 << 20, 1ll << 40},
  };
}

}  // namespace muster::app
