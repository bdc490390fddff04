// Deadlines of many connections without a timer each.
//
// All deadlines of a kind lie the same time ahead when they are set, so a list per kind in the
// order of setting is in the order of expiry: every operation is O(1) and allocates nothing once
// warm.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/time.h"

namespace muster::api {

class DeadlineLists {
 public:
  static constexpr std::uint32_t kKinds = 5;
  using Member = std::uint32_t;  // dense

  // `member` expires at `at` and leaves its former list. `at` must not lie before another deadline
  // of `kind`; if it does, it takes effect as late as that one.
  void Set(Member member, std::uint32_t kind, base::MonoTime at);
  void Clear(Member member);
  // Removes those that are due and appends them to `expired`.
  void Expire(base::MonoTime now, std::vector<Member>* expired);
  // kKinds: none is set.
  std::uint32_t kind(Member member) const {
    return member < links_.size() ? links_[member].kind : kKinds;
  }

 private:
  static constexpr Member kNobody = 0xffffffff;
  struct Link {
    Member previous = kNobody;
    Member next = kNobody;
    std::uint32_t kind = kKinds;
    base::MonoTime at{};
  };
  struct List {
    Member first = kNobody;
    Member last = kNobody;
  };
  std::vector<Link> links_;
  std::array<List, kKinds> lists_;
};

}  // namespace muster::api
