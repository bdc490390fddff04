#include "api/upload.h"

#include <algorithm>
#include <utility>

#include "api/ascii.h"
#include "base/check.h"
#include "base/json_writer.h"
#include "base/strings.h"

namespace muster::api {
namespace {

constexpr std::size_t kIdBytesShown = 256;

// At most so many bytes, never the half of a character.
std::string Shown(std::string_view id) {
  std::size_t size = std::min(id.size(), kIdBytesShown);
  while (size > 0 && size < id.size() && (id[size] & 0xc0) == 0x80) --size;
  return std::string(id.substr(0, size));
}

}  // namespace

LineOutcome OutcomeOf(const node::Reply& reply) {
  using Kind = LineOutcome::Kind;
  if (const auto* reported = std::get_if<node::Reported>(&reply.body)) {
    if (reported->duplicate) return {Kind::kDuplicate, {}};
    return {reported->superseded ? Kind::kSuperseded : Kind::kAccepted, {}};
  }
  const auto* refusal = std::get_if<node::Refusal>(&reply.body);
  MUSTER_CHECK(refusal != nullptr, "a report is answered as reported or refused");
  return {Kind::kRejected, FromRefusal(*refusal)};
}

void Upload::Begin() {
  MUSTER_CHECK(in_flight_ == 0, "an upload ends before the next one of its connection begins");
  partial_.clear();
  too_long_ = false;
  line_ = accepted_ = superseded_ = duplicate_ = rejected_ = 0;
  retry_after_ = base::Duration(0);
  errors_.clear();
}

std::size_t Upload::Take(std::string_view piece, Submit submit) {
  std::size_t taken = 0;
  while (taken < piece.size() && CanTake()) {
    const std::string_view rest = piece.substr(taken);
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) {
      TakePartial(rest);
      return piece.size();
    }
    taken += end + 1;
    if (partial_.empty() && !too_long_) {
      TakeLine(rest.substr(0, end), submit);
    } else {
      TakePartial(rest.substr(0, end));
      TakeLine(partial_, submit);
      partial_.clear();
    }
  }
  return taken;
}

void Upload::TakePartial(std::string_view part) {
  if (!too_long_ && partial_.size() + part.size() <= options_->ndjson_line_bytes_max) {
    partial_.append(part);
    return;
  }
  too_long_ = true;
  partial_.clear();
}

void Upload::TakeLine(std::string_view line, Submit submit) {
  ++line_;
  if (too_long_ || line.size() > options_->ndjson_line_bytes_max) {
    too_long_ = false;
    Note(line_, {},
         {LineOutcome::Kind::kRejected,
          Problem{
              413,
              base::StrCat("The line is longer than ", options_->ndjson_line_bytes_max, " bytes."),
              base::Duration(0),
              {}}});
    return;
  }
  if (Strip(line).empty()) return;
  if (free_.empty()) {
    free_.push_back(static_cast<Slot>(waiting_.size()));
    waiting_.emplace_back();
  }
  const Slot slot = free_.back();
  Waiting& waiting = waiting_[slot];
  waiting.id.clear();
  waiting.line = line_;
  LineOutcome outcome = submit(slot, line, &waiting.id);
  if (outcome.kind == LineOutcome::Kind::kPending) {
    free_.pop_back();
    ++in_flight_;
  } else {
    Note(line_, waiting.id, std::move(outcome));
  }
}

void Upload::End(Submit submit) {
  if (partial_.empty() && !too_long_) return;
  TakeLine(partial_, submit);
  partial_.clear();
}

void Upload::Settle(Slot slot, LineOutcome outcome) {
  MUSTER_CHECK(slot < waiting_.size() && in_flight_ > 0, "only a line in flight is settled");
  Note(waiting_[slot].line, waiting_[slot].id, std::move(outcome));
  free_.push_back(slot);
  --in_flight_;
}

void Upload::Note(std::uint64_t line, std::string_view id, LineOutcome outcome) {
  switch (outcome.kind) {
    case LineOutcome::Kind::kAccepted:
      ++accepted_;
      return;
    case LineOutcome::Kind::kSuperseded:
      ++superseded_;
      return;
    case LineOutcome::Kind::kDuplicate:
      ++duplicate_;
      return;
    case LineOutcome::Kind::kPending:
    case LineOutcome::Kind::kRejected:
      break;
  }
  ++rejected_;
  retry_after_ = std::max(retry_after_, outcome.problem.retry_after);
  if (errors_.size() < options_->ndjson_errors_max) {
    errors_.push_back(Error{line, Shown(id), std::move(outcome.problem)});
  }
}

void Upload::AppendResult(std::string* out) const {
  base::JsonWriter json(out);
  json.BeginObject();
  json.Key("accepted");
  json.Unsigned(accepted_);
  json.Key("superseded");
  json.Unsigned(superseded_);
  json.Key("duplicate");
  json.Unsigned(duplicate_);
  json.Key("rejected");
  json.Unsigned(rejected_);
  json.Key("errors");
  json.BeginArray();
  for (const Error& error : errors_) {
    const Detail detail = SplitDetail(error.problem.detail);
    json.BeginObject();
    json.Key("line");
    json.Unsigned(error.line);
    if (!error.id.empty()) {
      json.Key("id");
      json.String(error.id);
    }
    json.Key("status");
    json.Integer(error.problem.status);
    json.Key("detail");
    json.String(detail.text);
    if (detail.has_pointer) {
      json.Key("pointer");
      json.String(detail.pointer);
    }
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace muster::api
