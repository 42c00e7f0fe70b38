#include "pipeline/Recorded.h"
#include "unit/Checked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A file of the folder /p, of which nothing is on disk.
class RecordedTest : public testing::Test {
protected:
  pipeline::CheckedFile check(const std::string& text) {
    FileId file = sources_.add("a.tikc.yaml", "/p/a.tikc.yaml", text);
    return pipeline::Checker(sources_, settings_).check(file);
  }

  /// Where the findings of a text are.
  std::vector<std::string> places(const std::string& text) {
    std::vector<std::string> out;
    pipeline::CheckedFile file = check(text);
    for (const diag::Diagnostic& finding : file.diagnostics) {
      auto key = pipeline::recordKeyOf(sources_, "/p", file, finding);
      EXPECT_TRUE(key);
      EXPECT_EQ(key->file, "a.tikc.yaml");
      out.push_back(std::string(diag::info(finding.code).id) + " " + key->contract + ":" + key->at);
    }
    return out;
  }

  /// Records so many of a code at a node.
  void record(const std::string& at, std::uint64_t count) {
    auto baseline = std::make_shared<project::Baseline>();
    if (settings_.baseline)
      *baseline = *settings_.baseline;
    baseline->folder = "/p";
    baseline->name = "tikc-baseline.yaml";
    baseline->records[{"a.tikc.yaml", "a.tikc.yaml", "", at, diag::Code::VacuousBound, {}}] = {
        count, "r", {}, {}};
    settings_.baseline = baseline;
  }

  std::vector<std::string> told(const std::string& text) {
    std::vector<std::string> out;
    for (const diag::Diagnostic& finding : check(text).diagnostics)
      out.push_back(std::string(diag::info(finding.code).id));
    return out;
  }

  SourceManager sources_;
  project::Settings settings_;
};

const std::string escalation = "escalation:\n"
                               "  r: { when: violated(any), do: alert(\"us\") }\n"
                               "  s: { when: undecided(any) for 6 windows, do: alert(\"us\") }\n";

std::string bounded(const std::string& clauses) {
  return head() + "numerical:\n" + clauses + "observability:\n  rows: sample(logits, 1%)\n" +
         escalation;
}

TEST_F(RecordedTest, ANodeIsNamedByItsKeys) {
  EXPECT_THAT(places(bounded("  drift: max(tv) <= 1\n")), ElementsAre("TK4002 :numerical.drift"));
  EXPECT_THAT(places(bounded("  drift: { require: max(tv) <= 1 }\n")),
              ElementsAre("TK4002 :numerical.drift.require"));
  EXPECT_THAT(places(bounded("  drift:\n    because: so\n    require: max(tv) <= 1\n")),
              ElementsAre("TK4002 :numerical.drift.require"));
}

TEST_F(RecordedTest, ItemsHaveNumbersAndStrangeKeysQuotes) {
  std::string flags = "  trainer: { engine: fsdp2, flags: { \"a.b\": yes } }\n";
  std::string text = head() + "labels: { task: [math, no] }\n";
  text.replace(text.find("  trainer"), std::string("  trainer: { engine: fsdp2 }\n").size(), flags);
  EXPECT_THAT(places(text), testing::IsSupersetOf({"TK1013 :kernels.trainer.flags.\"a.b\"",
                                                   "TK1013 :labels.task[1]"}));
}

TEST_F(RecordedTest, TheFirstContractOfAFileGoesWithoutItsName) {
  std::string second = bounded("  drift: max(tv) <= 1\n");
  second.replace(second.find("test"), 4, "other");
  EXPECT_THAT(places(bounded("  drift: max(tv) <= 1\n") + "---\n" + second),
              ElementsAre("TK4002 :numerical.drift", "TK4002 other:numerical.drift"));
}

TEST_F(RecordedTest, WhatStandsInNoFileIsNotRecorded) {
  FileId file = sources_.add("<stdin>", {}, bounded("  drift: max(tv) <= 1\n"));
  pipeline::CheckedFile checked = pipeline::Checker(sources_, settings_).check(file);
  ASSERT_EQ(checked.diagnostics.size(), 1U);
  EXPECT_FALSE(pipeline::recordKeyOf(sources_, "/p", checked, checked.diagnostics.front()));
}

TEST_F(RecordedTest, AsManyAsAreRecordedArePassedOver) {
  record("numerical.drift", 1);
  EXPECT_THAT(told(bounded("  drift: max(tv) <= 1\n")), IsEmpty());
  EXPECT_THAT(told(bounded("  drift: max(tv) <= 1 and mean(tv) <= 1\n")),
              ElementsAre("TK4002", "TK4002"));
  EXPECT_THAT(told(bounded("  drift: max(tv) <= 0.1\n")), ElementsAre("TK9009"));
  record("numerical.drift", 2);
  EXPECT_THAT(told(bounded("  drift: max(tv) <= 1\n")), ElementsAre("TK9009"));
}

TEST_F(RecordedTest, AFaultThatMayHideFindingsKeepsWhatIsRecorded) {
  record("numerical.drift", 1);
  EXPECT_THAT(told(bounded("  drift: max(tvd) <= 0.1\n")), ElementsAre("TK5001"));
}

} // namespace
} // namespace tikc::tests
