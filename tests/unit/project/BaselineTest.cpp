#include "project/Baseline.h"
#include "support/Files.h"
#include "unit/ScratchFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

namespace fs = std::filesystem;
using project::Record;
using project::RecordKey;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class BaselineFile : public testing::Test {
protected:
  void SetUp() override { EXPECT_FALSE(static_cast<bool>(writeFile(folder_ / "a.tikc.yaml", ""))); }

  std::map<RecordKey, Record> read(const std::string& text) {
    EXPECT_FALSE(static_cast<bool>(writeFile(folder_ / project::baselineFile, text)));
    diag::Sink sink(limits_);
    project::Settings settings;
    settings.folder = folder_;
    settings.severities = severities_;
    EXPECT_FALSE(static_cast<bool>(project::addBaseline(sources_, settings, limits_, sink)));
    codes_.clear();
    for (const diag::Diagnostic& found : sink.take())
      codes_.push_back(std::string(diag::info(found.code).id) + " " + found.message);
    return settings.baseline->records;
  }

  tests::ScratchFolder scratch_;
  fs::path folder_ = scratch_.path();
  Limits limits_;
  SourceManager sources_;
  std::map<diag::Code, diag::Severity> severities_;
  std::vector<std::string> codes_;
};

RecordKey keyOf(std::string at) {
  return {"a.tikc.yaml", "a.tikc.yaml", "", std::move(at), diag::Code::VacuousBound, {}};
}

TEST_F(BaselineFile, AFolderWithoutOneHasNone) {
  diag::Sink sink(limits_);
  project::Settings settings;
  settings.folder = folder_;
  EXPECT_FALSE(static_cast<bool>(project::addBaseline(sources_, settings, limits_, sink)));
  EXPECT_EQ(settings.baseline, nullptr);
}

TEST_F(BaselineFile, PathsLeadDownFromItsFolder) {
  for (const char* path :
       {"../a.tikc.yaml", "/tmp/a.tikc.yaml", "x/../a.tikc.yaml", "./a.tikc.yaml"})
    for (const char* key : {"file", "through"}) {
      const std::string other = key == std::string("file") ? "" : "file: a.tikc.yaml, ";
      EXPECT_THAT(
          read("findings: [{ code: TK4002, " + other + key + ": " + path + ", reason: x }]\n"),
          IsEmpty());
      EXPECT_THAT(codes_, ElementsAre(HasSubstr("must be a path below the baseline's folder")));
    }
}

TEST_F(BaselineFile, WhatIsPrintedIsReadAgain) {
  std::map<RecordKey, Record> records;
  records[keyOf("numerical.drift")] = {3, "soon", {}, {}};
  records[keyOf("")] = {1, "of the contract as a whole", {}, {}};
  for (std::string nasty : {"\"", "\\", "a: b", "# c", "{ d }", "\n", "é\xE2\x80\xA8", "\x7F"})
    records[keyOf("x." + nasty)] = {1, nasty + "!", {}, {}};
  for (std::string about : {"max(tv)", "mean(tv), \"b\""}) {
    RecordKey key = keyOf("numerical.drift");
    key.about = about;
    records[key] = {1, "of " + about, {}, {}};
  }
  RecordKey through = keyOf("claims.c");
  through.checked = "b/child.tikc.yaml";
  through.contract = "second";
  records[through] = {1, "found in a child", {}, {}};
  auto again = read(project::printBaseline(records));
  EXPECT_THAT(codes_, IsEmpty());
  ASSERT_EQ(again.size(), records.size());
  auto known = again.begin();
  for (const auto& [key, record] : records) {
    EXPECT_EQ(known->first, key);
    EXPECT_EQ(known->second.count, record.count);
    EXPECT_EQ(known->second.reason, record.reason);
    ++known;
  }
  EXPECT_EQ(project::printBaseline(again), project::printBaseline(records));
}

TEST_F(BaselineFile, EmptyOnesRecordNothing) {
  for (const char* text : {"", "version: 1\n", "findings:\n", "findings: []\n"}) {
    EXPECT_THAT(read(text), IsEmpty()) << text;
    EXPECT_THAT(codes_, IsEmpty()) << text;
  }
}

TEST_F(BaselineFile, EveryFaultIsReportedAndHidesNothing) {
  auto records = read("version: 2\n"
                      "findigs: []\n"
                      "findings:\n"
                      "  - soon\n"
                      "  - { code: TK4002 }\n"
                      "  - { code: TK0815, file: a.tikc.yaml }\n"
                      "  - { code: TK6102, file: a.tikc.yaml }\n"
                      "  - { code: TK4002, file: [a], reason: r }\n"
                      "  - { code: TK4002, file: a.tikc.yaml, count: 0, reason: r }\n"
                      "  - { code: TK4002, file: a.tikc.yaml, att: numerical, reason: r }\n"
                      "  - { code: TK4002, file: a.tikc.yaml, at: numerical, reason: r }\n"
                      "  - { code: TK4002, file: a.tikc.yaml, at: numerical, reason: s }\n");
  EXPECT_THAT(
      codes_,
      ElementsAre("TK9011 `version` must be 1", "TK2001 unknown key `findigs` in a baseline",
                  "TK9011 an entry must be a map",
                  "TK9011 an entry must have a `code` and a `file`", "TK9012 unknown code `TK0815`",
                  "TK9013 `TK6102` cannot be recorded", "TK9011 `file` must be a text",
                  "TK9011 `count` must be a whole number, at least 1",
                  "TK2001 unknown key `att` in an entry", "TK9011 an entry repeats another entry"));
  EXPECT_EQ(records.size(), 1U);
}

TEST_F(BaselineFile, ReasonsAndFilesAreAskedForAsSettingsSay) {
  std::string text = "findings:\n  - { code: TK4002, file: a.tikc.yaml, at: numerical.x }\n"
                     "  - { code: TK4002, file: gone.tikc.yaml, reason: r }\n";
  read(text);
  EXPECT_THAT(codes_, ElementsAre(HasSubstr("TK9010 missing reason for the record of `TK4002`"),
                                  HasSubstr("TK9009 stale record of `TK4002` for `gone.tikc.yaml`: "
                                            "the file does not exist")));
  severities_[diag::Code::RecordWithoutReason] = diag::Severity::Off;
  severities_[diag::Code::StaleRecord] = diag::Severity::Off;
  read(text);
  EXPECT_THAT(codes_, IsEmpty());
}

TEST_F(BaselineFile, OfManyAlikeTheFirstAreTold) {
  std::string text = "findings:\n";
  for (int i = 0; i < 2000; ++i)
    text += "  - { code: TK4002, file: a.tikc.yaml, at: x" + std::to_string(i) + " }\n";
  EXPECT_EQ(read(text).size(), 2000U);
  EXPECT_EQ(codes_.size(), 50U);
  EXPECT_THAT(codes_, testing::Each(HasSubstr("TK9010")));
}

TEST_F(BaselineFile, OneThatIsTooLargeIsAFinding) {
  limits_.fileBytes = 10;
  EXPECT_THAT(read("findings: []\n"), IsEmpty());
  EXPECT_THAT(codes_, ElementsAre(HasSubstr("TK0001")));
}

} // namespace
} // namespace tikc::tests
