#include "api/mailbox.h"

#include <iterator>
#include <utility>

namespace muster::api {

void Mail::Seal(const node::ReplyTo& to) {
  letters_.push_back(Letter{to, sealed_, bytes_.size()});
  sealed_ = bytes_.size();
}

void Mail::AddLine(const node::ReplyTo& to, LineOutcome outcome) {
  lines_.push_back(Line{to, std::move(outcome)});
}

void Mail::Clear() {
  bytes_.clear();
  sealed_ = 0;
  letters_.clear();
  lines_.clear();
}

void Mail::Take(Mail* other) {
  if (empty()) {
    std::swap(*this, *other);
  } else {
    const std::size_t base = bytes_.size();
    bytes_.append(other->bytes_);
    sealed_ = bytes_.size();
    for (const Letter& letter : other->letters_) {
      letters_.push_back(Letter{letter.to, letter.begin + base, letter.end + base});
    }
    lines_.insert(lines_.end(), std::make_move_iterator(other->lines_.begin()),
                  std::make_move_iterator(other->lines_.end()));
  }
  other->Clear();
}

bool Mailbox::Post(Mail* mail) {
  const base::MutexLock lock(&mutex_);
  const bool was_empty = mail_.empty();
  mail_.Take(mail);
  return was_empty;
}

void Mailbox::Collect(Mail* mail) {
  const base::MutexLock lock(&mutex_);
  std::swap(mail_, *mail);
}

}  // namespace muster::api
