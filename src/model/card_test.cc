#include "model/card.h"

#include <fstream>
#include <string>
#include <vector>

#include "base/strings.h"
#include "gtest/gtest.h"
#include "model/agent.h"

namespace muster::model {
namespace {

using Texts = std::vector<std::string>;

AgentCard Parsed(std::string_view json) {
  auto card = ParseCard(json, Limits());
  EXPECT_TRUE(card.ok()) << card.status();
  return card.ok() ? *std::move(card) : AgentCard();
}

std::string Refusal(std::string_view json, const Limits& limits = {}) {
  const auto card = ParseCard(json, limits);
  EXPECT_FALSE(card.ok()) << json;
  return std::string(base::Message(card.status()));
}

TEST(ParseCard, ReadsProtocol03) {
  const AgentCard card = Parsed(R"({"protocolVersion": "0.3.0", "name": "Translator",
      "description": "Translates.", "version": "1.2", "url": "https://example.org/a2a",
      "provider": {"organization": "Acme", "url": "https://example.org"},
      "preferredTransport": "JSONRPC",
      "additionalInterfaces": [{"url": "https://example.org/grpc", "transport": "GRPC"}],
      "skills": [{"id": "translate", "name": "Translate", "tags": ["language", "eu"]},
                 {"id": "proofread", "name": "Translate", "tags": ["language"]}]})");
  EXPECT_EQ(card.name, "Translator");
  EXPECT_EQ(card.description, "Translates.");
  EXPECT_EQ(card.version, "1.2");
  EXPECT_EQ(card.provider, "Acme");
  EXPECT_EQ(card.skills, (Texts{"Translate", "proofread", "translate"}));
  EXPECT_EQ(card.tags, (Texts{"eu", "language"}));
  EXPECT_EQ(card.protocols, (Texts{"GRPC", "JSONRPC"}));
}

TEST(ParseCard, ReadsProtocol10) {
  const AgentCard card = Parsed(R"({"name": "T", "supportedInterfaces": [
      {"url": "https://example.org", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"},
      {"url": "https://example.org", "protocolBinding": "GRPC"}],
      "registryTags": ["beta"], "domains": ["law", {"name": "finance"}],
      "skills": ["plain", {"id": "x", "domains": ["health"]}]})");
  EXPECT_EQ(card.protocols, (Texts{"GRPC", "HTTP+JSON"}));
  EXPECT_EQ(card.tags, (Texts{"beta"}));
  EXPECT_EQ(card.domains, (Texts{"finance", "health", "law"}));
  EXPECT_EQ(card.skills, (Texts{"plain", "x"}));
}

TEST(ParseCard, KeepsItsBytes) {
  const std::string json =
      "{ \"name\" :\t\"\\u0041\" , \"x\":[1.0,2e0,123456789012345678901234567890] }";
  const AgentCard card = Parsed(json);
  EXPECT_EQ(card.json, json);
  EXPECT_EQ(card.name, "A");
}

TEST(ParseCard, LeavesOutWhatHasAnotherShape) {
  const AgentCard card =
      Parsed(R"({"name": "T", "description": 3, "provider": "Acme", "version": {},
      "skills": {"id": "x"}, "tags": "x", "domains": [1, null, [["deep"]], {"id": "y"}, ""],
      "preferredTransport": ["x"], "supportedInterfaces": [true, {"protocolBinding": 1}]})");
  EXPECT_EQ(card.description, "");
  EXPECT_EQ(card.provider, "");
  EXPECT_TRUE(card.skills.empty());
  EXPECT_TRUE(card.tags.empty());
  EXPECT_TRUE(card.domains.empty());
  EXPECT_TRUE(card.protocols.empty());
}

TEST(ParseCard, NamesDeepInItAreNotItsName) {
  EXPECT_EQ(Parsed(R"({"x": {"name": "inner"}, "name": "outer", "tags": [{"name": "t"}]})").name,
            "outer");
}

TEST(ParseCard, RefusesWhatHasNoName) {
  for (const char* json : {"{}", R"({"name": ""})", R"({"name": 3})", R"({"name": null})",
                           R"({"name": ["x"]})", R"({"title": "x"})"}) {
    EXPECT_EQ(Refusal(json), "a card needs a `name`, a string that is not empty [/card/name]");
  }
  EXPECT_EQ(Refusal(R"({"name": "a\u0000b"})"),
            "a name must hold no control characters [/card/name]");
}

