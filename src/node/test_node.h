// A node in a test: virtual clocks, a storage in memory, and replies kept as values.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "gtest/gtest.h"
#include "journal/faulty_storage.h"
#include "node/node.h"

namespace muster::node {

class VirtualClock : public Clock {
 public:
  base::Now Read() const override { return now_; }
  void Advance(base::Duration d) {
    now_.mono += d;
    now_.wall += d;
  }
  void StepWall(base::Duration d) { now_.wall += d; }

 private:
  base::Now now_{base::MonoFromNanos(1'000'000'000'000),
                 base::WallFromUnixNanos(1'800'000'000'000'000'000)};
};

// A reply with what it borrowed copied.
struct KeptRow {
  std::string id;
  model::Incarnation incarnation = 0;
  std::map<std::string, std::string> states;  // name -> value as text
  std::map<std::string, base::Duration> ages;
  std::map<std::string, base::WallTime> generated_at;
  bool lapsed = false;
};
struct KeptReply {
  std::optional<Refusal> refusal;
  std::optional<Registered> registered;
  std::optional<Deregistered> deregistered;
  std::optional<Reported> reported;
  std::vector<KeptRow> rows;
  bool found = false;
  bool stale = false;
  double freshness_risk = 0;
  base::Duration waited{0};
  std::vector<std::string> events;
  std::string next_cursor;
  model::Revision revision = 0;
};

inline std::string ValueText(const model::ValueView& value) {
  switch (value.type) {
    case model::StateType::kNumber:
      return base::StrCat(value.number);
    case model::StateType::kBool:
      return value.boolean ? "true" : "false";
    case model::StateType::kString:
      return std::string(value.text);
    case model::StateType::kLocation:
      return base::StrCat(value.location.latitude, ",", value.location.longitude);
  }
  return "";
}

inline KeptRow Keep(const AgentRow& row, const Reply& reply) {
  KeptRow kept;
  kept.id = row.agent->registration.id;
  kept.incarnation = row.agent->incarnation;
  kept.lapsed = row.lapsed;
  for (const directory::StateReading& reading : row.states) {
    const std::string& name = reply.catalog->spec(reading.state).name;
    kept.states[name] = ValueText(reading.value);
    kept.ages[name] = reply.now.wall - reading.generated_at;
    kept.generated_at[name] = reading.generated_at;
  }
  return kept;
}

// Keeps every reply by its request number; a second reply to one request is a failure.
class KeepingSink : public ReplySink {
 public:
  void Deliver(const ReplyTo& to, const Reply& reply) override {
    KeptReply kept;
    kept.revision = reply.revision;
    if (const auto* r = std::get_if<Refusal>(&reply.body)) kept.refusal = *r;
    if (const auto* r = std::get_if<Registered>(&reply.body)) kept.registered = *r;
    if (const auto* r = std::get_if<Deregistered>(&reply.body)) kept.deregistered = *r;
    if (const auto* r = std::get_if<Reported>(&reply.body)) kept.reported = *r;
    if (const auto* r = std::get_if<AgentFound>(&reply.body)) {
      kept.found = true;
      kept.rows.push_back(Keep(r->row, reply));
    }
    if (const auto* r = std::get_if<Discovered>(&reply.body)) {
      for (const AgentRow& row : r->rows) kept.rows.push_back(Keep(row, reply));
      kept.stale = r->stale;
      kept.freshness_risk = r->freshness_risk;
      kept.waited = r->waited;
    }
    if (const auto* r = std::get_if<Listed>(&reply.body)) {
      for (const AgentRow& row : r->rows) kept.rows.push_back(Keep(row, reply));
      kept.next_cursor = std::string(r->next_cursor);
    }
    if (const auto* r = std::get_if<EventsFound>(&reply.body)) {
      for (const auto& event : r->page->events) kept.events.push_back(event.json);
    }
    EXPECT_TRUE(replies.emplace(to.request, std::move(kept)).second)
        << "request " << to.request << " was answered twice";
  }

  std::map<std::uint64_t, KeptReply> replies;
};

class QuietWaker : public Waker {
 public:
  void Wake(schedule::WorkerIndex) override {}
};

class TestNode {
 public:
  explicit TestNode(Options options = {}) : options_(std::move(options)) { Start(); }

  // A new process on the same storage.
  void Restart() {
    node_.reset();
    Start();
  }

  // The power goes and comes back: of what was not synced, `survivors` writes are there.
  void Crash(std::size_t survivors) {
    node_.reset();
    storage_.Restart(survivors);
    Start();
  }

  Node& node() { return *node_; }
  VirtualClock& clock() { return clock_; }
  journal::FaultyStorage& storage() { return storage_; }

  // Submits without running; the number to ask Reply for.
  std::uint64_t Send(RequestBody body, std::optional<base::Duration> deadline = std::nullopt) {
    Request& request = inbox_.Add();
    request.body = std::move(body);
    request.reply_to.request = ++last_request_;
    request.deadline = deadline;
    node_->Submit(0, &inbox_);
    return last_request_;
  }
  std::uint64_t SendReport(std::string_view id, std::string_view json, Ack ack = Ack::kApplied,
                           std::optional<base::Duration> deadline = std::nullopt) {
    ReportRequest& request = inbox_.AddReport();
    const auto status = parser_.Parse(id, json, *node_->catalog(), &request.report);
    EXPECT_TRUE(status.ok()) << status;
    request.ack = ack;
    request.deadline = deadline;
    request.reply_to.request = ++last_request_;
    node_->Submit(0, &inbox_);
    return last_request_;
  }
  bool Answered(std::uint64_t request) const { return sink_.replies.contains(request); }
  const KeptReply& Reply(std::uint64_t request) const { return sink_.replies.at(request); }

  void RunAll() {
    bool worked = true;
    while (worked) {
      worked = false;
      for (std::uint32_t i = 0; i < options_.schedule.workers; ++i) worked |= node_->Work(i);
    }
    for (std::uint32_t i = 0; i < options_.schedule.workers; ++i) {
      node_->PrepareToWait(i);
      node_->StopWaiting(i);
    }
  }
  const KeptReply& Do(RequestBody body) {
    const auto request = Send(std::move(body));
    RunAll();
    return Reply(request);
  }
  const KeptReply& Report(std::string_view id, std::string_view json, Ack ack = Ack::kApplied) {
    const auto request = SendReport(id, json, ack);
    RunAll();
    return Reply(request);
  }
  const KeptReply& Register(std::string_view id,
                            std::string_view body = R"({"card":{"name":"A"}})") {
    auto registration = model::ParseRegistration(id, body, options_.limits);
    EXPECT_TRUE(registration.ok()) << registration.status();
    return Do(RegisterRequest{*std::move(registration), std::nullopt});
  }
  const KeptReply& Remove(std::string id) { return Do(DeregisterRequest{std::move(id), {}}); }
  const KeptReply& Get(std::string id) { return Do(GetRequest{std::move(id)}); }
  const KeptReply& Discover(model::Query query) { return Do(DiscoverRequest{std::move(query)}); }

 private:
  void Start() {
    node_ = std::make_unique<Node>(options_, &storage_, &clock_, &sink_, &waker_);
    const auto recovered = node_->Recover();
    ASSERT_TRUE(recovered.ok()) << recovered.status();
  }

  const Options options_;
  VirtualClock clock_;
  journal::FaultyStorage storage_;
  KeepingSink sink_;
  QuietWaker waker_;
  Inbox inbox_;
  model::ReportParser parser_{options_.limits};
  std::uint64_t last_request_ = 0;
  std::unique_ptr<Node> node_;
};

}  // namespace muster::node
