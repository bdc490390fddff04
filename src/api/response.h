// Appends one HTTP response to a buffer: head, body, and then the body's length into the head.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/problem.h"
#include "base/time.h"
#include "model/agent.h"

namespace muster::api {

// What a response must know of its request; carried in node::ReplyTo.
struct ReplyFlags {
  bool head_only = false;    // HEAD: the length is told, the body is not sent
  bool close = false;        // the last response of the connection
  bool keep_alive = false;   // said to an HTTP/1.0 client that asked for it
  bool upload_line = false;  // not a response of its own: one line of an NDJSON upload
};

enum class ContentType : std::uint8_t { kJson, kProblem, kText, kPrometheus };

class ResponseWriter {
 public:
  // `now` gives the Date. Begins the head.
  ResponseWriter(std::string* out, int status, ContentType type, ReplyFlags flags,
                 model::Revision revision, base::WallTime now);
  // A further line of the head, before the body. `value` holds no line break.
  void Header(std::string_view name, std::string_view value);
  void HeaderLines(std::string_view lines) { out_->append(lines); }
  // Ends the head; the body is appended to what this returns.
  std::string* BeginBody();
  void Finish();

 private:
  std::string* out_;
  std::size_t length_at_ = 0;
  std::size_t body_at_ = 0;
  bool head_only_;
};

void WriteProblem(const Problem& problem, ReplyFlags flags, model::Revision revision,
                  base::WallTime now, std::string* out);

}  // namespace muster::api
