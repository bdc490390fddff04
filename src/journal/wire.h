// How numbers and strings become bytes: LEB128 varints, zigzag for signed ones, doubles as their
// eight bytes little-endian, strings with their length before them. docs/formats/journal.md.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace muster::journal {

// Appends to a buffer that only grows: encoding again into a cleared one allocates nothing.
class Encoder {
 public:
  void Clear() { size_ = 0; }
  std::string_view bytes() const { return {buffer_.data(), size_}; }

  void Byte(std::uint8_t value) {
    Room(1);
    buffer_[size_++] = static_cast<char>(value);
  }
  void Varint(std::uint64_t value) {
    Room(kVarintBytesMax);
    char* at = buffer_.data() + size_;
    while (value >= 0x80) {
      *at++ = static_cast<char>(value | 0x80);
      value >>= 7;
    }
    *at++ = static_cast<char>(value);
    size_ = static_cast<std::size_t>(at - buffer_.data());
  }
  void Signed(std::int64_t value) {
    Varint((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }
  void Double(double value) {
    static_assert(std::endian::native == std::endian::little, "doubles are written little-endian");
    Room(sizeof value);
    std::memcpy(buffer_.data() + size_, &value, sizeof value);
    size_ += sizeof value;
  }
  void Raw(std::string_view bytes) {
    Room(bytes.size());
    if (!bytes.empty()) std::memcpy(buffer_.data() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  void String(std::string_view text) {
    Varint(text.size());
    Raw(text);
  }

 private:
  static constexpr std::size_t kVarintBytesMax = 10;

  void Room(std::size_t bytes) {
    if (buffer_.size() - size_ < bytes) buffer_.resize(2 * buffer_.size() + bytes + 256);
  }

  std::string buffer_;
  std::size_t size_ = 0;
};

// Reads what Encoder wrote, from bytes that may be anything: a read past the end or of an
// impossible value gives zero or an empty string and is remembered, so that the caller looks once,
// at the end. Strings are views into the input.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool ok() const { return ok_; }
  bool Finished() const { return ok_ && at_ == end_; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  void Fail() {
    ok_ = false;
    at_ = end_;
  }

  std::uint8_t Byte() {
    if (!Has(1)) return 0;
    return static_cast<std::uint8_t>(*at_++);
  }
  std::uint64_t Varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (!Has(1)) return 0;
      const auto byte = static_cast<std::uint8_t>(*at_++);
      if (shift == 63 && byte > 1) break;
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    Fail();
    return 0;
  }
  std::uint64_t VarintAtMost(std::uint64_t most) {
    const std::uint64_t value = Varint();
    if (value <= most) return value;
    Fail();
    return 0;
  }
  std::int64_t Signed() {
    const std::uint64_t value = Varint();
    return static_cast<std::int64_t>((value >> 1) ^ (0 - (value & 1)));
  }
  double Double() {
    double value = 0;
    if (!Has(sizeof value)) return 0;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  // How many elements follow, each at least `bytes_each` long: never more than could be there.
  std::size_t Count(std::size_t bytes_each) {
    return static_cast<std::size_t>(VarintAtMost(left() / bytes_each));
  }
  std::string_view Raw(std::size_t bytes) {
    if (!Has(bytes)) return {};
    const std::string_view raw(at_, bytes);
    at_ += bytes;
    return raw;
  }
  std::string_view String() { return Raw(static_cast<std::size_t>(VarintAtMost(left()))); }

 private:
  bool Has(std::size_t bytes) {
    if (left() >= bytes) return true;
    Fail();
    return false;
  }

  const char* at_;
  const char* end_;
  bool ok_ = true;
};

}  // namespace muster::journal
