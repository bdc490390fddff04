// Commits a second on RocksDB, each beside RocksDB's own write of the same bytes, and restarts.
//
// Synced writes cost what the disk's fsync costs. MUSTER_BENCH_LARGE=1 adds the restart with
// 100,000 agents, which takes a while to set up.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "journal/journal.h"
#include "journal/keys.h"
#include "journal/registration_codec.h"
#include "journal/report_codec.h"
#include "journal/testing/counting_sink.h"
#include "journal/testing/real_cards.h"
#include "model/card.h"
#include "rocksdb/db.h"
#include "rocksdb/write_batch.h"
#include "runtime/rocksdb_storage.h"
#include "runtime/testing/temporary_directory.h"

namespace muster::runtime {
namespace {

using journal::Durability;
using journal::Journal;
using journal::Key;

constexpr base::WallTime kNow = base::WallFromUnixNanos(1'700'000'000'000'000'000);
constexpr std::size_t kReports = 64;

const std::vector<model::AgentCard>& Cards() {
  static const auto* const cards =
      new std::vector<model::AgentCard>(journal::testing::RealCards(MUSTER_SOURCE_DIR));
  return *cards;
}

model::Agent AgentAt(model::Revision revision) {
  model::Agent agent;
  agent.registration.id = "agent-" + std::to_string(revision);
  agent.registration.card = Cards()[revision % Cards().size()];
  agent.slot = static_cast<model::AgentSlot>(revision);
  agent.incarnation = agent.revision = revision;
  agent.registered_at = kNow;
  return agent;
}

std::vector<model::ReportRecord> Reports() {
  std::vector<model::ReportRecord> reports(kReports);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    reports[i].slot = static_cast<model::AgentSlot>(i * 1571);
    reports[i].incarnation = 100'000 + i;
    reports[i].revision = 50'000'000 + i;
    reports[i].received_at = kNow;
    for (model::StateIndex state = 0; state < 3; ++state) {
      model::StateRecord& record = reports[i].states.emplace_back();
      record.state = state;
      record.generated_at = kNow;
      record.value.number = 0.1 * static_cast<double>(i + state);
    }
  }
  return reports;
}

// A journal on a store of its own.
struct OpenJournal {
  explicit OpenJournal(const std::string& path) {
    auto opened = RocksDbStorage::Open({.directory = path});
    MUSTER_CHECK(opened.ok(), opened.status().ToString().c_str());
    storage = *std::move(opened);
    journal = std::make_unique<Journal>(storage.get(), Journal::Options{});
    const auto recovered = journal->Recover(&sink);
    MUSTER_CHECK(recovered.ok(), recovered.status().ToString().c_str());
    revision = recovered->revision;
  }
  void Register(std::size_t count) {
    std::vector<model::Agent> agents;
    std::vector<journal::RegistrationRecord> records;
    agents.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      records.push_back({&agents.emplace_back(AgentAt(++revision)), nullptr});
    }
    MUSTER_CHECK(journal->CommitRegistrations({}, records, kNow).ok(), "the disk holds it");
  }

  journal::testing::CountingSink sink;
  std::unique_ptr<RocksDbStorage> storage;
  std::unique_ptr<Journal> journal;
  model::Revision revision = 0;
};

struct BareDatabase {
  explicit BareDatabase(const std::string& path) {
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* opened = nullptr;
    MUSTER_CHECK(rocksdb::DB::Open(options, path, &opened).ok(), "a database opens");
    db.reset(opened);
  }
  std::unique_ptr<rocksdb::DB> db;
};

void BM_Registrations(benchmark::State& state) {
  const testing::TemporaryDirectory directory;
  OpenJournal open(directory.path());
  const auto group = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) open.Register(group);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * group));
}
BENCHMARK(BM_Registrations)->Arg(1)->Arg(8)->Arg(64)->UseRealTime();

void BM_RegistrationsCeiling(benchmark::State& state) {
  const testing::TemporaryDirectory directory;
  const BareDatabase bare(directory.path());
  const auto group = static_cast<std::size_t>(state.range(0));
  journal::Encoder record;
  journal::EncodeAgent(AgentAt(1), &record);
  const rocksdb::Slice value(record.bytes().data(), record.bytes().size());
  rocksdb::WriteOptions how;
  how.sync = true;
  std::uint64_t number = 0;
  for (auto _ : state) {
    rocksdb::WriteBatch batch;
    for (std::size_t i = 0; i < group; ++i) {
      const Key key = Key::OfNumber(++number);
      MUSTER_CHECK(batch.Put({key.bytes().data(), key.bytes().size()}, value).ok(), "memory holds");
    }
    MUSTER_CHECK(bare.db->Write(how, &batch).ok(), "the disk holds it");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * group));
}
BENCHMARK(BM_RegistrationsCeiling)->Arg(1)->Arg(8)->Arg(64)->UseRealTime();

void BM_Reports(benchmark::State& state) {
  const testing::TemporaryDirectory directory;
  OpenJournal open(directory.path());
  std::vector<model::ReportRecord> reports = Reports();
  for (auto _ : state) {
    for (model::ReportRecord& report : reports) report.revision += kReports;
    MUSTER_CHECK(open.journal->CommitReports(reports, kNow, Durability::kBuffered).ok(),
                 "the disk holds it");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kReports));
}
BENCHMARK(BM_Reports)->UseRealTime();

// The same bytes, encoded once and put as they are.
void BM_ReportsCeiling(benchmark::State& state) {
  const testing::TemporaryDirectory directory;
  const BareDatabase bare(directory.path());
  journal::Encoder record;
  journal::EncodeReports(Reports(), kNow, &record);
  const rocksdb::Slice value(record.bytes().data(), record.bytes().size());
  std::uint64_t number = 0;
  for (auto _ : state) {
    const Key key = Key::OfNumber(++number);
    MUSTER_CHECK(bare.db->Put({}, {key.bytes().data(), key.bytes().size()}, value).ok(),
                 "the disk holds it");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kReports));
  state.counters["bytes_each"] = static_cast<double>(value.size()) / kReports;
}
BENCHMARK(BM_ReportsCeiling)->UseRealTime();

void BM_Restart(benchmark::State& state) {
  const testing::TemporaryDirectory directory;
  {
    OpenJournal open(directory.path());
    for (std::int64_t left = state.range(0); left > 0; left -= 1000) open.Register(1000);
  }
  for (auto _ : state) {
    const OpenJournal open(directory.path());
    MUSTER_CHECK(open.sink.count() == static_cast<std::uint64_t>(state.range(0)), "all are back");
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_Restart)
    ->Apply([](benchmark::internal::Benchmark* bench) {
      bench->Arg(1000);
      if (std::getenv("MUSTER_BENCH_LARGE") != nullptr) bench->Arg(100'000);
    })
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace muster::runtime
