// Signals as calls: SIGTERM and SIGINT end the program in order, SIGHUP reloads.
#pragma once

#include <functional>

namespace muster::runtime {

// Blocks the signals for every thread started afterwards. Call before starting any.
void BlockSignals();

// Waits in the calling thread: calls `reload` at each SIGHUP, and returns the number of the signal
// that asks to end.
int WaitForEnd(const std::function<void()>& reload);

}  // namespace muster::runtime
