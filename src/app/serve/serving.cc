#include "app/serve/serving.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "api/access.h"
#include "api/server.h"
#include "app/version.h"
#include "base/strings.h"
#include "base/text.h"
#include "journal/memory_storage.h"
#include "node/node.h"
#include "runtime/rocksdb_storage.h"
#include "runtime/signals.h"
#include "runtime/system_clock.h"
#include "runtime/workers.h"

namespace muster::app {

namespace {

absl::StatusOr<std::unique_ptr<journal::Storage>> OpenStorage(const Settings& settings) {
  if (settings.ephemeral) return std::make_unique<journal::MemoryStorage>();
  runtime::RocksDbStorage::Options options;
  options.directory = settings.data;
  options.memory_bytes = settings.store.memory_bytes;
  options.cache_bytes = settings.store.cache_bytes;
  options.log_bytes_max = settings.store.log_bytes_max;
  auto storage = runtime::RocksDbStorage::Open(options);
  if (!storage.ok()) return storage.status();
  return std::unique_ptr<journal::Storage>(std::move(*storage));
}

std::uint32_t WorkersOf(const Settings& settings) {
  if (settings.workers > 0) return settings.workers;
  return std::max(1u, std::thread::hardware_concurrency());
}

// Written beside and renamed, so that a reader sees all of it or nothing.
absl::Status WritePortFile(const std::string& path, const std::string& address) {
  if (path.empty()) return absl::OkStatus();
  const std::string beside = base::StrCat(path, ".new.", getpid());
  std::FILE* file = std::fopen(beside.c_str(), "we");
  const bool is_written = file != nullptr && std::fprintf(file, "%s\n", address.c_str()) > 0;
  const bool is_closed = file != nullptr && std::fclose(file) == 0;
  if (is_written && is_closed && std::rename(beside.c_str(), path.c_str()) == 0) {
    return absl::OkStatus();
  }
  return absl::PermissionDeniedError(
      base::StrCat("the port file `", path, "` can't be written: is its directory there?"));
}

void LogRecovery(const Settings& settings, const journal::RecoverySummary& summary) {
  if (settings.ephemeral) {
    spdlog::warn("everything is kept in memory alone: it is gone when this process ends");
  } else if (summary.was_empty) {
    spdlog::info("the data directory {} is new", settings.data);
  } else {
    spdlog::info("recovered {} agents, {} tombstones and {} report records from {}, revision {}",
                 summary.agents, summary.tombstones, summary.reports, settings.data,
                 summary.revision);
  }
}

void ReloadTokens(api::Access* access) {
  const absl::Status status = access->Reload();
  if (status.ok()) {
    spdlog::info("the tokens have been read again");
  } else {
    spdlog::error("the tokens stay as they are: {}", base::Message(status));
  }
}

std::string Shown(base::Duration duration) {
  std::string text;
  base::AppendDuration(&text, duration);
  return text;
}

absl::Status ShutDown(const Settings& settings, runtime::Workers* workers, node::Node* node) {
  const bool is_drained = workers->Stop(settings.shutdown_timeout);
  if (!is_drained) {
    spdlog::warn("not everything was answered within {}: what still waited has been given up",
                 Shown(settings.shutdown_timeout));
  }
  const absl::Status stopped = node->Stop();
  if (!stopped.ok()) return stopped;
  spdlog::info("stopped at revision {}", node->revision());
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckServeSettings(const Settings& settings) {
  if (settings.data.empty() && !settings.ephemeral) {
    return base::InvalidArgument(
        "no place for the data: name a directory with --data DIR, or keep everything in memory "
        "with --ephemeral");
  }
  const absl::StatusOr<bool> is_loopback = api::IsLoopback(settings.listen);
  if (!is_loopback.ok()) return is_loopback.status();
  if (!*is_loopback && settings.token_file.empty() && !settings.allow_anonymous) {
    return base::InvalidArgument(base::StrCat(
        settings.listen,
        " can be reached from other machines, and nobody would be asked for a "
        "token. Name a token file with --token-file FILE, or say that everybody may do everything "
        "with --allow-anonymous"));
  }
  return absl::OkStatus();
}

absl::Status Serve(const Settings& settings) {
  if (auto status = CheckServeSettings(settings); !status.ok()) return status;
  runtime::BlockSignals();
  api::Access access;
  if (!settings.token_file.empty()) {
    if (auto status = access.Load(settings.token_file); !status.ok()) return status;
  }
  node::Options options = settings.node;
  options.schedule.workers = WorkersOf(settings);
  auto storage = OpenStorage(settings);
  if (!storage.ok()) return storage.status();

  runtime::SystemClock clock;
  api::Server server(settings.http, options.schedule.workers, &clock, &access);
  node::Node node(options, storage->get(), &clock, &server, &server);
  server.Attach(&node);
  if (auto status = server.Listen(settings.listen); !status.ok()) return status;
  std::vector<node::EventSource*> sources;
  for (std::uint32_t i = 0; i < options.schedule.workers; ++i) sources.push_back(server.source(i));
  runtime::Workers workers(&node, &clock, sources);
  // Probes are answered while the store is loaded: alive, not ready yet.
  workers.Start();
  spdlog::info("muster {} listens on http://{} with {} Workers", kVersion, server.listening_on(),
               options.schedule.workers);
  const auto recovered = node.Recover();
  if (!recovered.ok()) {
    workers.Stop(base::Duration(0));
    return recovered.status();
  }
  LogRecovery(settings, *recovered);
  if (auto status = WritePortFile(settings.port_file, server.listening_on()); !status.ok()) {
    workers.Stop(base::Duration(0));
    return status;
  }
  const int signal = runtime::WaitForEnd([&] { ReloadTokens(&access); });
  spdlog::info("signal {}: no new requests; what waits is finished", signal);
  return ShutDown(settings, &workers, &node);
}

}  // namespace muster::app
