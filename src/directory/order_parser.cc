#include "directory/order_parser.h"

#include <optional>
#include <string>

#include "base/strings.h"
#include "directory/excerpt.h"

namespace muster::directory {
namespace {

using Source = OrderKey::Source;

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

absl::Status OrderError(std::string_view what, std::size_t position, std::string_view hint = {}) {
  return base::InvalidArgument(
      base::StrCat(what, " at ", position + 1, hint.empty() ? "" : "; ", hint, " [/order_by]"));
}

class OrderParser {
 public:
  OrderParser(std::string_view text, bool has_near, const model::StateCatalog& catalog)
      : text_(text), has_near_(has_near), catalog_(catalog) {}

  absl::StatusOr<std::vector<OrderKey>> Parse(std::size_t keys_max) {
    std::vector<OrderKey> keys;
    SkipSpace();
    while (at_ < text_.size()) {
      if (keys.size() == keys_max) {
        return OrderError(base::StrCat("more than ", keys_max, " keys"), at_,
                          "the limit is limits.order_keys_max");
      }
      keys.emplace_back();
      if (absl::Status status = ParseKey(keys); !status.ok()) return status;
      SkipSpace();
      if (at_ == text_.size()) break;
      if (text_[at_] != ',') return OrderError("expected ',' or the end", at_);
      ++at_;
      SkipSpace();
      if (at_ == text_.size()) return OrderError("expected a key after ','", at_);
    }
    return keys;
  }

 private:
  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
  }
  std::string_view ReadWord() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !IsSpace(text_[at_]) && text_[at_] != ',') ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // Fills the last of `keys`; the others are those before it.
  absl::Status ParseKey(std::vector<OrderKey>& keys) {
    const std::size_t position = at_;
    const std::string_view name = ReadWord();
    if (name.empty()) return OrderError("expected a key before ','", position);
    OrderKey& key = keys.back();
    if (absl::Status status = FindKey(name, position, &key); !status.ok()) return status;
    for (const OrderKey& other : keys) {
      if (&other != &key && other.source == key.source && other.state == key.state) {
        return OrderError(base::StrCat("\"", Excerpt(name), "\" stands twice, again"), position);
      }
    }
    SkipSpace();
    const std::size_t direction_at = at_;
    const std::string_view direction = ReadWord();
    if (direction.empty() || direction == "asc") return absl::OkStatus();
    if (direction != "desc") {
      return OrderError(base::StrCat("unknown direction \"", Excerpt(direction), "\""),
                        direction_at, "it is asc or desc, and keys are parted by ','");
    }
    key.is_descending = true;
    return absl::OkStatus();
  }

  absl::Status FindKey(std::string_view name, std::size_t position, OrderKey* key) const {
    if (name == "id") {
      key->source = Source::kId;
    } else if (name == "name") {
      key->source = Source::kName;
    } else if (name == "distance") {
      if (!has_near_) return OrderError("\"distance\" needs a near", position);
      key->source = Source::kDistance;
    } else {
      return FindState(name, position, key);
    }
    return absl::OkStatus();
  }

  absl::Status FindState(std::string_view name, std::size_t position, OrderKey* key) const {
    const std::optional<model::StateIndex> state = catalog_.Find(name);
    if (!state) return UnknownKey(name, position);
    key->state = *state;
    const model::StateSpec& spec = catalog_.spec(*state);
    if (spec.kind == model::StateKind::kEvent) {
      return OrderError(base::StrCat("\"", name, "\" is a history of events without an order"),
                        position);
    }
    switch (spec.type) {
      case model::StateType::kNumber:
        key->source = Source::kNumber;
        return absl::OkStatus();
      case model::StateType::kString:
        key->source = Source::kText;
        return absl::OkStatus();
      case model::StateType::kBool:
        key->source = Source::kBool;
        return absl::OkStatus();
      case model::StateType::kLocation:
        break;
    }
    return OrderError(base::StrCat("\"", name, "\" is a location without an order"), position,
                      "use near and distance");
  }

  absl::Status UnknownKey(std::string_view name, std::size_t position) const {
    std::vector<std::string_view> names = {"id", "name", "distance"};
    for (std::size_t i = 0; i < catalog_.size(); ++i) {
      names.push_back(catalog_.spec(static_cast<model::StateIndex>(i)).name);
    }
    return OrderError(
        base::StrCat("unknown key \"", Excerpt(name), "\""), position,
        DidYouMean(name, names, "known are id, name, distance and the declared states"));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  const bool has_near_;
  const model::StateCatalog& catalog_;
};

}  // namespace

absl::StatusOr<std::vector<OrderKey>> ParseOrder(std::string_view order_by, std::size_t keys_max,
                                                 bool has_near,
                                                 const model::StateCatalog& catalog) {
  return OrderParser(order_by, has_near, catalog).Parse(keys_max);
}

}  // namespace muster::directory
