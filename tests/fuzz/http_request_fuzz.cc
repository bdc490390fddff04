// Any bytes as a connection's input, cut anywhere: read alike, never beyond the input, and requests
// are found one after the other until an error or the end. A mistake in a head that isn't complete
// may be seen at once or only when it is: input that came in pieces may still be waited for.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/call.h"
#include "api/request_parser.h"
#include "base/check.h"

namespace {

using muster::api::RequestParser;
using Event = RequestParser::Event;

constexpr std::string_view kMore = "|more";

// What was read, as text: targets, bodies and the error's status.
std::string Read(std::string_view input, std::size_t step) {
  RequestParser parser(4096);
  muster::api::Access access;
  muster::api::AccessReader reader(&access);
  muster::api::Call call;
  std::string transcript;
  std::size_t begin = 0;
  std::size_t end = 0;
  while (true) {
    std::size_t consumed = 0;
    const Event event = parser.Next(input.substr(begin, end - begin), &consumed);
    MUSTER_CHECK(consumed <= end - begin, "no more is consumed than was given");
    begin += consumed;
    if (event == Event::kNeedMore) {
      if (end == input.size()) return transcript.append(kMore);
      end = std::min(end + step, input.size());
    } else if (event == Event::kHead) {
      transcript += "|" + parser.head().target + "|";
      const auto problem = muster::api::ReadCall(parser.head(), &reader, &call);
      transcript += problem ? std::to_string(problem->status) : call.id;
    } else if (event == Event::kBody) {
      transcript.append(parser.piece());
    } else if (event == Event::kDone) {
      parser.Reset();
    } else {
      return transcript + "|" + std::to_string(parser.problem().status);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1 || size > 4000) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::string whole = Read(input, input.size() + 1);
  const std::string pieces = Read(input, data[0] % 16 + 1);
  const bool waits = pieces.ends_with(kMore);
  const std::string_view read(pieces.data(), pieces.size() - (waits ? kMore.size() : 0));
  MUSTER_CHECK(whole == pieces || (waits && whole.starts_with(read)),
               "how the input is cut changes nothing");
  return 0;
}
