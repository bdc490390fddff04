// Random lives of agents, with the power going at random moments: what was acknowledged as durable
// is there afterwards, and nothing is there by half.

#include <rapidcheck.h>

#include <map>
#include <string>

#include "gtest/gtest.h"
#include "node/test_node.h"

namespace muster::node {
namespace {

constexpr std::string_view kBody = R"({"card":{"name":"A"},"lease":"1h","states":{
    "requests":{"type":"number","kind":"counter"},"fault":{"type":"number","kind":"event"}}})";

// What the node has promised about one agent.
struct Promise {
  bool registered = false;
  model::Incarnation incarnation = 0;
  std::uint64_t sequence = 0;  // of the last report sent
  double durable_load = -1;    // rises with every report; -1: none is promised
  double durable_requests = 0;
  double sent_requests = 0;
};

class History {
 public:
  void Step() {
    const std::string id = base::StrCat("agent-", *rc::gen::inRange(0, 4));
    Promise& promise = promises_[id];
    const int choice = *rc::gen::inRange(0, 100);
    if (choice < 10) {
      Remove(id, promise);
    } else if (choice < 25 || !promise.registered) {
      Register(id, promise);
    } else if (choice < 92) {
      Report(id, promise, choice % 3 == 0 ? Ack::kDurable : Ack::kApplied);
    } else {
      Crash();
    }
    node_.clock().Advance(std::chrono::milliseconds(1));
  }

  void Crash() {
    node_.Crash(*rc::gen::inRange<std::size_t>(0, node_.storage().unsynced() + 1));
    for (auto& [id, promise] : promises_) Check(id, promise);
  }

 private:
  void Register(const std::string& id, Promise& promise) {
    const KeptReply reply = node_.Register(id, kBody);
    RC_ASSERT(reply.registered.has_value());
    if (!promise.registered) promise = {.incarnation = reply.registered->incarnation};
    RC_ASSERT(reply.registered->incarnation == promise.incarnation);
    promise.registered = true;
  }

  void Remove(const std::string& id, Promise& promise) {
    const KeptReply reply = node_.Remove(id);
    RC_ASSERT(reply.deregistered.has_value() == promise.registered);
    promise.registered = false;
  }

  void Report(const std::string& id, Promise& promise, Ack ack) {
    const double load = static_cast<double>(++loads_) / 1e6;
    ++promise.sequence;
    ++promise.sent_requests;
    const std::string json =
        base::StrCat(R"({"sequence":)", promise.sequence, R"(,"states":{"load":)", load,
                     R"(},"counters":{"requests":1},"events":[{"name":"fault","data":)",
                     promise.sequence, "}]}");
    const KeptReply reply = node_.Report(id, json, ack);
    RC_ASSERT(reply.reported.has_value());
    RC_ASSERT(!reply.reported->duplicate);
    if (ack != Ack::kDurable) return;
    promise.durable_load = load;
    promise.durable_requests = promise.sent_requests;
  }

  void Check(const std::string& id, Promise& promise) {
    const KeptReply got = node_.Get(id);
    RC_ASSERT(got.found == promise.registered);
    if (!got.found) return;
    const KeptRow& row = got.rows[0];
    RC_ASSERT(row.incarnation == promise.incarnation);
    const double requests =
        row.states.contains("requests") ? std::stod(row.states.at("requests")) : 0;
    RC_ASSERT(requests >= promise.durable_requests);
    RC_ASSERT(requests <= promise.sent_requests);
    if (promise.durable_load >= 0)
      RC_ASSERT(std::stod(row.states.at("load")) >= promise.durable_load);
    // A report is there whole or not at all: its increment, its event and its sequence.
    const KeptReply events = node_.Do(EventsRequest{id, "", 1000});
    RC_ASSERT(static_cast<double>(events.events.size()) == requests);
    promise.sent_requests = promise.durable_requests = requests;
    promise.sequence = static_cast<std::uint64_t>(requests);
  }

  TestNode node_{[] {
    Options options;
    options.checkpoint_every = 5;
    return options;
  }()};
  std::map<std::string, Promise> promises_;
  std::uint64_t loads_ = 0;
};

TEST(NodeCrash, KeepsEveryDurablePromiseAndNothingByHalf) {
  EXPECT_TRUE(rc::check([] {
    History history;
    const int steps = *rc::gen::inRange(10, 120);
    for (int i = 0; i < steps; ++i) history.Step();
    history.Crash();
  }));
}

}  // namespace
}  // namespace muster::node
