#include "api/testing/test_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>

#include "base/check.h"
#include "base/strings.h"

namespace muster::api {

std::string HttpResponse::Field(std::string_view name) const {
  const std::string begin = base::StrCat("\r\n", std::string(name), ": ");
  const std::size_t at = head.find(begin);
  if (at == std::string::npos) return "";
  const std::size_t value = head.find_first_not_of(' ', at + begin.size());
  return head.substr(value, head.find("\r\n", value) - value);
}

TestServer::TestServer(Options options, node::Options node_options, const Access* access)
    : server_(options, 1, &clock_, access != nullptr ? access : &open_access_) {
  node_ = std::make_unique<node::Node>(node_options, &storage_, &clock_, &server_, &server_);
  MUSTER_CHECK(node_->Recover().ok(), "an empty store is recovered");
  server_.Attach(node_.get());
  const absl::Status listening = server_.Listen("127.0.0.1:0");
  MUSTER_CHECK(listening.ok(), "the loopback has a free port");
}

void TestServer::Step() {
  node::EventSource* source = server_.source(0);
  source->Poll(std::chrono::milliseconds(1), &inbox_);
  node_->Submit(0, &inbox_);
  while (node_->Work(0)) {
  }
  source->Flush();
}

TestConnection::TestConnection(TestServer* server, int receive_buffer_bytes) : server_(server) {
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (receive_buffer_bytes > 0) {
    setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof receive_buffer_bytes);
  }
  const int on = 1;  // or a second small send would wait for the first one's acknowledgement
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server->server().port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  MUSTER_CHECK(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0,
               "the test server listens");
  server_->Step();
}

TestConnection::~TestConnection() {
  if (socket_ >= 0) close(socket_);
  server_->Step();
}

bool TestConnection::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      continue;
    }
    if (errno != EAGAIN) return false;
    server_->Step();
    Pull();
  }
  return true;
}

void TestConnection::SendEnd() { shutdown(socket_, SHUT_WR); }

void TestConnection::Reset() {
  const linger hard{1, 0};
  setsockopt(socket_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
  close(socket_);
  socket_ = -1;
  closed_ = true;
}

bool TestConnection::Pull() {
  char buffer[64 * 1024];
  while (!closed_) {
    const ssize_t got = recv(socket_, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got > 0) {
      received_.append(buffer, static_cast<std::size_t>(got));
    } else if (got == 0 || errno != EAGAIN) {
      closed_ = true;
    } else {
      break;
    }
  }
  return !closed_;
}

bool TestConnection::TakeResponse(bool head_only, HttpResponse* response) {
  const std::size_t end = received_.find("\r\n\r\n");
  if (end == std::string::npos) return false;
  response->head = received_.substr(0, end + 2);
  std::from_chars(received_.data() + 9, received_.data() + 12, response->status);
  const std::string length_text = response->Field("Content-Length");
  std::size_t length = 0;
  std::from_chars(length_text.data(), length_text.data() + length_text.size(), length);
  if (head_only || response->status == 100) length = 0;
  if (received_.size() < end + 4 + length) return false;
  response->body = received_.substr(end + 4, length);
  received_.erase(0, end + 4 + length);
  return true;
}

HttpResponse TestConnection::Receive(bool head_only, int steps) {
  HttpResponse response;
  for (int i = 0; i < steps; ++i) {
    Pull();
    if (TakeResponse(head_only, &response)) return response;
    if (closed_) break;
    server_->Step();
  }
  return HttpResponse{};
}

bool TestConnection::Closed(int steps) {
  for (int i = 0; i < steps && Pull(); ++i) server_->Step();
  return closed_ && received_.empty();
}

HttpResponse TestConnection::Do(std::string_view method, std::string_view target,
                                std::string_view body, std::string_view fields) {
  Send(Request(method, target, body, fields));
  return Receive(method == "HEAD");
}

std::string Request(std::string_view method, std::string_view target, std::string_view body,
                    std::string_view fields) {
  std::string request = base::StrCat(method, " ", target, " HTTP/1.1\r\nHost: node\r\n", fields);
  if (!body.empty() || method == "PUT" || method == "POST" || method == "PATCH") {
    base::StrAppend(&request, "Content-Length: ", body.size(), "\r\n");
  }
  return base::StrCat(request, "\r\n", body);
}

}  // namespace muster::api
