#include "api/response.h"

#include <array>
#include <charconv>
#include <ctime>

#include "api/http.h"
#include "base/check.h"

namespace muster::api {
namespace {

constexpr std::size_t kLengthDigits = 10;

// "Date: ...\r\n" changes once a second; each thread keeps its own.
std::string_view DateLine(base::WallTime now) {
  thread_local std::array<char, 48> line{};
  thread_local std::size_t size = 0;
  thread_local std::int64_t second = -1;
  const std::int64_t wanted =
      std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
  if (wanted != second) {
    const std::time_t at = static_cast<std::time_t>(wanted);
    std::tm utc{};
    gmtime_r(&at, &utc);
    size = std::strftime(line.data(), line.size(), "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &utc);
    second = wanted;
  }
  return {line.data(), size};
}

std::string_view StatusLine(int status, std::string* other) {
  switch (status) {
    case 200:
      return "HTTP/1.1 200 OK\r\n";
    case 201:
      return "HTTP/1.1 201 Created\r\n";
    case 202:
      return "HTTP/1.1 202 Accepted\r\n";
    default:
      other->assign("HTTP/1.1 ").append(std::to_string(status)).append(" ");
      other->append(ReasonPhrase(status)).append("\r\n");
      return *other;
  }
}

std::string_view ContentTypeLine(ContentType type) {
  switch (type) {
    case ContentType::kJson:
      return "Content-Type: application/json\r\n";
    case ContentType::kProblem:
      return "Content-Type: application/problem+json\r\n";
    case ContentType::kText:
      return "Content-Type: text/plain; charset=utf-8\r\n";
    case ContentType::kPrometheus:
      return "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n";
  }
  return "";
}

}  // namespace

ResponseWriter::ResponseWriter(std::string* out, int status, ContentType type, ReplyFlags flags,
                               model::Revision revision, base::WallTime now)
    : out_(out), head_only_(flags.head_only) {
  std::string other;
  out_->append(StatusLine(status, &other));
  out_->append(DateLine(now));
  out_->append(ContentTypeLine(type));
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), revision).ptr;
  out_->append("Muster-Revision: ").append(digits.data(), end);
  if (flags.close) {
    out_->append("\r\nConnection: close");
  } else if (flags.keep_alive) {
    out_->append("\r\nConnection: keep-alive");
  }
  out_->append("\r\nContent-Length: ");
  length_at_ = out_->size();
  out_->append(kLengthDigits, ' ');
  out_->append("\r\n");
}

void ResponseWriter::Header(std::string_view name, std::string_view value) {
  out_->append(name).append(": ").append(value).append("\r\n");
}

std::string* ResponseWriter::BeginBody() {
  out_->append("\r\n");
  body_at_ = out_->size();
  return out_;
}

void ResponseWriter::Finish() {
  std::size_t length = out_->size() - body_at_;
  MUSTER_CHECK(length < 10'000'000'000, "a response body has at most ten digits of bytes");
  // Right-aligned: white space before a field's value is no part of it.
  for (std::size_t at = length_at_ + kLengthDigits; at-- > length_at_;) {
    (*out_)[at] = static_cast<char>('0' + length % 10);
    length /= 10;
    if (length == 0) break;
  }
  if (head_only_) out_->resize(body_at_);
}

void WriteProblem(const Problem& problem, ReplyFlags flags, model::Revision revision,
                  base::WallTime now, std::string* out) {
  ResponseWriter response(out, problem.status, ContentType::kProblem, flags, revision, now);
  if (problem.retry_after > base::Duration(0)) {
    response.Header("Retry-After", std::to_string(RetryAfterSeconds(problem.retry_after)));
  }
  response.HeaderLines(problem.headers);
  AppendProblem(problem, response.BeginBody());
  response.Finish();
}

}  // namespace muster::api
