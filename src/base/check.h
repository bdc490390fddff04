// MUSTER_CHECK(condition, why): a broken invariant ends the process with its place and reason, in
// release builds too. The world's refusals (bad input, a full disk) are absl::Status, never this.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace muster::base {

[[noreturn]] inline void CheckFailed(const char* file, int line, const char* condition,
                                     const char* why) {
  std::fprintf(stderr, "%s:%d: broken invariant: %s (%s)\n", file, line, why, condition);
  std::abort();
}

}  // namespace muster::base

#define MUSTER_CHECK(condition, why) \
  (static_cast<bool>(condition)      \
       ? static_cast<void>(0)        \
       : ::muster::base::CheckFailed(__FILE__, __LINE__, #condition, why))
