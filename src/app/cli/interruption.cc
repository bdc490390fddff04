#include "app/cli/interruption.h"

#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace muster::app {

Interruption::Interruption() {
  sigemptyset(&awaited_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&awaited_, signal);
  pthread_sigmask(SIG_BLOCK, &awaited_, &before_);
}

Interruption::~Interruption() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

bool Interruption::WaitFor(base::Duration duration) {
  if (has_come_) return true;
  const auto nanos = std::max<std::int64_t>(duration.count(), 0);
  timespec wait{};
  wait.tv_sec = static_cast<std::time_t>(nanos / 1'000'000'000);
  wait.tv_nsec = static_cast<long>(nanos % 1'000'000'000);
  has_come_ = sigtimedwait(&awaited_, nullptr, &wait) > 0;
  return has_come_;
}

}  // namespace muster::app
