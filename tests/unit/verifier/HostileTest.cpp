#include "unit/verifier/Certificate.h"
#include "verifier/Json.h"

#include <gtest/gtest.h>

#include <random>

namespace verify::tests {
namespace {

TEST(Json, ReadsStrictly) {
  EXPECT_EQ(Json::parse(R"({"a": [1, "x\n\u0041\"", null, 1]})")["a"].list()[1].text(), "x\nA\"");
  for (const char* text : {"", "{", "[1,]", "{\"a\":1,\"a\":2}", "\"", "\"\\q\"", "\"\\u12\"", "01",
                           "1.", "1e", "-", "nul", "[1] 2", "\"\x01\"", "'a'", "{a:1}"})
    EXPECT_THROW(Json::parse(text), Rejected) << text;
  EXPECT_THROW(Json::parse(std::string(100'000, '[')), Rejected);
  EXPECT_THROW(Json::parse("\"1/0\"").number(), Rejected);
  EXPECT_THROW(Json::parse("\"" + std::string(10'001, '9') + "\"").number(), Rejected);
}

TEST(Sha256, KnowsItsVectors) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(119, 'a')),
            "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
  EXPECT_EQ(sha256(std::string(64, 'b')),
            "a0fab1377f49a759b57f63318262ebe89fabfc990e8e93ceac2984561482b9d4");
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
    const std::string section = i % 2 == 0 ? "numerical: { " : "assumptions: { ";
    std::string text = i % 4 < 2 ? "x: " : i % 8 < 4 ? "layers: " : "support: ";
    for (auto n = random() % 30; n > 0; --n)
      text += letters[random() % letters.size()];
    certificate.contract = section + text;
    certificate.inputs[0].quote = {text, section.size()};
    certificate.inputs[0].kind = i % 2 == 0 ? "clause" : "assumption";
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
