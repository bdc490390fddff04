#include "runtime/signals.h"

#include <pthread.h>
#include <signal.h>

namespace muster::runtime {
namespace {
sigset_t HandledSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}
}  // namespace

void BlockSignals() {
  const sigset_t signals = HandledSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // A client that closes its connection is an error of a write, not the end of the process.
  signal(SIGPIPE, SIG_IGN);
}

int WaitForEnd(const std::function<void()>& reload) {
  const sigset_t signals = HandledSignals();
  while (true) {
    int received = 0;
    if (sigwait(&signals, &received) != 0) continue;
    if (received != SIGHUP) return received;
    reload();
  }
}

}  // namespace muster::runtime
