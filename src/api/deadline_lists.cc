#include "api/deadline_lists.h"

namespace muster::api {

void DeadlineLists::Set(Member member, std::uint32_t kind, base::MonoTime at) {
  if (member >= links_.size()) links_.resize(member + 1);
  Clear(member);
  Link& link = links_[member];
  List& list = lists_[kind];
  link = Link{list.last, kNobody, kind, at};
  if (list.last == kNobody) {
    list.first = member;
  } else {
    links_[list.last].next = member;
  }
  list.last = member;
}

void DeadlineLists::Clear(Member member) {
  if (kind(member) == kKinds) return;
  Link& link = links_[member];
  List& list = lists_[link.kind];
  (link.previous == kNobody ? list.first : links_[link.previous].next) = link.next;
  (link.next == kNobody ? list.last : links_[link.next].previous) = link.previous;
  link = Link{};
}

void DeadlineLists::Expire(base::MonoTime now, std::vector<Member>* expired) {
  for (List& list : lists_) {
    while (list.first != kNobody && links_[list.first].at <= now) {
      expired->push_back(list.first);
      Clear(list.first);
    }
  }
}

}  // namespace muster::api
