#include "api/request_parser.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <optional>

#include "api/ascii.h"

namespace muster::api {
namespace {

namespace http = boost::beast::http;

Method FromVerb(http::verb verb) {
  switch (verb) {
    case http::verb::get:
      return Method::kGet;
    case http::verb::head:
      return Method::kHead;
    case http::verb::put:
      return Method::kPut;
    case http::verb::post:
      return Method::kPost;
    case http::verb::delete_:
      return Method::kDelete;
    case http::verb::patch:
      return Method::kPatch;
    case http::verb::options:
      return Method::kOptions;
    default:
      return Method::kOther;
  }
}

// What the parser writes into; outlives the Beast object, which can't be reset.
struct Sink {
  RequestHead head;
  std::string_view piece;
  std::string_view input;  // of the present call
  bool in_header = true;
  Problem problem;
};

class BeastParser : public http::basic_parser<true> {
 public:
  BeastParser(Sink* sink, std::uint32_t header_bytes_max) : sink_(sink) {
    body_limit(boost::none);
    header_limit(header_bytes_max);
  }

 private:
  using View = boost::beast::string_view;
  using Error = boost::beast::error_code;
  static std::string_view Std(View view) { return {view.data(), view.size()}; }

  void on_request_impl(http::verb verb, View, View target, int version, Error&) override {
    sink_->head.method = FromVerb(verb);
    sink_->head.target.assign(target.data(), target.size());
    sink_->head.http11 = version == 11;
  }
  void on_response_impl(int, View, int, Error&) override {}
  void on_field_impl(http::field field, View name, View value, Error& error) override {
    if (!sink_->in_header) return;
    // A field folded over lines is the only one whose value isn't a part of the input.
    if (!value.empty() && (value.data() < sink_->input.data() ||
                           value.data() >= sink_->input.data() + sink_->input.size())) {
      Refuse(400, "A header field is folded over lines. Write it on one.", error);
      return;
    }
    OnField(field, Std(name), Std(value), error);
  }
  void on_header_impl(Error&) override {
    sink_->head.keep_alive = keep_alive();
    sink_->head.chunked = chunked();
    if (const auto length = content_length()) sink_->head.content_length = *length;
    sink_->in_header = false;
  }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, Error&) override {}
  std::size_t on_body_impl(View body, Error&) override {
    sink_->piece = Std(body);
    return body.size();
  }
  void on_chunk_header_impl(std::uint64_t, View, Error&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, View body, Error&) override {
    sink_->piece = Std(body);
    return body.size();
  }
  void on_finish_impl(Error&) override {}

  void OnField(http::field field, std::string_view name, std::string_view value, Error& error);
  void Keep(std::string* kept, std::string_view name, std::string_view value, Error& error) {
    if (!kept->empty()) {
      Refuse(400, "The header field " + std::string(name) + " is given twice. Send it once.",
             error);
      return;
    }
    kept->assign(value);
  }
  void Refuse(int status, std::string detail, Error& error) {
    sink_->problem = Problem{status, std::move(detail), base::Duration(0), {}};
    error = http::error::bad_field;
  }