TEST(ParseCard, RefusesWhatIsNoObject) {
  EXPECT_EQ(Refusal("[1]"), "expected an object, the agent's card, got an array [/card]");
  for (const char* json : {"", " ", "3", "null", "\"x\""}) Refusal(json);
}

TEST(ParseCard, SaysWhereTheTextIsMalformed) {
  EXPECT_EQ(Refusal(R"({"name": "x", "a": {"b": [1, trux]}})"),
            "malformed JSON near byte 29: neither true, false nor null [/card/a/b/1]");
  EXPECT_EQ(Refusal("{\"name\": \"x\xff\"}"), "malformed JSON near byte 11: not valid UTF-8 []");
  EXPECT_NE(Refusal(R"({"name": "x", "y": "\ud800"})").find("[/card/y]"), std::string::npos);
  EXPECT_NE(Refusal(R"({"name": "x"} {})").find("byte 14"), std::string::npos);
  EXPECT_NE(Refusal(R"({"name": "x", "n": 1e999})").find("[/card/n]"), std::string::npos);
}

TEST(ParseCard, RefusesAKeyThatStandsTwice) {
  EXPECT_EQ(Refusal(R"({"name": "x", "a": [{"k": 1, "\u006b": 2}]})"),
            "this key stands here twice; send each once [/card/a/0/k]");
  Refusal(R"({"name": "x", "name": "x"})");
}

TEST(ParseCard, BoundsDepth) {
  const auto nested = [](int levels) {
    std::string open;
    std::string close;
    for (int i = 0; i < levels; ++i) open += i % 2 == 0 ? "[" : "{\"a\":";
    for (int i = levels; i-- > 0;) close += i % 2 == 0 ? "]" : "}";
    return R"({"name": "x", "y": )" + open + "1" + close + "}";
  };
  EXPECT_EQ(Parsed(nested(63)).name, "x");
  EXPECT_NE(Refusal(nested(64)).find("more than 64 deep"), std::string::npos);
  Limits limits;
  limits.card_bytes_max = 1'000'000;
  EXPECT_NE(Refusal(nested(100'000), limits).find("more than 64 deep"), std::string::npos);
  Refusal("{\"name\": \"x\", \"y\": " + std::string(100'000, '['));
}

TEST(ParseCard, BoundsBytesAndValues) {
  Limits limits;
  limits.card_bytes_max = 20;
  limits.card_values_max = 2;
  EXPECT_TRUE(ParseCard(R"({"name": "123456789"})", limits).status().code() ==
              absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(ParseCard(R"({"name": "12345678"})", limits).ok());
  limits.card_bytes_max = 1'000;
  EXPECT_TRUE(ParseCard(R"({"name": "x", "tags": ["a", "b"]})", limits).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(
      ParseCard(R"({"name": "x", "tags": ["a", "b"], "skills": ["c"]})", limits).status()));
}

// The numbers of distinct values were counted by another program.
TEST(ParseCard, ReadsEveryRealCard) {
  std::ifstream file(MUSTER_SOURCE_DIR "/data/agents/cards.ndjson");
  ASSERT_TRUE(file.is_open());
  std::size_t cards = 0;
  std::size_t skills = 0;
  std::size_t tags = 0;
  std::size_t protocols = 0;
  std::size_t providers = 0;
  for (std::string line; std::getline(file, line);) {
    // A row ends in its card: {..., "card": {...}}
    const std::size_t begin = line.find("\"card\": ") + 8;
    const std::string json = line.substr(begin, line.size() - 1 - begin);
    const AgentCard card = Parsed(json);
    EXPECT_EQ(card.json, json);
    EXPECT_FALSE(card.name.empty());
    const auto registration = ParseRegistration("a", "{" + line.substr(begin - 8), Limits());
    ASSERT_TRUE(registration.ok()) << registration.status();
    EXPECT_EQ(registration->card.json, json);
    EXPECT_EQ(registration->card.tags, card.tags);
    ++cards;
    skills += card.skills.size();
    tags += card.tags.size();
    protocols += card.protocols.size();
    providers += card.provider.empty() ? 0 : 1;
  }
  EXPECT_EQ(cards, 48);
  EXPECT_EQ(skills, 266);
  EXPECT_EQ(tags, 408);
  EXPECT_EQ(protocols, 16);
  EXPECT_EQ(providers, 40);
}

}  // namespace
}  // namespace muster::model
