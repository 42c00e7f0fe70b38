#include "unit/verifier/Certificate.h"
#include "verifier/Tree.h"

#include <gtest/gtest.h>

#include <random>

namespace verify::tests {
namespace {

TEST(Tree, ReadsJson) {
  const Tree tree = parseYaml(R"({"a": [1, "x\n\u0041\"", null, "1/8"],"b":{}})").items.at(0);
  EXPECT_EQ(tree["a"].list()[0].count(), 1);
  EXPECT_EQ(tree["a"].list()[1].quoted(), "x\nA\"");
  EXPECT_TRUE(tree["a"].list()[3].number() == Number(1, 8));
  EXPECT_THROW(tree["a"].list()[2].count(), Rejection);
  EXPECT_THROW(tree["a"].list()[0].quoted(), Rejection);
  EXPECT_THROW(tree["a"]["b"], Rejection);
  for (const char* text : {"", "{", "{\"a\": [1,]}", "{\"a\":1,\"a\":2}", "\"", "{\"a\":\"\\\"}",
                           "{} 2", "{\"a\":\"\x01\"}", "{a:1}", "{\"a\"}", "{\"a\":}", "{\"a\"1}"})
    EXPECT_FALSE(verify::check(text, {}).accepted) << text;
  auto nested = [](const std::string& text) {
    return parseYaml("{\"a\":" + text + "}").items.at(0);
  };
  EXPECT_THROW(nested(std::string(100'000, '[')), Rejection);
  EXPECT_THROW(nested("\"1/0\"")["a"].number(), Undecided);
  EXPECT_THROW(nested("\"" + std::string(10'001, '9') + "\"")["a"].number(), Rejection);
}

TEST(Tree, SurvivesRandomYaml) {
  std::mt19937 random(5);
  const std::string letters = "ab:: \n\n  --{}[],'\"#|>\\\r1";
  int read = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text = i % 2 == 0 ? "a: " : "";
    for (auto n = random() % 40; n > 0; --n)
      text += letters[random() % letters.size()];
    try {
      parseYaml(text);
      ++read;
    } catch (const Rejection&) {
    }
  }
  EXPECT_GT(read, 1000);
}

TEST(Tree, ReadsLongTextsInTime) {
  for (const char* part : {"\n", " ", "#", "- ", "a: ", "[", "'", "\\", "a:\n ", ",", "a\n "})
    for (const char* start : {"a: ", "a: |\n  b\n", "a: \"", "a: [", "- "}) {
      std::string text = start;
      while (text.size() < 1'000'000)
        text += part;
      try {
        parseYaml(text);
      } catch (const Rejection&) {
      }
    }
}

// A changed byte may land in a text that nothing depends on; nothing may crash.
TEST(Check, SurvivesRandomBytes) {
  std::mt19937 random(3);
  int accepted = 0;
  for (auto example : {wholeExample, sliceExample, chainExample}) {
    const Certificate good = example();
    const std::string json = good.json();
    for (int i = 0; i < 300; ++i) {
      std::string changed = json, contract = good.contract;
      std::string& target = i % 8 == 0 ? contract : changed;
      for (int n = 0; n <= i % 3; ++n)
        target[random() % target.size()] =
            i % 2 == 0 ? static_cast<char>(random()) : json[random() % json.size()];
      accepted += verify::check(changed, {{"a.tikc.yaml", contract}}).accepted ? 1 : 0;
      verify::check(std::string_view(json).substr(0, random() % json.size()),
                    {{"a.tikc.yaml", contract}});
    }
  }
  EXPECT_LT(accepted, 100);
}

TEST(Text, SurvivesRandomQuotes) {
  std::mt19937 random(4);
  const std::string letters = "x: {}[],'\"#\n -ab<=>|&01.e_%()";
  Certificate certificate = chainExample();
  certificate.inputs.resize(1);
  certificate.steps.clear();
  certificate.claims.clear();
  for (int i = 0; i < 20'000; ++i) {
    const std::string section = i % 2 == 0 ? "numerical:\n" : "assumptions:\n";
    std::string text = i % 4 < 2 ? "  x: " : i % 8 < 4 ? "  layers: " : "  support: ";
    for (auto n = random() % 30; n > 0; --n)
      text += letters[random() % letters.size()];
    certificate.contract = section + text;
    certificate.inputs[0].quote = {text, section.size() + 2};
    EXPECT_FALSE(certificate.check().accepted);
  }
}

TEST(Check, GivesUpOnTooMuchWork) {
  std::uint64_t limit = Work::limit;
  Work::limit = 50'000'000;
  Certificate certificate = wholeExample();
  certificate.precision = 8192;
  for (int id = 100; id < 2000; ++id) {
    certificate.steps.push_back(certificate.steps[2]);
    certificate.steps.back().id = id;
  }
  Verdict verdict = certificate.check();
  Work::limit = limit;
  EXPECT_FALSE(verdict.accepted);
  EXPECT_NE(verdict.report.find("too long"), std::string::npos) << verdict.report;
}

TEST(Check, RefusesOtherFormsAndSizes) {
  Certificate certificate = wholeExample();
  certificate.precision = 8193;
  EXPECT_FALSE(certificate.check().accepted);
  EXPECT_FALSE(verify::check("{}", {}).accepted);
  EXPECT_FALSE(verify::check(wholeExample().json(), {}).accepted);
  certificate = wholeExample();
  certificate.inputs[9].value = "10000001";
  EXPECT_FALSE(certificate.check().accepted);
}

} // namespace
} // namespace verify::tests
