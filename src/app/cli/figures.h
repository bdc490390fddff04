// Numbers for people, in few characters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace muster::app {

std::string ThousandsText(std::uint64_t value);  // 1,234,567
std::string CountText(double value);             // 950, 12.3k, 4.56M
std::string SecondsText(double seconds);         // 850ns, 12.3us, 1.24ms, 3.5s, 2m10s
std::string AgeText(std::string_view exact);     // "129.199ms" of the API in three digits
std::string BytesText(double bytes);             // 512B, 1.5KiB, 3.2MiB
std::string PercentText(double fraction);        // 42%

// `fraction` of `width` columns filled with blocks, in eighths; the rest blank.
std::string BarText(double fraction, int width);

}  // namespace muster::app
