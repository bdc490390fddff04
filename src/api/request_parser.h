// Cuts a byte stream into requests: a head, the pieces of its body, its end.
//
// Boost.Beast's parser underneath; stores what RequestHead names and nothing else, in reused
// buffers. Framing that could be read in two ways is refused (RFC 9112 section 11.2): a
// Transfer-Encoding other than `chunked`, both lengths at once, single-valued fields given twice,
// folded fields. Trailers are dropped.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "api/http.h"
#include "api/problem.h"

namespace muster::api {

class RequestParser {
 public:
  explicit RequestParser(std::size_t header_bytes_max);
  ~RequestParser();
  RequestParser(const RequestParser&) = delete;
  RequestParser& operator=(const RequestParser&) = delete;

  enum class Event {
    kNeedMore,  // nothing more can be read from this input
    kHead,      // head() is complete
    kBody,      // piece() holds a part of the body, within the input
    kDone,      // the request is complete
    kError,     // problem() says why; this parser is of no further use until Reset
  };

  // Reads on from `input` (what earlier calls have not consumed, and more); `*consumed` bytes of it
  // are done with. One event per call.
  Event Next(std::string_view input, std::size_t* consumed);

  const RequestHead& head() const;
  std::string_view piece() const;
  const Problem& problem() const;
  // True once a byte of the present request has been seen.
  bool started() const;

  // Ready for the next request.
  void Reset();

 private:
  struct Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace muster::api
