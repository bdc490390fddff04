#include "app/cli/figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/text.h"

namespace muster::app {

namespace {

// Three significant digits.
std::string Short(double value, const char* unit) {
  char text[48];
  const double size = std::fabs(value);
  const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  std::string shown = text;
  if (shown.find('.') != std::string::npos) {
    shown.erase(shown.find_last_not_of('0') + 1);
    if (shown.back() == '.') shown.pop_back();
  }
  return shown + unit;
}

}  // namespace

std::string ThousandsText(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string CountText(double value) {
  if (std::fabs(value) < 999.5) return Short(value, "");
  if (std::fabs(value) < 999.5e3) return Short(value / 1e3, "k");
  if (std::fabs(value) < 999.5e6) return Short(value / 1e6, "M");
  return Short(value / 1e9, "G");
}

std::string SecondsText(double seconds) {
  if (seconds <= 0) return "0s";
  if (seconds < 999.5e-9) return Short(std::round(seconds * 1e9), "ns");
  if (seconds < 999.5e-6) return Short(seconds * 1e6, "us");
  if (seconds < 999.5e-3) return Short(seconds * 1e3, "ms");
  if (seconds < 119.5) return Short(seconds, "s");
  char text[48];
  const auto whole = static_cast<long long>(seconds + 0.5);
  if (whole < 7200) {
    std::snprintf(text, sizeof text, "%lldm%02llds", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%lldh%02lldm", whole / 3600, whole / 60 % 60);
  }
  return text;
}

std::string AgeText(std::string_view exact) {
  const auto age = base::ParseDuration(exact);
  return age.ok() ? SecondsText(base::ToSeconds(*age)) : std::string(exact);
}

std::string BytesText(double bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1023.5 && unit + 1 < std::size(units)) {
    bytes /= 1024;
    ++unit;
  }
  return Short(bytes, units[unit]);
}

std::string PercentText(double fraction) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f%%", fraction * 100);
  return text;
}

std::string BarText(double fraction, int width) {
  static const char* const kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(fraction > 0)) fraction = 0;
  const int eighths = static_cast<int>(std::lround(std::min(fraction, 1.0) * width * 8));
  std::string bar;
  for (int i = 0; i < eighths / 8; ++i) bar += "█";
  bar += kEighths[eighths % 8];
  bar.append(static_cast<std::size_t>(width - (eighths + 7) / 8), ' ');
  return bar;
}

}  // namespace muster::app
