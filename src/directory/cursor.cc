#include "directory/cursor.h"

#include <cstddef>
#include <optional>

#include "absl/strings/escaping.h"
#include "base/strings.h"
#include "directory/fingerprint.h"

namespace muster::directory {
namespace {

// version, plan, one field per key (a word, or a text with its length), id with its length,
// checksum.
constexpr char kVersion = 1;
constexpr std::size_t kCursorBytesMax = 16 * 1024;

void PutWord(std::string* out, std::uint64_t word) {
  for (unsigned shift = 0; shift < 64; shift += 8) {
    out->push_back(static_cast<char>((word >> shift) & 0xffU));
  }
}

void PutText(std::string* out, std::string_view text) {
  PutWord(out, text.size());
  out->append(text);
}

std::uint64_t Checksum(std::string_view bytes) {
  Fingerprint print;
  print.Add(bytes);
  return print.value();
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::optional<std::uint64_t> Word() {
    if (bytes_.size() < 8) return std::nullopt;
    std::uint64_t word = 0;
    for (unsigned i = 0; i < 8; ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(bytes_[i])} << (8 * i);
    }
    bytes_.remove_prefix(8);
    return word;
  }
  std::optional<std::string> Text() {
    const std::optional<std::uint64_t> size = Word();
    if (!size || *size > bytes_.size()) return std::nullopt;
    std::string text(bytes_.substr(0, *size));
    bytes_.remove_prefix(*size);
    return text;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

bool DecodeFields(const Plan::Body& body, std::string_view bytes, PagePosition* out) {
  Reader reader(bytes);
  for (const OrderKey& key : body.order) {
    const std::optional<std::uint64_t> word = reader.Word();
    if (!word) return false;
    out->keys.push_back(*word);
    out->texts.emplace_back();
    if (!key.is_text() || *word == kMissingKey) continue;
    std::optional<std::string> text = reader.Text();
    if (!text) return false;
    out->texts.back() = *std::move(text);
  }
  std::optional<std::string> id = reader.Text();
  if (!id) return false;
  out->id = *std::move(id);
  return reader.at_end();
}

}  // namespace

std::string EncodeCursor(const Plan::Body& body, const std::uint64_t* keys, std::string_view id) {
  std::string bytes(1, kVersion);
  PutWord(&bytes, body.fingerprint);
  for (std::size_t i = 0; i < body.order.size(); ++i) {
    const bool is_text = body.order[i].is_text() && keys[i] != kMissingKey;
    PutWord(&bytes, is_text ? 0 : keys[i]);
    if (is_text) PutText(&bytes, TextOfKey(keys[i]));
  }
  PutText(&bytes, id);
  PutWord(&bytes, Checksum(bytes));
  return absl::WebSafeBase64Escape(bytes);
}

absl::StatusOr<PagePosition> DecodeCursor(const Plan::Body& body, std::string_view cursor) {
  const auto refuse = [](std::string_view why) { return base::InvalidArgument(why); };
  std::string bytes;
  constexpr std::size_t kFrame = 1 + 8 + 8;
  if (cursor.size() > kCursorBytesMax ||
      !absl::WebSafeBase64Unescape(base::ToAbsl(cursor), &bytes) || bytes.size() < kFrame ||
      bytes[0] != kVersion) {
    return refuse("this is no page token of this node; begin again without one [/page_token]");
  }
  const std::string_view signed_bytes = std::string_view(bytes).substr(0, bytes.size() - 8);
  if (Reader(std::string_view(bytes).substr(signed_bytes.size())).Word() !=
      Checksum(signed_bytes)) {
    return refuse("the page token is damaged; begin again without one [/page_token]");
  }
  if (Reader(signed_bytes.substr(1)).Word() != body.fingerprint) {
    return refuse(
        "the page token belongs to another query; keep filter and order_by the same from page to "
        "page [/page_token]");
  }
  PagePosition position;
  if (!DecodeFields(body, signed_bytes.substr(9), &position)) {
    return refuse("the page token is damaged; begin again without one [/page_token]");
  }
  return position;
}

std::vector<std::uint64_t> ToKeys(const Plan::Body& body, const IdOrder& order,
                                  const PagePosition& position) {
  std::vector<std::uint64_t> keys = position.keys;
  const IdPosition id = order.PositionOf(position.id);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const OrderKey& key = body.order[i];
    if (key.is_text() && keys[i] != kMissingKey) keys[i] = KeyOfText(&position.texts[i]);
    if (key.source == OrderKey::Source::kId) keys[i] = key.is_descending ? ~id : id;
  }
  keys.push_back(id);
  return keys;
}

}  // namespace muster::directory
