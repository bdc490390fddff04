// What a client asks of the node, parsed and checked in form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/time.h"
#include "model/agent.h"
#include "model/query.h"
#include "model/report.h"

namespace muster::node {

// Where the reply goes; meaningful to the shell that submitted the request alone.
struct ReplyTo {
  std::uint32_t worker = 0;
  std::uint32_t connection = 0;
  std::uint64_t request = 0;
};

// When a write is answered.
enum class Ack : std::uint8_t {
  kQueued,   // once it waits in the update queue
  kApplied,  // once queries see it
  kDurable,  // once it is on stable storage (and applied)
};

struct ReportRequest {
  model::Report report;
  Ack ack = Ack::kApplied;
  ReplyTo reply_to;
  std::optional<base::Duration> deadline;  // Muster-Deadline
  std::uint32_t bytes = 0;                 // of its text, for the queue's bound
};

struct RegisterRequest {
  model::Registration registration;
  std::optional<model::Revision> if_match;  // replace only this revision
};
struct DeregisterRequest {
  std::string id;
  std::optional<model::Revision> if_match;
};
struct GetRequest {
  std::string id;
};
struct EventsRequest {
  std::string id;
  std::string cursor;
  std::uint32_t limit = 100;
};
struct DiscoverRequest {
  model::Query query;
};
struct ListRequest {
  model::Query query;  // limit: the page size
  std::string cursor;
};

using RequestBody = std::variant<RegisterRequest, DeregisterRequest, GetRequest, EventsRequest,
                                 DiscoverRequest, ListRequest>;

struct Request {
  RequestBody body;
  Ack ack = Ack::kDurable;  // of registrations and removals
  ReplyTo reply_to;
  std::optional<base::Duration> deadline;  // Muster-Deadline; else the node's default
  std::uint32_t bytes = 0;
};

// What a shell has parsed since it last submitted. Report entries are reused, so that parsing a
// report into one allocates nothing once warm.
class Inbox {
 public:
  ReportRequest& AddReport() {
    if (reports_size_ == reports_.size()) reports_.emplace_back();
    return reports_[reports_size_++];
  }
  void DropLastReport() { --reports_size_; }
  Request& Add() { return others_.emplace_back(); }

  std::size_t size() const { return reports_size_ + others_.size(); }
  bool empty() const { return size() == 0; }

 private:
  friend class Node;
  std::vector<ReportRequest> reports_;
  std::size_t reports_size_ = 0;
  std::vector<Request> others_;
};

}  // namespace muster::node
