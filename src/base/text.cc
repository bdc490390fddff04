#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <system_error>

#include "base/strings.h"

namespace muster::base {
namespace {

constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

struct Unit {
  std::string_view name;
  std::int64_t nanos;
};
// Longest first, so that a sum is written and read from the left.
constexpr Unit kUnits[] = {{"d", 86'400 * kNanosPerSecond},
                           {"h", 3'600 * kNanosPerSecond},
                           {"m", 60 * kNanosPerSecond},
                           {"s", kNanosPerSecond},
                           {"ms", 1'000'000},
                           {"us", 1'000},
                           {"ns", 1}};

// What of a wrong text is shown: cut between two UTF-8 characters.
std::string_view Excerpt(std::string_view text) {
  std::size_t end = std::min<std::size_t>(text.size(), 40);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
    --end;
  }
  return text.substr(0, end);
}

absl::Status NotADuration(std::string_view text) {
  return InvalidArgument(
      StrCat("expected a duration such as 150ms, 2s or 1m30s, got \"", Excerpt(text), "\""));
}

absl::Status NotAnInstant(std::string_view text) {
  return InvalidArgument(StrCat(
      "expected an RFC 3339 instant such as 2026-12-01T12:00:00.5Z, got \"", Excerpt(text), "\""));
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

struct Decimal {
  std::int64_t whole;
  std::int64_t billionths;
};

// The digits from `*at` on as a fraction, at most nine of them; advances `*at`.
std::optional<std::int64_t> TakeBillionths(std::string_view text, std::size_t* at) {
  const std::size_t first = *at;
  std::int64_t billionths = 0;
  std::int64_t weight = kNanosPerSecond / 10;
  for (; *at < text.size() && IsDigit(text[*at]); ++*at, weight /= 10) {
    if (weight == 0) return std::nullopt;
    billionths += (text[*at] - '0') * weight;
  }
  if (*at == first) return std::nullopt;
  return billionths;
}

// A number that fits, with at most nine decimals; advances `text`.
std::optional<Decimal> TakeDecimal(std::string_view* text) {
  Decimal decimal{0, 0};
  const char* const begin = text->data();
  const auto [end, error] = std::from_chars(begin, begin + text->size(), decimal.whole);
  if (error != std::errc() || *begin == '-') return std::nullopt;
  auto at = static_cast<std::size_t>(end - begin);
  if (at < text->size() && (*text)[at] == '.') {
    const auto billionths = TakeBillionths(*text, &++at);
    if (!billionths) return std::nullopt;
    decimal.billionths = *billionths;
  }
  text->remove_prefix(at);
  return decimal;
}

// Adds `number` units to `nanos`; false if the sum doesn't fit. What is less than a nanosecond is
// cut.
bool AddUnits(const Decimal& number, std::int64_t unit_nanos, std::int64_t* nanos) {
  const std::int64_t part = unit_nanos >= kNanosPerSecond
                                ? number.billionths * (unit_nanos / kNanosPerSecond)
                                : number.billionths * unit_nanos / kNanosPerSecond;
  std::int64_t whole = 0;
  return !__builtin_mul_overflow(number.whole, unit_nanos, &whole) &&
         !__builtin_add_overflow(*nanos, whole, nanos) &&
         !__builtin_add_overflow(*nanos, part, nanos);
}

const Unit* TakeUnit(std::string_view* text) {
  std::size_t length = 0;
  while (length < text->size() && (*text)[length] >= 'a' && (*text)[length] <= 'z') ++length;
  const std::string_view name = text->substr(0, length);
  for (const Unit& unit : kUnits) {
    if (unit.name != name) continue;
    text->remove_prefix(length);
    return &unit;
  }
  return nullptr;
}

// Exactly `count` digits at `at`; -1 if they are none.
int Digits(std::string_view text, std::size_t at, std::size_t count) {
  int value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (!IsDigit(text[i])) return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

struct Civil {
  int year, month, day, hour, minute, second;
};

bool IsValid(const Civil& c) {
  using std::chrono::day;
  using std::chrono::month;
  using std::chrono::year;
  if (c.year < 1678 || c.year > 2261) return false;
  const std::chrono::year_month_day date{year(c.year), month(static_cast<unsigned>(c.month)),
                                         day(static_cast<unsigned>(c.day))};
  return date.ok() && c.hour >= 0 && c.hour < 24 && c.minute >= 0 && c.minute < 60 &&
         c.second >= 0 && c.second < 60;
}

std::int64_t UnixSeconds(const Civil& c) {
  const std::chrono::year_month_day date{std::chrono::year(c.year),
                                         std::chrono::month(static_cast<unsigned>(c.month)),
                                         std::chrono::day(static_cast<unsigned>(c.day))};
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return days * 86'400 + c.hour * 3'600 + c.minute * 60 + c.second;
}

// The offset of "Z" or "+hh:mm" in seconds; nullopt if `zone` is neither.
std::optional<std::int64_t> ZoneSeconds(std::string_view zone) {
  if (zone == "Z" || zone == "z") return 0;
  if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':') return std::nullopt;
  const int hours = Digits(zone, 1, 2);
  const int minutes = Digits(zone, 4, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  const std::int64_t seconds = hours * 3'600 + minutes * 60;
  return zone[0] == '+' ? seconds : -seconds;
}

char* PutTwo(char* to, unsigned value) {
  *to++ = static_cast<char>('0' + value / 10);
  *to++ = static_cast<char>('0' + value % 10);
  return to;
}

// ".123" for 123'000'000 billionths, at most ten bytes; nothing for 0.
char* PutFraction(char* to, std::uint64_t billionths) {
  if (billionths == 0) return to;
  to[0] = '.';
  for (int i = 9; i >= 1; --i, billionths /= 10) {
    to[i] = static_cast<char>('0' + billionths % 10);
  }
  std::size_t length = 10;
  while (to[length - 1] == '0') --length;
  return to + length;
}

}  // namespace

absl::StatusOr<Duration> ParseDuration(std::string_view text) {
  std::string_view rest = text;
  std::int64_t nanos = 0;
  std::int64_t last_unit = std::numeric_limits<std::int64_t>::max();
  while (!rest.empty()) {
    const auto number = TakeDecimal(&rest);
    const Unit* unit = number ? TakeUnit(&rest) : nullptr;
    if (unit == nullptr || unit->nanos >= last_unit) return NotADuration(text);
    last_unit = unit->nanos;
    if (!AddUnits(*number, unit->nanos, &nanos)) {
      return InvalidArgument(
          StrCat("\"", Excerpt(text), "\" is longer than a duration can be (292 years)"));
    }
  }
  if (text.empty()) return NotADuration(text);
  return Duration(nanos);
}

absl::StatusOr<WallTime> ParseRfc3339(std::string_view text) {
  // 2026-12-01T02:53:24[.fraction](Z|+hh:mm)
  if (text.size() < 20 || text[4] != '-' || text[7] != '-' ||
      (text[10] != 'T' && text[10] != 't') || text[13] != ':' || text[16] != ':') {
    return NotAnInstant(text);
  }
  const Civil civil{Digits(text, 0, 4),  Digits(text, 5, 2),  Digits(text, 8, 2),
                    Digits(text, 11, 2), Digits(text, 14, 2), Digits(text, 17, 2)};
  if (civil.month < 0 || civil.day < 0 || !IsValid(civil)) return NotAnInstant(text);
  std::size_t at = 19;
  std::int64_t nanos = 0;
  if (text[at] == '.') {
    const auto billionths = TakeBillionths(text, &++at);
    if (!billionths) return NotAnInstant(text);
    nanos = *billionths;
  }
  const auto zone = ZoneSeconds(text.substr(at));
  if (!zone) return NotAnInstant(text);
  return WallFromUnixNanos((UnixSeconds(civil) - *zone) * kNanosPerSecond + nanos);
}

void AppendDuration(std::string* out, Duration d) {
  std::int64_t nanos = d.count();
  if (nanos == 0) {
    out->append("0s");
    return;
  }
  // Unsigned, since the smallest duration has no positive counterpart.
  auto magnitude = static_cast<std::uint64_t>(nanos);
  if (nanos < 0) {
    out->push_back('-');
    magnitude = 0 - magnitude;
  }
  const std::uint64_t unit = magnitude >= kNanosPerSecond ? kNanosPerSecond
                             : magnitude >= 1'000'000     ? 1'000'000
                             : magnitude >= 1'000         ? 1'000
                                                          : 1;
  char text[40];
  char* end = std::to_chars(text, text + sizeof text, magnitude / unit).ptr;
  end = PutFraction(end, magnitude % unit * (kNanosPerSecond / unit));
  out->append(text, static_cast<std::size_t>(end - text));
  out->append(unit == kNanosPerSecond ? "s"
              : unit == 1'000'000     ? "ms"
              : unit == 1'000         ? "us"
                                      : "ns");
}

void AppendRfc3339(std::string* out, WallTime at) {
  const std::int64_t nanos = at.time_since_epoch().count();
  std::int64_t seconds = nanos / kNanosPerSecond;
  std::int64_t fraction = nanos % kNanosPerSecond;
  if (fraction < 0) {
    fraction += kNanosPerSecond;
    --seconds;
  }
  std::int64_t days = seconds / 86'400;
  std::int64_t of_day = seconds % 86'400;
  if (of_day < 0) {
    of_day += 86'400;
    --days;
  }
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
  const auto year = static_cast<unsigned>(static_cast<int>(date.year()));
  char text[32];
  char* end = PutTwo(text, year / 100);
  end = PutTwo(end, year % 100);
  *end++ = '-';
  end = PutTwo(end, static_cast<unsigned>(date.month()));
  *end++ = '-';
  end = PutTwo(end, static_cast<unsigned>(date.day()));
  *end++ = 'T';
  end = PutTwo(end, static_cast<unsigned>(of_day / 3'600));
  *end++ = ':';
  end = PutTwo(end, static_cast<unsigned>(of_day / 60 % 60));
  *end++ = ':';
  end = PutTwo(end, static_cast<unsigned>(of_day % 60));
  end = PutFraction(end, static_cast<std::uint64_t>(fraction));
  *end++ = 'Z';
  out->append(text, static_cast<std::size_t>(end - text));
}

}  // namespace muster::base
