#include "api/reply_queue.h"

#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "gtest/gtest.h"

namespace muster::api {
namespace {

void Answer(ReplyQueue* queue, ReplyQueue::Sequence sequence, std::string text) {
  queue->Begin(sequence)->append("HTTP/1.1 200 OK\r\n").append(text);
  EXPECT_EQ(queue->End(sequence), 200);
}

std::string Unsent(const ReplyQueue& queue) {
  std::string text(queue.unsent());
  const std::string head = "HTTP/1.1 200 OK\r\n";
  for (std::size_t at; (at = text.find(head)) != std::string::npos;) text.erase(at, head.size());
  return text;
}

TEST(ReplyQueue, AnswersLeaveInTheOrderOfTheRequests) {
  EXPECT_TRUE(rc::check("any order of answers", [](std::uint8_t count) {
    ReplyQueue queue;
    std::vector<ReplyQueue::Sequence> order;
    std::string expected;
    for (int i = 0; i < count; ++i) {
      order.push_back(queue.Open(RunClass::kQueries, 0));
      queue.MarkSubmitted(order.back());
      expected += std::to_string(i) + ";";
    }
    const auto swaps = *rc::gen::container<std::vector<std::pair<std::uint8_t, std::uint8_t>>>(
        rc::gen::arbitrary<std::pair<std::uint8_t, std::uint8_t>>());
    auto shuffled = order;
    for (const auto& [a, b] : swaps) {
      if (count > 0) std::swap(shuffled[a % count], shuffled[b % count]);
    }
    for (const auto sequence : shuffled) {
      Answer(&queue, sequence, std::to_string(sequence) + ";");
      RC_ASSERT(!queue.IsOpen(sequence));
    }
    RC_ASSERT(Unsent(queue) == expected);
    RC_ASSERT(queue.open() == 0u);
    RC_ASSERT(queue.submitted() == 0u);
  }));
}

TEST(ReplyQueue, WhatMayRunBesideWhat) {
  using C = RunClass;
  ReplyQueue queue;
  EXPECT_TRUE(queue.MayRun(C::kAlone, 0));
  const auto report = queue.Open(C::kReports, 0);
  queue.MarkSubmitted(report);
  EXPECT_TRUE(queue.MayRun(C::kReports, 0));
  EXPECT_FALSE(queue.MayRun(C::kQueries, 0));
  EXPECT_FALSE(queue.MayRun(C::kRegistrations, 1));
  EXPECT_FALSE(queue.MayRun(C::kAlone, 0));
  Answer(&queue, report, "");
  const auto registration = queue.Open(C::kRegistrations, 1);
  queue.MarkSubmitted(registration);
  EXPECT_TRUE(queue.MayRun(C::kRegistrations, 2));
  EXPECT_FALSE(queue.MayRun(C::kRegistrations, 1));
  EXPECT_FALSE(queue.MayRun(C::kReports, 0));
  Answer(&queue, registration, "");
  EXPECT_TRUE(queue.MayRun(C::kRegistrations, 1));
}

TEST(ReplyQueue, PartsAreSentUntilAllIs) {
  ReplyQueue queue;
  Answer(&queue, queue.Open(RunClass::kAlone, 0), "abc");
  const std::size_t size = queue.unsent().size();
  queue.Sent(size - 2);
  EXPECT_EQ(queue.unsent(), "bc");
  Answer(&queue, queue.Open(RunClass::kAlone, 0), "d");
  EXPECT_EQ(Unsent(queue), "bcd");
  queue.Sent(queue.unsent().size());
  EXPECT_TRUE(queue.unsent().empty());
}

TEST(ReplyQueue, AnAnswerThatComesTooLateHasNoPlace) {
  ReplyQueue queue;
  const auto sequence = queue.Open(RunClass::kQueries, 0);
  queue.MarkSubmitted(sequence);
  EXPECT_TRUE(queue.IsOpen(sequence));
  EXPECT_FALSE(queue.IsOpen(sequence + 1));
  queue.Clear();
  EXPECT_FALSE(queue.IsOpen(sequence));
}

}  // namespace
}  // namespace muster::api
