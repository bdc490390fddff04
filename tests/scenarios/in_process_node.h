// A node without sockets, threads and real time: a request goes through the dispatcher, the node
// and the renderer, and its answer is there when the call returns.
#pragma once

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "api/access.h"
#include "api/counters.h"
#include "api/dispatcher.h"
#include "api/render.h"
#include "api/upload.h"
#include "base/check.h"
#include "journal/memory_storage.h"
#include "node/node.h"

namespace muster::scenarios {

struct Answer {
  int status = 0;
  std::string body;
};

class InProcessNode final : node::Clock, node::ReplySink, node::Waker, api::MetricsPage {
 public:
  InProcessNode() { Start(); }

  Answer Ask(api::Method method, std::string_view target, std::string_view body) {
    api::RequestHead head;
    head.method = method;
    head.target = target;
    head.has_host = true;
    if (!body.empty()) head.content_length = body.size();
    node::Inbox inbox;
    dispatcher_->BeginPoll(now_, &inbox);
    response_.clear();
    api::Call call;
    if (const auto problem = dispatcher_->Understand(head, &call)) {
      dispatcher_->Answer(*problem, {}, &response_);
    } else if (dispatcher_->Start(call, body, {}, {}, [this] { return &response_; })) {
      node_->Submit(0, &inbox);
      Run();
    }
    return Split();
  }

  // Lines of reports, acknowledged as durable.
  Answer Upload(std::string_view lines) {
    node::Inbox inbox;
    dispatcher_->BeginPoll(now_, &inbox);
    response_.clear();
    upload_.Begin();
    const auto submit = [this](api::Upload::Slot slot, std::string_view line, std::string* id) {
      return dispatcher_->StartLine(line, node::Ack::kDurable, {0, 0, slot + 1}, id);
    };
    const std::size_t taken = upload_.Take(lines, submit);
    MUSTER_CHECK(taken == lines.size(), "a scenario's upload is short");
    node_->Submit(0, &inbox);
    Run();
    upload_.End(submit);
    dispatcher_->AnswerUpload(upload_, {}, &response_);
    return Split();
  }

  // In order, and again on the same storage.
  void Restart() {
    node_->BeginDrain();
    Run();
    MUSTER_CHECK(node_->Stop().ok(), "the node stops");
    Start();
  }

  void Pass(base::Duration time) {
    constexpr base::Duration kTick = std::chrono::milliseconds(100);
    for (; time > base::Duration(0); time -= kTick) {
      now_.mono += kTick;
      now_.wall += kTick;
      node_->Tick();
    }
  }

  base::Now now() const { return now_; }

 private:
  base::Now Read() const override { return now_; }
  void Deliver(const node::ReplyTo& to, const node::Reply& reply) override {
    if (to.request > 0) {
      upload_.Settle(static_cast<api::Upload::Slot>(to.request - 1), api::OutcomeOf(reply));
    } else {
      renderer_.Render(reply, {}, &response_);
    }
  }
  void Wake(schedule::WorkerIndex) override {}
  void AppendMetrics(std::string*) const override {}

  void Start() {
    dispatcher_.reset();
    node::Clock* clock = this;  // a private base, whom make_unique could not see
    node::ReplySink* sink = this;
    node::Waker* waker = this;
    node_ = std::make_unique<node::Node>(node::Options(), &storage_, clock, sink, waker);
    MUSTER_CHECK(node_->Recover().ok(), "the node recovers");
    api::MetricsPage* metrics = this;
    dispatcher_ = std::make_unique<api::Dispatcher>(&access_, node_.get(), metrics, &counters_);
    Pass(std::chrono::milliseconds(1));
  }
  void Run() {
    while (node_->Work(0)) {
    }
  }
  Answer Split() const {
    constexpr std::size_t kStatusAt = sizeof "HTTP/1.1 " - 1;
    MUSTER_CHECK(response_.size() > kStatusAt, "the request was answered");
    return {std::atoi(response_.c_str() + kStatusAt),
            response_.substr(response_.find("\r\n\r\n") + 4)};
  }

  base::Now now_{base::MonoFromNanos(1'000'000'000'000),
                 base::WallFromUnixNanos(1'800'000'000'000'000'000)};
  journal::MemoryStorage storage_;
  api::Access access_;
  api::Counters counters_;
  api::Options http_;
  api::Upload upload_{&http_};
  api::Renderer renderer_;
  std::string response_;
  std::unique_ptr<node::Node> node_;
  std::unique_ptr<api::Dispatcher> dispatcher_;
};

}  // namespace muster::scenarios
