#include "runtime/system_clock.h"

#include <chrono>

namespace muster::runtime {

base::Now SystemClock::Read() const {
  using std::chrono::duration_cast;
  return {base::MonoTime(
              duration_cast<base::Duration>(std::chrono::steady_clock::now().time_since_epoch())),
          base::WallTime(
              duration_cast<base::Duration>(std::chrono::system_clock::now().time_since_epoch()))};
}

}  // namespace muster::runtime
