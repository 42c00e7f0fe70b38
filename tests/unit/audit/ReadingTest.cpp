#include "audit/reading/Reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tikc::audit {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

class ReadingTest : public ::testing::Test {
protected:
  FoundParts read(std::string name, std::string text) {
    file_ = sources_.add(std::move(name), {}, std::move(text));
    diag::Sink sink(limits_);
    FoundParts out = readFile(sources_, file_, limits_, sink);
    findings_ = sink.take();
    return out;
  }
  std::vector<std::string> checks(std::string name, std::string text) {
    std::vector<std::string> out;
    for (const JudgingText& each : read(std::move(name), std::move(text)).asked)
      out.push_back(each.text.text);
    return out;
  }
  /// "name=value" as they stand in the file.
  std::vector<std::string> settings(std::string name, std::string text) {
    std::vector<std::string> out;
    for (const SetValue& each : read(std::move(name), std::move(text)).settings) {
      out.push_back(each.key() + "=" + each.value + (each.isKnown ? "" : "?"));
      if (each.isKnown && each.value.find('\\') == std::string::npos) {
        EXPECT_EQ(sources_.text(each.valueSpan).find(each.value) != std::string::npos, true)
            << each.name;
      }
    }
    return out;
  }

  SourceManager sources_;
  Limits limits_;
  FileId file_ = FileId::None;
  std::vector<diag::Diagnostic> findings_;
};

TEST_F(ReadingTest, ShellsQuoteExpressions) {
  EXPECT_THAT(
      checks("a.sh", "x.py $F \\\n  'max(data[\"a\"]) < 1' \\\n"
                     "  \"data[\\\"a\\\"][\\\"$N\\\"] < 2\" # data[\"c\"]\n"
                     "A=('min(data[\"b\"]) < 3')\n"),
      ElementsAre("max(data[\"a\"]) < 1", "data[\"a\"][\"$N\"] < 2", "min(data[\"b\"]) < 3"));
}

/// Each byte of what was unquoted knows where it stands.
TEST_F(ReadingTest, PlacesSurviveQuotes) {
  const FoundParts got = read("a.sh", "f \"data[\\\"a\\\"] < 2\"\n");
  ASSERT_EQ(got.asked.size(), 1U);
  const Snippet& text = got.asked[0].text;
  const std::size_t at = text.text.find('2');
  EXPECT_EQ(sources_.text(text.span(at, at + 1)), "2");
  EXPECT_EQ(sources_.text(text.whole()), "data[\\\"a\\\"] < 2");
}

TEST_F(ReadingTest, ConditionsWithoutElseAreTold) {
  const char* check = "f 'max(data[\"a\"]) < 1'\n";
  const auto held = [&](const std::string& text) {
    const FoundParts got = read("a.sh", text);
    return got.asked.size() == 1 && got.asked[0].condition.valid();
  };
  EXPECT_TRUE(held(std::string("if [[ $(jq 'x | y' f) -ge $N ]]; then\n") + check + "fi\n"));
  EXPECT_EQ(
      sources_.text(read("a.sh", std::string("if [[ $(jq 'x' f) -ge 3 ]]; then\n") + check + "fi\n")
                        .asked[0]
                        .condition),
      "if [[ $(jq 'x' f) -ge 3 ]]");
  EXPECT_FALSE(held(std::string("if a; then\n") + check + "else\nexit 1\nfi\n"));
  EXPECT_FALSE(held(std::string("if a; then\nb\nfi\n") + check));
  EXPECT_FALSE(held(check));
}

TEST_F(ReadingTest, ScriptsInYamlAndYamlItself) {
  EXPECT_THAT(checks("ci.yml",
                     "jobs:\n  a:\n    - run: |\n        python check_metrics.py m.json \\\n"
                     "          'max(data[\"a\"]) < 1'\n"),
              ElementsAre("max(data[\"a\"]) < 1"));
  EXPECT_THAT(checks("m.yaml", "metrics:\n  - max(data[\"a\"]) < 1\n  - 'min(data[\"b\"]) < 2'\n"),
              ElementsAre("max(data[\"a\"]) < 1", "min(data[\"b\"]) < 2"));
}

TEST_F(ReadingTest, PythonSources) {
  EXPECT_THAT(checks("a.py", "def f(log):\n    assert log[\"a\"] <= 0.1, f\"{log=}\"\n"
                             "    if log[\"b\"] > 1:\n        pass\n    assert x\n"
                             "    'assert log[\"c\"] < 1'\n    # assert log[\"d\"] < 1\n"
                             "CHECKS = ['max(data[\"e\"]) < 1']\n"),
              ElementsAre("log[\"a\"] <= 0.1", "log[\"b\"] > 1", "max(data[\"e\"]) < 1"));
}

TEST_F(ReadingTest, SettingsOfEachForm) {
  EXPECT_THAT(settings("a.sh", "cap=2.0\nx ++a.b.rollout_is=token --tis-clip 3 --use-tis --lr=1e-6 "
                               "c.d=${E:-seq} f=$G\n"),
              ElementsAre("cap=2.0", "rollout_is=token", "tis_clip=3", "use_tis=", "lr=1e-6",
                          "d=seq", "f=$G?"));
  EXPECT_THAT(settings("a.yaml", "algorithm:\n  rollout_correction: { rollout_is: token }\n"
                                 "args: [--tis-clip, '2.0']\n"),
              ElementsAre("rollout_is=token", "tis_clip=2.0"));
  EXPECT_THAT(settings("a.py",
                       "c = C(cap=3.0, mode=\"m\", z=f(1))\nd = {\"k\": 1}\nclass A:\n"
                       "    n: float | None = -2.0\nargs = (\"--tis-clip 2.0 \" \"--x\")\n"),
              ElementsAre("c=C?", "cap=3.0", "mode=m", "z=f?", "d={?", "k=1", "n=-2.0", "args=(?",
                          "tis_clip=2.0", "x="));
}

TEST_F(ReadingTest, HostileFiles) {
  EXPECT_THAT(checks("a.sh", std::string("a\0b", 3)), IsEmpty());
  EXPECT_EQ(findings_.size(), 1U);
  EXPECT_THAT(checks("a.sh", "data[\"\xff\"] < 1"), IsEmpty());
  EXPECT_EQ(findings_.size(), 1U);
  for (const char* name : {"a.sh", "a.py", "a.yaml", "a"}) {
    for (const std::string& text :
         {std::string(100'000, '('), std::string(100'000, '"') + "data[\"", std::string("$("),
          std::string(50'000, '{'), "<<" + std::string(5000, 'E'), std::string("\\"),
          std::string("if ") + std::string(10'000, '$'), std::string("'"), std::string("${"),
          "a=" + std::string(1 << 20, 'b'), std::string(200'000, ':'), std::string()})
      read(name, text);
  }
}

TEST_F(ReadingTest, WhatIsNoYamlIsTold) {
  read("a.yaml", "a: [1, 2\nb: }\n");
  EXPECT_THAT(findings_, Not(IsEmpty()));
  read("a.yaml", "base: &b { x: 1 }\nmore:\n  <<: *b\n  on: yes\n");
  EXPECT_THAT(findings_, IsEmpty()) << "others' YAML is no contract";
}

} // namespace
} // namespace tikc::audit