  Sink* sink_;
};

void BeastParser::OnField(http::field field, std::string_view name, std::string_view value,
                          Error& error) {
  RequestHead& head = sink_->head;
  switch (field) {
    case http::field::host:
      if (head.has_host) Refuse(400, "The header field Host is given twice. Send it once.", error);
      head.has_host = true;
      return;
    case http::field::authorization:
      return Keep(&head.authorization, name, value, error);
    case http::field::content_type:
      return Keep(&head.content_type, name, value, error);
    case http::field::if_match:
      return Keep(&head.if_match, name, value, error);
    case http::field::if_none_match:
      return Keep(&head.if_none_match, name, value, error);
    case http::field::accept:
      if (!head.accept.empty()) head.accept.append(", ");
      head.accept.append(value);
      return;
    case http::field::expect:
      head.expect_continue = EqualsIgnoreCase(value, "100-continue");
      if (!head.expect_continue) {
        Refuse(417, "Only Expect: 100-continue is known. Leave the field out.", error);
      }
      return;
    case http::field::transfer_encoding:
      if (!EqualsIgnoreCase(value, "chunked")) {
        Refuse(501, "Transfer-Encoding may only be chunked. Send the body without another coding.",
               error);
      }
      return;
    case http::field::content_encoding:
      if (!EqualsIgnoreCase(value, "identity")) {
        Refuse(415, "Bodies are read without a Content-Encoding. Send this one uncompressed.",
               error);
      }
      return;
    case http::field::unknown:
      if (EqualsIgnoreCase(name, "Muster-Deadline")) {
        Keep(&head.deadline, name, value, error);
      }
      return;
    default:
      return;
  }
}

Problem Malformed(int status, std::string detail) {
  return Problem{status, std::move(detail), base::Duration(0), {}};
}

Problem FromBeast(http::error error) {
  switch (error) {
    case http::error::header_limit:
      return Malformed(431,
                       "The request line and header fields are larger than this server accepts.");
    case http::error::bad_version:
      return Malformed(505, "Only HTTP/1.1 and HTTP/1.0 are spoken here.");
    case http::error::bad_method:
      return Malformed(400, "The request does not begin with an HTTP method.");
    case http::error::bad_target:
      return Malformed(400,
                       "The request target holds a character that it may not; percent-encode it.");
    case http::error::bad_content_length:
    case http::error::multiple_content_length:
      return Malformed(400,
                       "Content-Length is not one number, or stands beside Transfer-Encoding.");
    case http::error::bad_transfer_encoding:
      return Malformed(400, "Transfer-Encoding is given twice or beside Content-Length.");
    case http::error::bad_chunk:
    case http::error::bad_chunk_extension:
      return Malformed(
          400, "The chunked body is malformed: a chunk does not begin with its size in hex.");
    default:
      return Malformed(400,
                       "The request is not well-formed HTTP/1.1: a header field is malformed.");
  }
}

}  // namespace

struct RequestParser::Machine {
  explicit Machine(std::size_t limit) : header_bytes_max(static_cast<std::uint32_t>(limit)) {
    Reset();
  }
  void Reset() {
    sink.head.Clear();
    sink.piece = {};
    sink.in_header = true;
    parser.emplace(&sink, header_bytes_max);
    head_given = false;
    head_bytes = 0;
  }

  std::uint32_t header_bytes_max;
  Sink sink;
  std::optional<BeastParser> parser;
  bool head_given = false;
  std::size_t head_bytes = 0;  // read so far
};

RequestParser::RequestParser(std::size_t header_bytes_max)
    : machine_(std::make_unique<Machine>(header_bytes_max)) {}
RequestParser::~RequestParser() = default;

RequestParser::Event RequestParser::Next(std::string_view input, std::size_t* consumed) {
  Machine& m = *machine_;
  *consumed = 0;
  m.sink.piece = {};
  while (true) {
    if (m.head_given && m.parser->is_done()) return Event::kDone;
    if (!m.head_given && m.parser->is_header_done()) {
      m.head_given = true;
      return Event::kHead;
    }
    const std::string_view rest = input.substr(*consumed);
    m.sink.input = rest;
    if (rest.empty()) return Event::kNeedMore;
    boost::beast::error_code error;
    const std::size_t used =
        m.parser->put(boost::asio::const_buffer(rest.data(), rest.size()), error);
    *consumed += used;
    if (!m.head_given) {
      // Beast's own limit begins anew with each piece of input.
      m.head_bytes += used;
      if (m.head_bytes > m.header_bytes_max) error = http::error::header_limit;
    }
    if (error == http::error::need_more) return Event::kNeedMore;
    if (error) {
      if (m.sink.problem.detail.empty()) {
        m.sink.problem = FromBeast(static_cast<http::error>(error.value()));
      }
      return Event::kError;
    }
    if (!m.sink.piece.empty()) return Event::kBody;
  }
}

const RequestHead& RequestParser::head() const { return machine_->sink.head; }
std::string_view RequestParser::piece() const { return machine_->sink.piece; }
const Problem& RequestParser::problem() const { return machine_->sink.problem; }
bool RequestParser::started() const { return machine_->parser->got_some(); }
void RequestParser::Reset() { machine_->Reset(); }

}  // namespace muster::api
