// Records with every field drawn at random, edges included. The texts that they borrow live as long
// as the generator.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/agent.h"
#include "model/report.h"
#include "model/state.h"

namespace muster::journal::testing {

class RandomRecords {
 public:
  explicit RandomRecords(std::uint64_t seed) : random_(seed) {}

  std::uint64_t Below(std::uint64_t end) { return random_() % end; }
  bool OneIn(std::uint64_t n) { return Below(n) == 0; }

  // Any number of bits is equally likely, so that short and long varints come up.
  std::uint64_t Number() { return random_() >> Below(64); }
  std::int64_t Signed() { return static_cast<std::int64_t>(OneIn(2) ? Number() : 0 - Number()); }
  base::WallTime Instant() { return base::WallFromUnixNanos(Signed()); }
  double Finite() {
    const auto value = std::bit_cast<double>(random_());
    return std::isfinite(value) ? value : -0.0;
  }
  std::string Text() {
    std::string text(Below(OneIn(20) ? 300 : 12), '\0');
    for (char& byte : text) byte = static_cast<char>(random_());
    return text;
  }
  std::string_view Kept(std::string text) { return kept_.emplace_back(std::move(text)); }
  std::vector<std::string> Texts() {
    std::vector<std::string> texts(Below(4));
    for (std::string& text : texts) text = Text();
    return texts;
  }
  model::StateIndex Index() { return static_cast<model::StateIndex>(Number()); }

  model::StateSpec Spec() {
    model::StateSpec spec;
    spec.name = Text();
    spec.type = static_cast<model::StateType>(Below(4));
    spec.kind = static_cast<model::StateKind>(Below(3));
    spec.max_age = base::Duration(Signed());
    if (OneIn(2)) spec.minimum = Finite();
    if (OneIn(2)) spec.maximum = Finite();
    spec.allowed = Texts();
    spec.critical = OneIn(2);
    return spec;
  }

  model::Registration Registration() {
    model::Registration registration;
    registration.id = Text();
    registration.lease = base::Duration(Signed());
    for (auto n = Below(3); n > 0; --n) registration.labels.emplace_back(Text(), Text());
    for (auto n = Below(3); n > 0; --n) {
      registration.max_age.emplace_back(Text(), base::Duration(Signed()));
    }
    for (auto n = Below(3); n > 0; --n) registration.states.push_back(Spec());
    registration.card = {Text(),  Text(),  Text(),  Text(), Text(),
                         Texts(), Texts(), Texts(), Texts()};
    return registration;
  }

  model::ValueView Value() {
    model::ValueView value;
    value.type = static_cast<model::StateType>(Below(4));
    switch (value.type) {
      case model::StateType::kNumber:
        value.number = Finite();
        break;
      case model::StateType::kString:
        value.text = Kept(Text());
        break;
      case model::StateType::kBool:
        value.boolean = OneIn(2);
        break;
      case model::StateType::kLocation:
        value.location = {Finite(), Finite()};
        break;
    }
    return value;
  }
  std::optional<std::uint64_t> Sequence() {
    if (OneIn(2)) return std::nullopt;
    return Number();
  }

  model::ReportRecord Report(model::AgentSlot slot, model::Incarnation life,
                             model::Revision revision) {
    model::ReportRecord report;
    report.slot = slot;
    report.incarnation = life;
    report.revision = revision;
    report.received_at = Instant();
    for (auto n = Below(4); n > 0; --n) report.sequences.push_back(Number());
    for (auto n = Below(10); n > 0; --n) report.states.push_back({Index(), Instant(), Value()});
    for (auto n = Below(3); n > 0; --n) {
      report.counters.push_back({Index(), Sequence(), Instant(), Finite()});
    }
    for (auto n = Below(4); n > 0; --n) {
      report.events.push_back(
          {Index(), Sequence(), Instant(), revision - Below(revision), Kept(Text())});
    }
    return report;
  }

  model::AgentDynamics Dynamics(model::AgentSlot slot, model::Incarnation life) {
    model::AgentDynamics agent;
    agent.slot = slot;
    agent.incarnation = life;
    agent.heard_at = Instant();
    agent.sequences = model::SequenceWindow::Restore(Number(), Number());
    for (auto n = Below(10); n > 0; --n) agent.states.push_back({Index(), Instant(), Value()});
    return agent;
  }

 private:
  std::mt19937_64 random_;
  std::deque<std::string> kept_;
};

}  // namespace muster::journal::testing
