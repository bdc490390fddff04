#include "api/render.h"

#include <simdjson.h>

#include "gtest/gtest.h"

namespace muster::api {
namespace {

using model::StateCatalog;

class RenderTest : public testing::Test {
 protected:
  RenderTest() {
    agent_.registration.id = "t \"1\"";
    agent_.registration.card.name = "Übersetzer";
    agent_.registration.card.json = R"({"name":"Übersetzer", "url":"u", "skills":[ {"id":"x"} ]})";
    agent_.registration.labels = {{"region", "eu"}};
    agent_.registration.max_age = {{"load", std::chrono::seconds(2)}};
    agent_.registration.lease = std::chrono::seconds(60);
    agent_.incarnation = 41;
    agent_.revision = 57;
    agent_.registered_at = now_.wall - std::chrono::hours(1);
    reply_.revision = 60;
    reply_.now = now_;
    reply_.catalog = &catalog_;
    AddReading("load", [](model::ValueView& v) { v.number = 0.25; });
    AddReading("availability", [](model::ValueView& v) {
      v.type = model::StateType::kString;
      v.text = "ready";
    });
    AddReading("location", [](model::ValueView& v) {
      v.type = model::StateType::kLocation;
      v.location = {52.52, 13.4};
    });
    row_.agent = &agent_;
    row_.states = readings_;
    row_.heard_at = now_.wall;
  }
  template <typename Fill>
  void AddReading(const char* state, Fill fill) {
    directory::StateReading reading;
    reading.state = *catalog_.Find(state);
    fill(reading.value);
    reading.generated_at = now_.wall - std::chrono::milliseconds(500);
    reading.max_age = std::chrono::seconds(2);
    readings_.push_back(reading);
  }
  std::string Body() {
    std::string out;
    renderer_.RenderBody(reply_, &out);
    simdjson::dom::parser parser;
    simdjson::dom::element document;
    EXPECT_EQ(parser.parse(out).get(document), simdjson::SUCCESS) << out;
    return out;
  }
  std::string Whole(ReplyFlags flags) {
    std::string out;
    renderer_.Render(reply_, flags, &out);
    return out;
  }

  StateCatalog catalog_ = StateCatalog::BuiltIn();
  base::Now now_{base::MonoFromNanos(5), base::WallFromUnixNanos(1'800'000'000'000'000'000)};
  model::Agent agent_;
  std::vector<directory::StateReading> readings_;
  node::AgentRow row_;
  node::Reply reply_;
  Renderer renderer_;
};

TEST_F(RenderTest, AnAgent) {
  reply_.body = node::AgentFound{row_};
  EXPECT_EQ(
      Body(),
      R"({"id":"t \"1\"","incarnation":41,"revision":57,"registered_at":"2027-01-15T07:00:00Z",)"
      R"("heard_at":"2027-01-15T08:00:00Z","lapsed":false,"lease":"60s","max_age":{"load":"2s"},)"
      R"("labels":{"region":"eu"},)"
      R"("card":{"name":"Übersetzer", "url":"u", "skills":[ {"id":"x"} ]},)"
      R"("states":{"load":{"value":0.25,"generated_at":"2027-01-15T07:59:59.5Z","age":"500ms",)"
      R"("max_age":"2s","freshness":0.25},)"
      R"("availability":{"value":"ready","generated_at":"2027-01-15T07:59:59.5Z","age":"500ms",)"
      R"("max_age":"2s","freshness":0.25},)"
      R"("location":{"value":{"latitude":52.52,"longitude":13.4},)"
      R"("generated_at":"2027-01-15T07:59:59.5Z","age":"500ms","max_age":"2s","freshness":0.25}}})");
}

TEST_F(RenderTest, AnAnswerOfADiscovery) {
  row_.score = -1.5;
  row_.distance = 1234.5678;
  row_.lapsed = true;
  row_.states = std::span(readings_).first(1);
  const std::vector<std::string> fields = {"skills", "none", "url"};
  const node::AgentRow rows[] = {row_, row_};
  reply_.body = node::Discovered{
      std::span(rows).first(1),     &fields, 1.25, true, 17, std::chrono::microseconds(1500),
      std::chrono::microseconds(20)};
  EXPECT_EQ(Body(),
            R"({"agents":[{"id":"t \"1\"","name":"Übersetzer","score":-1.5,"distance":1234.568,)"
            R"("lapsed":true,"card":{"skills":[ {"id":"x"} ],"url":"u"},)"
            R"("states":{"load":{"value":0.25,"age":"500ms","freshness":0.25}}}],)"
            R"("freshness_risk":1.25,"stale":true,"revision":60,"waited":"1.5ms","took":"0.02ms",)"
            R"("total":17})");
}

TEST_F(RenderTest, Reports) {
  node::Reported reported;
  reported.revision = 58;
  reply_.body = reported;
  EXPECT_EQ(Body(), R"({"status":"applied","superseded":[],"revision":58})");
  reported.superseded_states.set(*catalog_.Find("load"));
  reported.superseded_states.set(*catalog_.Find("availability"));
  reported.superseded = true;
  reply_.body = reported;
  EXPECT_NE(Body().find(R"("status":"superseded","superseded":["load",)"), std::string::npos);
  reported = {};
  reported.queued_only = true;
  reply_.body = reported;
  EXPECT_EQ(Body(), R"({"status":"queued","superseded":[],"revision":60})");
  EXPECT_EQ(StatusOf(reply_), 202);
  reported = {};
  reported.duplicate = true;
  reply_.body = reported;
  EXPECT_NE(Body().find("\"duplicate\""), std::string::npos);
}

TEST_F(RenderTest, AWholeResponse) {
  reply_.body = node::Registered{node::Registered::Change::kCreated, 41, 57};
  EXPECT_EQ(Whole({}),
            "HTTP/1.1 201 Created\r\nDate: Fri, 15 Jan 2027 08:00:00 GMT\r\n"
            "Content-Type: application/json\r\nMuster-Revision: 60\r\n"
            "Content-Length:         51\r\nETag: \"57\"\r\n\r\n"
            R"({"incarnation":41,"revision":57,"change":"created"})");
  ReplyFlags flags;
  flags.head_only = flags.close = true;
  EXPECT_EQ(Whole(flags),
            "HTTP/1.1 201 Created\r\nDate: Fri, 15 Jan 2027 08:00:00 GMT\r\n"
            "Content-Type: application/json\r\nMuster-Revision: 60\r\nConnection: close\r\n"
            "Content-Length:         51\r\nETag: \"57\"\r\n\r\n");
}

TEST_F(RenderTest, ARefusal) {
  reply_.body = node::Refusal{node::Refusal::Kind::kOverloaded, "the queue is full",
                              std::chrono::milliseconds(1200)};
  const std::string response = Whole({});
  EXPECT_NE(response.find("HTTP/1.1 429 Too Many Requests\r\n"), std::string::npos);
  EXPECT_NE(response.find("\r\nRetry-After: 2\r\n"), std::string::npos);
  EXPECT_NE(response.find("\"retry_after\":\"1.2s\"}"), std::string::npos);
}

}  // namespace
}  // namespace muster::api
