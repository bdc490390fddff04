#include "runtime/rocksdb_log.h"

#include <spdlog/spdlog.h>

#include <array>
#include <cstdarg>
#include <cstdio>

namespace muster::runtime {
namespace {

using rocksdb::InfoLogLevel;

class RocksDbLog final : public rocksdb::Logger {
 public:
  RocksDbLog() : rocksdb::Logger(InfoLogLevel::WARN_LEVEL) {}

  using rocksdb::Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    Logv(InfoLogLevel::INFO_LEVEL, format, arguments);
  }
  void Logv(InfoLogLevel level, const char* format, va_list arguments) override {
    if (level < InfoLogLevel::WARN_LEVEL || level >= InfoLogLevel::HEADER_LEVEL) return;
    std::array<char, 1024> line;  // a longer one is cut
    if (std::vsnprintf(line.data(), line.size(), format, arguments) < 0) return;
    if (level == InfoLogLevel::WARN_LEVEL) {
      spdlog::warn("RocksDB: {}", line.data());
    } else {
      spdlog::error("RocksDB: {}", line.data());
    }
  }
  void LogHeader(const char*, va_list) override {}
};

}  // namespace

std::shared_ptr<rocksdb::Logger> NewRocksDbLog() { return std::make_shared<RocksDbLog>(); }

}  // namespace muster::runtime
