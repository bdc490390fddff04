#include "api/event_poll.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/check.h"

namespace muster::api {
namespace {

constexpr int kEventsPerWait = 256;  // then the node has its turn

std::uint32_t Interest(bool read, bool write) {
  return (read ? static_cast<std::uint32_t>(EPOLLIN) : 0u) |
         (write ? static_cast<std::uint32_t>(EPOLLOUT) : 0u);
}

void Control(int epoll, int operation, int socket, EventPoll::Token token, bool read, bool write) {
  epoll_event event{};
  event.events = Interest(read, write);
  event.data.u64 = token;
  MUSTER_CHECK(epoll_ctl(epoll, operation, socket, &event) == 0,
               "an open socket can be waited for: epoll has memory and watches left");
}

}  // namespace

EventPoll::EventPoll()
    : epoll_(epoll_create1(EPOLL_CLOEXEC)), wake_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  MUSTER_CHECK(epoll_ >= 0 && wake_ >= 0, "the process has file descriptors left at its start");
  events_.reserve(kEventsPerWait);
  Add(wake_, kWakeToken, true);
}

EventPoll::~EventPoll() {
  close(wake_);
  close(epoll_);
}

void EventPoll::Add(int socket, Token token, bool read) {
  Control(epoll_, EPOLL_CTL_ADD, socket, token, read, false);
}

void EventPoll::Change(int socket, Token token, bool read, bool write) {
  Control(epoll_, EPOLL_CTL_MOD, socket, token, read, write);
}

std::span<const EventPoll::Event> EventPoll::Wait(base::Duration wait) {
  const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(wait).count();
  std::array<epoll_event, kEventsPerWait> ready;
  const int count = epoll_wait(epoll_, ready.data(), kEventsPerWait,
                               static_cast<int>(std::clamp<std::int64_t>(rounded, 0, 60'000)));
  MUSTER_CHECK(count >= 0 || errno == EINTR, "an epoll of this process can be waited on");
  events_.clear();
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = ready[static_cast<std::size_t>(i)];
    if (event.data.u64 == kWakeToken) {
      TakeWake();
      continue;
    }
    events_.push_back({event.data.u64, (event.events & EPOLLIN) != 0,
                       (event.events & EPOLLOUT) != 0,
                       (event.events & (EPOLLERR | EPOLLHUP)) != 0});
  }
  return events_;
}

void EventPoll::TakeWake() {
  std::uint64_t wakes = 0;
  MUSTER_CHECK(read(wake_, &wakes, sizeof wakes) == sizeof wakes || errno == EAGAIN,
               "an eventfd can be read");
  wake_pending_.store(false, std::memory_order_release);
}

void EventPoll::Wake() {
  if (wake_pending_.exchange(true, std::memory_order_acq_rel)) return;
  const std::uint64_t one = 1;
  MUSTER_CHECK(write(wake_, &one, sizeof one) == sizeof one || errno == EAGAIN,
               "an eventfd can be written");
}

}  // namespace muster::api
