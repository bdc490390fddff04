#include "api/upload.h"

#include <rapidcheck.h>

#include <deque>

#include "gtest/gtest.h"

namespace muster::api {
namespace {

using Kind = LineOutcome::Kind;

class UploadTest : public testing::Test {
 protected:
  UploadTest() {
    options_.ndjson_line_bytes_max = 8;
    options_.ndjson_lines_in_flight_max = 4;
    options_.ndjson_errors_max = 2;
    upload_.Begin();
  }
  std::size_t Take(std::string_view piece) {
    return upload_.Take(piece, [this](Upload::Slot slot, std::string_view line, std::string* id) {
      return Submit(slot, line, id);
    });
  }
  void End() {
    upload_.End([this](Upload::Slot slot, std::string_view line, std::string* id) {
      return Submit(slot, line, id);
    });
  }
  LineOutcome Submit(Upload::Slot slot, std::string_view line, std::string* id) {
    lines_.emplace_back(line);
    *id = "id";
    if (line.starts_with('!')) return {Kind::kRejected, {400, "bad [/x]", {}, {}}};
    slots_.push_back(slot);
    return {Kind::kPending, {}};
  }
  void SettleAll(LineOutcome outcome) {
    while (!slots_.empty()) {
      upload_.Settle(slots_.front(), outcome);
      slots_.pop_front();
    }
  }
  std::string Result() {
    std::string out;
    upload_.AppendResult(&out);
    return out;
  }

  Options options_;
  Upload upload_{&options_};
  std::vector<std::string> lines_;
  std::deque<Upload::Slot> slots_;
};

TEST_F(UploadTest, CutsLinesWhereverThePiecesEnd) {
  EXPECT_EQ(Take("ab"), 2u);
  EXPECT_EQ(Take("c\n"), 2u);
  EXPECT_EQ(Take("d\r\n\n \ne"), 7u);
  End();
  EXPECT_EQ(lines_, (std::vector<std::string>{"abc", "d\r", "e"}));
  EXPECT_EQ(upload_.lines(), 5u);
  SettleAll({Kind::kAccepted, {}});
  EXPECT_EQ(Result(), R"({"accepted":3,"superseded":0,"duplicate":0,"rejected":0,"errors":[]})");
}

TEST_F(UploadTest, StopsWhileTooManyLinesAreInFlight) {
  EXPECT_EQ(Take("a\nb\nc\nd\ne\nf\n"), 8u);
  EXPECT_FALSE(upload_.CanTake());
  upload_.Settle(slots_.front(), {Kind::kSuperseded, {}});
  slots_.pop_front();
  EXPECT_EQ(Take("e\nf\n"), 2u);
  SettleAll({Kind::kDuplicate, {}});
  EXPECT_EQ(Take("f\n"), 2u);
  SettleAll({Kind::kAccepted, {}});
  EXPECT_EQ(Result(), R"({"accepted":1,"superseded":1,"duplicate":4,"rejected":0,"errors":[]})");
}

TEST_F(UploadTest, ALineThatIsTooLongIsRejectedAlone) {
  Take("123456789\n12345678\n12345");
  Take("67890");
  Take("xyz\nok\n");
  EXPECT_EQ(lines_, (std::vector<std::string>{"12345678", "ok"}));
  SettleAll({Kind::kAccepted, {}});
  EXPECT_NE(Result().find("\"accepted\":2"), std::string::npos);
  EXPECT_NE(Result().find("\"rejected\":2"), std::string::npos);
  EXPECT_NE(Result().find("{\"line\":3,\"status\":413,"), std::string::npos) << Result();
}

TEST_F(UploadTest, RejectedLinesAreNamedUpToALimit) {
  Take("ok\n!\n");
  SettleAll({Kind::kRejected, {429, "full", std::chrono::seconds(2), {}}});
  Take("!\n");
  EXPECT_EQ(Result(), R"({"accepted":0,"superseded":0,"duplicate":0,"rejected":3,"errors":[)"
                      R"({"line":2,"id":"id","status":400,"detail":"bad","pointer":"/x"},)"
                      R"({"line":1,"id":"id","status":429,"detail":"full"}]})");
  EXPECT_EQ(upload_.retry_after(), std::chrono::seconds(2));
}

}  // namespace
}  // namespace muster::api
