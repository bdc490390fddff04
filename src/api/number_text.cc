#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "api/render.h"
#include "base/check.h"
#include "base/text.h"

namespace muster::api {
namespace {

void AppendInteger(std::uint64_t value, std::string* out) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out->append(digits.data(), end);
}

// value / 10^decimals, without trailing zeros.
void AppendScaled(std::uint64_t value, int decimals, std::uint64_t scale, std::string* out) {
  AppendInteger(value / scale, out);
  std::uint64_t fraction = value % scale;
  if (fraction == 0) return;
  std::array<char, 12> digits;
  for (int i = decimals; i-- > 0;) {
    digits[static_cast<std::size_t>(i)] = static_cast<char>('0' + fraction % 10);
    fraction /= 10;
  }
  auto size = static_cast<std::size_t>(decimals);
  while (digits[size - 1] == '0') --size;
  out->push_back('.');
  out->append(digits.data(), size);
}

}  // namespace

void AppendNumber(double value, std::string* out) {
  MUSTER_CHECK(std::isfinite(value), "JSON has no NaN and no infinity");
  // A decimal of at most six places and 15 digits is the only one that short which reads as this
  // double, since division of two exact doubles is correctly rounded; so no shorter one exists.
  const double magnitude = std::fabs(value);
  if (magnitude < 1e9) {
    const double scaled = std::nearbyint(magnitude * 1e6);
    if (scaled / 1e6 == magnitude && !(value == 0 && std::signbit(value))) {
      if (value < 0) out->push_back('-');
      AppendScaled(static_cast<std::uint64_t>(scaled), 6, 1'000'000, out);
      return;
    }
  }
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out->append(digits.data(), end);
}

void AppendAge(base::Duration age, std::string* out) {
  out->push_back('"');
  if (age < base::Duration(0)) out->push_back('-');
  const auto nanos = static_cast<std::uint64_t>(std::abs(age.count()));
  if (nanos >= 10'000'000'000) {
    AppendScaled(nanos / 1'000'000, 3, 1000, out);
    out->append("s\"");
  } else {
    AppendScaled(nanos / 1000, 3, 1000, out);
    out->append("ms\"");
  }
}

void AppendRatio(double ratio, std::string* out) {
  if (std::fabs(ratio) < 1e12) {
    const auto thousandths = static_cast<std::uint64_t>(std::nearbyint(std::fabs(ratio) * 1000));
    if (ratio < 0 && thousandths > 0) out->push_back('-');
    AppendScaled(thousandths, 3, 1000, out);
  } else {
    AppendNumber(std::isfinite(ratio) ? ratio : std::numeric_limits<double>::max(), out);
  }
}

}  // namespace muster::api
