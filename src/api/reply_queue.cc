#include "api/reply_queue.h"

#include <utility>

#include "base/check.h"

namespace muster::api {
namespace {

constexpr std::size_t kPlacesInitial = 4;
constexpr std::size_t kKeptBytes = 64 * 1024;  // capacity kept for reuse

void Recycle(std::string* text) {
  if (text->capacity() > kKeptBytes) {
    std::string().swap(*text);
  } else {
    text->clear();
  }
}

int StatusIn(std::string_view response) {
  constexpr std::size_t kAt = 9;  // after "HTTP/1.1 "
  MUSTER_CHECK(response.size() >= kAt + 3, "a response begins with its status line");
  return (response[kAt] - '0') * 100 + (response[kAt + 1] - '0') * 10 + (response[kAt + 2] - '0');
}

}  // namespace

ReplyQueue::Sequence ReplyQueue::Open(RunClass run_class, std::uint64_t subject) {
  if (open() == places_.size()) Grow();
  Place& place = places_[next_ & mask_];
  place.open = true;
  place.submitted = false;
  place.run_class = run_class;
  place.subject = subject;
  return next_++;
}

void ReplyQueue::Grow() {
  const std::size_t size = places_.empty() ? kPlacesInitial : places_.size() * 2;
  MUSTER_CHECK(size <= (1u << 20), "a connection has a bounded number of open requests");
  std::vector<Place> bigger(size);
  for (Sequence s = head_; s != next_; ++s) {
    bigger[s & (size - 1)] = std::move(places_[s & mask_]);
  }
  places_ = std::move(bigger);
  mask_ = static_cast<std::uint32_t>(size - 1);
}

bool ReplyQueue::IsOpen(Sequence sequence) const {
  return sequence - head_ < next_ - head_ && places_[sequence & mask_].open;
}

ReplyQueue::Place& ReplyQueue::place(Sequence sequence) { return places_[sequence & mask_]; }

void ReplyQueue::MarkSubmitted(Sequence sequence) {
  place(sequence).submitted = true;
  ++submitted_;
}

std::string* ReplyQueue::Begin(Sequence sequence) {
  MUSTER_CHECK(IsOpen(sequence), "only an open request is answered, and once");
  std::string* target = sequence == head_ ? &output_ : &place(sequence).text;
  begun_at_ = target->size();
  return target;
}

int ReplyQueue::End(Sequence sequence) {
  Place& ended = place(sequence);
  ended.open = false;
  if (ended.submitted) --submitted_;
  if (sequence != head_) return StatusIn(ended.text);
  const int status = StatusIn(std::string_view(output_).substr(begun_at_));
  ++head_;
  while (head_ != next_ && !places_[head_ & mask_].open) {
    std::string& text = places_[head_ & mask_].text;
    output_.append(text);
    Recycle(&text);
    ++head_;
  }
  return status;
}

bool ReplyQueue::MayRun(RunClass run_class, std::uint64_t subject) const {
  if (submitted_ == 0) return true;
  if (run_class == RunClass::kAlone) return false;
  for (Sequence s = head_; s != next_; ++s) {
    const Place& other = places_[s & mask_];
    if (!other.open || !other.submitted) continue;
    if (other.run_class != run_class) return false;
    if (run_class != RunClass::kRegistrations) return true;
    if (other.subject == subject) return false;
  }
  return true;
}

void ReplyQueue::Sent(std::size_t bytes) {
  sent_ += bytes;
  if (sent_ == output_.size()) {
    Recycle(&output_);
    sent_ = 0;
  }
}

void ReplyQueue::Clear() {
  for (Place& place : places_) {
    place.open = place.submitted = false;
    Recycle(&place.text);
  }
  Recycle(&output_);
  head_ = next_ = 0;
  submitted_ = sent_ = begun_at_ = 0;
}

}  // namespace muster::api
