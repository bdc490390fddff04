#include "base/json_writer.h"

#include <rapidcheck.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "simdjson.h"

namespace muster::base {
namespace {

TEST(JsonWriter, PlacesCommas) {
  std::string out;
  JsonWriter json(&out);
  json.BeginObject();
  json.Key("a");
  json.BeginArray();
  json.Integer(-1);
  json.Unsigned(18446744073709551615U);
  json.BeginObject();
  json.EndObject();
  json.BeginArray();
  json.EndArray();
  json.Null();
  json.EndArray();
  json.Key("b");
  json.Bool(true);
  json.Key("c");
  json.Raw("{\"x\": 1}");
  json.Key("d");
  json.Number(0.1);
  json.Key("e");
  json.String("f");
  json.EndObject();
  EXPECT_EQ(out,
            R"({"a":[-1,18446744073709551615,{},[],null],"b":true,"c":{"x": 1},"d":0.1,"e":"f"})");
}

TEST(JsonWriter, EscapesWhatJsonForbids) {
  std::string out;
  AppendJsonString(&out, std::string_view("\"\\/\b\f\n\r\t\0\x1f\x7f\u00e9\U0001F600", 17));
  EXPECT_EQ(out, "\"\\\"\\\\/\\u0008\\u000c\\n\\r\\t\\u0000\\u001f\x7f\u00e9\U0001F600\"");
}

TEST(JsonWriter, EscapesEveryByteAtEveryPlace) {
  for (int byte = 0; byte < 0x80; ++byte) {
    const bool must = byte < 0x20 || byte == '"' || byte == '\\';
    for (std::size_t at = 0; at < 19; ++at) {
      std::string text(19, 'x');
      text[at] = static_cast<char>(byte);
      std::string out;
      AppendJsonString(&out, text);
      EXPECT_EQ(out.size() > text.size() + 2, must) << byte << " at " << at;
    }
  }
}

TEST(JsonWriter, WritesTheShortestNumber) {
  const auto text = [](double value) {
    std::string out;
    JsonWriter(&out).Number(value);
    return out;
  };
  EXPECT_EQ(text(0), "0");
  EXPECT_EQ(text(0.3), "0.3");
  EXPECT_EQ(text(100), "100");
  EXPECT_EQ(text(1e300), "1e+300");
  EXPECT_EQ(text(5e-324), "5e-324");
}

TEST(JsonWriterDeathTest, RefusesWhatJsonCannotSay) {
  std::string out;
  EXPECT_DEATH(JsonWriter(&out).Number(std::nan("")), "NaN");
  EXPECT_DEATH(JsonWriter(&out).Number(std::numeric_limits<double>::infinity()), "NaN");
}

TEST(JsonWriter, NumbersReadBackEqual) {
  EXPECT_TRUE(rc::check([](std::uint64_t bits) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    RC_PRE(std::isfinite(value));
    std::string out;
    JsonWriter json(&out);
    json.BeginArray();
    json.Number(value);
    json.EndArray();
    simdjson::dom::parser parser;
    double read = 0;
    RC_ASSERT(parser.parse(out).at(0).get_double().get(read) == simdjson::SUCCESS);
    RC_ASSERT(read == value);
  }));
}

TEST(JsonWriter, StringsReadBackEqual) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint32_t>& points) {
    std::string text;
    for (const std::uint32_t drawn : points) {
      // Mostly small code points, among which are all that must be escaped.
      std::uint32_t point = drawn % 3 == 0 ? drawn % 0x110000 : drawn % 0x80;
      if (point >= 0xD800 && point < 0xE000) point = 0xFFFD;
      char utf8[4];
      const std::size_t length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      constexpr std::uint32_t kLead[] = {0, 0, 0xC0, 0xE0, 0xF0};
      for (std::size_t i = length; i-- > 1; point >>= 6) {
        utf8[i] = static_cast<char>(0x80 | (point & 0x3F));
      }
      utf8[0] = static_cast<char>(kLead[length] | point);
      text.append(utf8, length);
    }
    std::string out;
    JsonWriter json(&out);
    json.BeginObject();
    json.Key(text);
    json.String(text);
    json.EndObject();
    simdjson::dom::parser parser;
    simdjson::dom::object object;
    RC_ASSERT(parser.parse(out).get_object().get(object) == simdjson::SUCCESS);
    const auto field = *object.begin();
    RC_ASSERT(field.key == text);
    RC_ASSERT(std::string_view(field.value) == text);
  }));
}

}  // namespace
}  // namespace muster::base
