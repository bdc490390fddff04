// Ctrl-C and SIGTERM as something that a loop can wait for, so that it ends in order.
#pragma once

#include <signal.h>

#include "base/time.h"

namespace muster::app {

// While one lives, SIGINT, SIGTERM and SIGHUP are blocked in the threads that it was made before.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // True as soon as one of the signals has come; false once `duration` has passed.
  bool WaitFor(base::Duration duration);

 private:
  sigset_t before_;
  sigset_t awaited_;
  bool has_come_ = false;
};

}  // namespace muster::app
