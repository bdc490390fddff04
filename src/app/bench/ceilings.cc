#include "app/bench/ceilings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <filesystem>
#include <vector>

#include "base/strings.h"
#include "load/fixed_answer_server.h"
#include "load/random.h"
#include "runtime/rocksdb_storage.h"

namespace muster::app {

namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

using Bitmap = std::vector<std::uint64_t>;

Bitmap DrawBitmap(std::uint32_t size, double fraction, load::Random* random) {
  Bitmap bitmap((size + 63) / 64);
  for (std::uint32_t i = 0; i < size; ++i) {
    if (random->Unit() < fraction) bitmap[i / 64] |= 1ull << (i % 64);
  }
  return bitmap;
}

// The ten least below 0.7, by insertion.
double ScanOnce(const Bitmap& first, const Bitmap& second, const std::vector<double>& column) {
  std::array<double, 10> least;
  least.fill(0.7);
  for (std::size_t word = 0; word < first.size(); ++word) {
    for (std::uint64_t bits = first[word] & second[word]; bits != 0; bits &= bits - 1) {
      const double value = column[word * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
      if (value >= least.back()) continue;
      std::size_t at = least.size() - 1;
      for (; at > 0 && least[at - 1] > value; --at) least[at] = least[at - 1];
      least[at] = value;
    }
  }
  return least[0];
}

}  // namespace

absl::StatusOr<load::Result> BareLoopCeiling(const load::RunOptions& options,
                                             std::uint32_t server_threads,
                                             const std::string& answer) {
  load::FixedAnswerServer server;
  if (auto status = server.Start(server_threads, answer); !status.ok()) return status;
  load::RunOptions against = options;
  against.host = "127.0.0.1";
  against.port = server.port();
  return load::Run(against);
}

absl::StatusOr<double> StoreWriteCeiling(const std::string& directory, std::size_t keys_per_write,
                                         std::size_t value_bytes, base::Duration duration) {
  runtime::RocksDbStorage::Options options;
  options.directory = directory;
  auto storage = runtime::RocksDbStorage::Open(options);
  if (!storage.ok()) return storage.status();
  const std::string value(value_bytes, 'x');
  journal::WriteBatch batch;
  std::uint64_t keys = 0;
  const Clock::time_point begin = Clock::now();
  while (SecondsSince(begin) < base::ToSeconds(duration)) {
    batch.Clear();
    for (std::size_t i = 0; i < keys_per_write; ++i) {
      batch.Put(journal::Column::kAgents, base::StrCat("key-", 1'000'000'000 + keys++), value);
    }
    if (auto status = (*storage)->Write(batch, journal::Durability::kSync); !status.ok()) {
      return status;
    }
  }
  return static_cast<double>(keys) / SecondsSince(begin);
}

double ScanCeiling(std::uint32_t agents, double in_first, double in_second,
                   base::Duration duration) {
  load::Random random(1);
  const Bitmap first = DrawBitmap(agents, in_first, &random);
  const Bitmap second = DrawBitmap(agents, in_second, &random);
  std::vector<double> column(first.size() * 64);
  for (double& value : column) value = random.Unit();
  std::uint64_t scans = 0;
  double seen = 0;
  const Clock::time_point begin = Clock::now();
  while (SecondsSince(begin) < base::ToSeconds(duration)) {
    for (int i = 0; i < 100; ++i) seen += ScanOnce(first, second, column);
    scans += 100;
  }
  // The sum is used, so that the work can't be left out.
  return seen >= 0 ? static_cast<double>(scans) / SecondsSince(begin) : 0;
}

}  // namespace muster::app
