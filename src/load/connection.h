// One connection of the generator: what is to be sent, what is under way, what has come.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "load/workload.h"

namespace muster::load {

struct UnderWay {
  std::int64_t since = 0;  // sent or due, nanoseconds of the monotonic clock
  Kind kind = Kind::kReport;
};

class Connection {
 public:
  explicit Connection(std::uint32_t window) : ring_(window) {}
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  absl::Status Open(const std::string& host, std::uint16_t port);
  void Close();
  int descriptor() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }

  bool has_room() const { return size_ < ring_.size(); }
  std::size_t under_way() const { return size_; }
  // The request's bytes have been appended to output().
  void Push(UnderWay request) { ring_[(first_ + size_++) % ring_.size()] = request; }
  UnderWay Pop();

  std::string* output() { return &output_; }
  bool has_output() const { return sent_ < output_.size(); }
  // False: the connection is lost. What the socket doesn't take is kept.
  bool Flush(std::uint64_t* sent_bytes);

  // Reads what is there. False: the connection is lost.
  bool Receive(std::uint64_t* received_bytes);
  std::string_view input() const { return std::string_view(input_).substr(consumed_); }
  void Consume(std::size_t size) { consumed_ += size; }

 private:
  int descriptor_ = -1;
  std::vector<UnderWay> ring_;
  std::size_t first_ = 0, size_ = 0;
  std::string output_, input_;
  std::size_t sent_ = 0, consumed_ = 0;
};

}  // namespace muster::load
