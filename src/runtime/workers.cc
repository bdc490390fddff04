#include "runtime/workers.h"

#include <pthread.h>

#include <string>

#include "base/check.h"

namespace muster::runtime {
namespace {
constexpr base::Duration kTickEvery = std::chrono::milliseconds(100);
// How often a draining Worker looks whether it may end.
constexpr base::Duration kDrainPoll = std::chrono::milliseconds(5);
}  // namespace

Workers::Workers(node::Node* node, const node::Clock* clock,
                 std::vector<node::EventSource*> sources)
    : node_(*node), clock_(*clock), sources_(std::move(sources)) {
  MUSTER_CHECK(sources_.size() == node_.options().schedule.workers, "one event source a Worker");
}

Workers::~Workers() { Stop(base::Duration(0)); }

void Workers::Start() {
  for (schedule::WorkerIndex index = 0; index < sources_.size(); ++index) {
    threads_.emplace_back([this, index] { Run(index); });
    pthread_setname_np(threads_.back().native_handle(), ("worker" + std::to_string(index)).c_str());
  }
}

bool Workers::Stop(base::Duration timeout) {
  if (threads_.empty()) return !abandoned_.load();
  node_.BeginDrain();
  give_up_at_.store((clock_.Read().mono + timeout).time_since_epoch().count());
  draining_.store(true);
  for (node::EventSource* source : sources_) source->Wake();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  return !abandoned_.load();
}

void Workers::Run(schedule::WorkerIndex index) {
  node::EventSource& source = *sources_[index];
  node::Inbox inbox;
  base::MonoTime next_tick = clock_.Read().mono;
  bool busy = false;
  while (true) {
    const base::Duration wait = busy ? base::Duration(0) : node_.PrepareToWait(index);
    const bool draining = draining_.load(std::memory_order_relaxed);
    source.Poll(draining ? std::min(wait, kDrainPoll) : wait, &inbox);
    if (!busy) node_.StopWaiting(index);
    node_.Submit(index, &inbox);
    busy = node_.Work(index);
    source.Flush();
    if (index == 0) {
      const base::MonoTime now = clock_.Read().mono;
      if (now >= next_tick) {
        node_.Tick();
        next_tick = now + kTickEvery;
      }
    }
    if (draining && !busy && MayEnd(index)) return;
  }
}

bool Workers::MayEnd(schedule::WorkerIndex index) {
  // Flush first: a reply that another Worker left here still has to be sent.
  const bool sent = sources_[index]->Drain();
  if (sent && node_.Drained()) return true;
  if (clock_.Read().mono.time_since_epoch().count() < give_up_at_.load()) return false;
  abandoned_.store(true);
  return true;
}

}  // namespace muster::runtime
