#include "api/client.h"

// One thread runs each context, and ThreadSanitizer knows no fences.
#define BOOST_ASIO_DISABLE_FENCED_BLOCK 1
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <optional>

#include "api/ascii.h"
#include "base/strings.h"

namespace muster::api {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Error = beast::error_code;

}  // namespace

std::string_view ClientResponse::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (EqualsIgnoreCase(key, name)) return value;
  }
  return {};
}

struct Client::Connection {
  absl::Status Connect();
  absl::Status Exchange(const http::request<http::string_body>& request, ClientResponse* response);
  // What is started next has so much time.
  void Prepare(base::Duration time_max) {
    context.restart();
    stream->expires_after(time_max);
  }
  absl::Status Failed(std::string_view what, const Error& error) const;

  ClientOptions options;
  std::string host;
  std::string port;
  asio::io_context context;
  std::optional<beast::tcp_stream> stream;
  beast::flat_buffer buffer;
};

absl::Status Client::Connection::Failed(std::string_view what, const Error& error) const {
  const std::string message = base::StrCat(what, " ", options.url, ": ", error.message(), ".");
  return error == beast::error::timeout ? absl::DeadlineExceededError(message)
                                        : absl::UnavailableError(message);
}

absl::Status Client::Connection::Connect() {
  if (stream) return absl::OkStatus();
  Error error;
  tcp::resolver resolver(context);
  const auto endpoints = resolver.resolve(host, port, error);
  if (error) return Failed("Can't find", error);
  stream.emplace(context);
  buffer.clear();
  Prepare(options.connect_time_max);
  stream->async_connect(endpoints, [&](const Error& e, const tcp::endpoint&) { error = e; });
  context.run();
  if (error) {
    stream.reset();
    return Failed("Can't connect to", error);
  }
  stream->socket().set_option(tcp::no_delay(true), error);
  return absl::OkStatus();
}

absl::Status Client::Connection::Exchange(const http::request<http::string_body>& request,
                                          ClientResponse* response) {
  Error error;
  http::response_parser<http::string_body> parser;
  parser.body_limit(options.body_bytes_max);
  parser.skip(request.method() == http::verb::head);
  Prepare(options.answer_time_max);
  http::async_write(*stream, request, [&](const Error& e, std::size_t) { error = e; });
  context.run();
  if (!error) {
    context.restart();
    http::async_read(*stream, buffer, parser, [&](const Error& e, std::size_t) { error = e; });
    context.run();
  }
  if (error) return Failed("No answer from", error);
  const auto message = parser.release();
  response->status = static_cast<int>(message.result_int());
  for (const auto& field : message) {
    response->headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
  }
  response->body = message.body();
  if (!message.keep_alive()) stream.reset();
  return absl::OkStatus();
}

Client::Client(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;
Client::~Client() = default;

absl::StatusOr<Client> Client::Make(const ClientOptions& options) {
  auto connection = std::make_unique<Connection>();
  connection->options = options;
  std::string_view rest = options.url;
  const auto wrong = [&] {
    return base::InvalidArgument(
        base::StrCat("\"", options.url, "\" is no node's URL. Write http://host:port."));
  };
  if (!StartsWithIgnoreCase(rest, "http://")) return wrong();
  rest.remove_prefix(7);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  if (rest.empty() || rest.find('/') != std::string_view::npos) return wrong();
  const std::size_t colon = rest.rfind(':');
  const bool has_port = colon != std::string_view::npos && rest.back() != ']';
  std::string_view host = has_port ? rest.substr(0, colon) : rest;
  connection->port = has_port ? std::string(rest.substr(colon + 1)) : "80";
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.empty() || connection->port.empty() ||
      connection->port.find_first_not_of("0123456789") != std::string::npos) {
    return wrong();
  }
  connection->host = std::string(host);
  return Client(std::move(connection));
}

absl::StatusOr<ClientResponse> Client::Send(std::string_view method, std::string_view target,
                                            std::string_view body, std::string_view content_type,
                                            const Headers& headers) {
  Connection& c = *connection_;
  http::request<http::string_body> request;
  request.version(11);
  request.method_string(beast::string_view(method.data(), method.size()));
  request.target(beast::string_view(target.data(), target.size()));
  request.set(http::field::host, base::StrCat(c.host, ":", c.port));
  if (!c.options.token.empty()) {
    request.set(http::field::authorization, "Bearer " + c.options.token);
  }
  if (!body.empty()) request.set(http::field::content_type, std::string(content_type));
  for (const auto& [name, value] : headers) request.set(name, value);
  request.body() = std::string(body);
  request.prepare_payload();

  const bool reused = c.stream.has_value();
  if (absl::Status connected = c.Connect(); !connected.ok()) return connected;
  ClientResponse response;
  absl::Status sent = c.Exchange(request, &response);
  if (!sent.ok()) c.stream.reset();
  if (absl::IsUnavailable(sent) && reused) {
    if (absl::Status connected = c.Connect(); !connected.ok()) return connected;
    sent = c.Exchange(request, &response);
    if (!sent.ok()) c.stream.reset();
  }
  if (!sent.ok()) return sent;
  return response;
}

}  // namespace muster::api
