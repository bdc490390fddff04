// The machine's two clocks.
#pragma once

#include "base/time.h"
#include "node/ports.h"

namespace muster::runtime {

class SystemClock : public node::Clock {
 public:
  base::Now Read() const override;
};

}  // namespace muster::runtime
