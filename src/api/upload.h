// An NDJSON upload in progress: the body cut into lines, and what became of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "api/options.h"
#include "api/problem.h"
#include "node/reply.h"

namespace muster::api {

struct LineOutcome {
  enum class Kind : std::uint8_t { kPending, kAccepted, kSuperseded, kDuplicate, kRejected };
  Kind kind = Kind::kPending;
  Problem problem;  // of kRejected
};
LineOutcome OutcomeOf(const node::Reply& reply);

class Upload {
 public:
  explicit Upload(const Options* options) : options_(options) {}

  using Slot = std::uint32_t;
  // Handles one line: submits it under `slot` and gives kPending, or refuses it. Fills `id` (of the
  // line's agent, as far as it was read) for the list of errors.
  using Submit = absl::FunctionRef<LineOutcome(Slot slot, std::string_view line, std::string* id)>;

  void Begin();
  // Takes lines from `piece` until it is used up or too many are in flight; returns what it took.
  std::size_t Take(std::string_view piece, Submit submit);
  // The body has ended: what is left is the last line. Only when CanTake.
  void End(Submit submit);
  void Settle(Slot slot, LineOutcome outcome);

  bool CanTake() const { return in_flight_ < options_->ndjson_lines_in_flight_max; }
  std::size_t in_flight() const { return in_flight_; }
  std::uint64_t lines() const { return line_; }
  base::Duration retry_after() const { return retry_after_; }
  // {"accepted":..,"superseded":..,"duplicate":..,"rejected":..,"errors":[{line,id,status,detail}]}
  void AppendResult(std::string* out) const;

 private:
  struct Error {
    std::uint64_t line = 0;
    std::string id;
    Problem problem;
  };
  struct Waiting {
    std::uint64_t line = 0;
    std::string id;
  };
  void TakeLine(std::string_view line, Submit submit);
  void TakePartial(std::string_view part);
  void Note(std::uint64_t line, std::string_view id, LineOutcome outcome);

  const Options* options_;
  std::string partial_;    // of a line whose end has not come yet
  bool too_long_ = false;  // and it passes the limit: its bytes are dropped
  std::uint64_t line_ = 0;
  std::uint64_t accepted_ = 0, superseded_ = 0, duplicate_ = 0, rejected_ = 0;
  base::Duration retry_after_{0};
  std::vector<Error> errors_;
  std::vector<Waiting> waiting_;
  std::vector<Slot> free_;
  std::size_t in_flight_ = 0;
};

}  // namespace muster::api
