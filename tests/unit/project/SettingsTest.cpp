#include "project/Settings.h"
#include "support/Files.h"
#include "unit/ScratchFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class SettingsFile : public testing::Test {
protected:
  SettingsFile() { fs::create_directories(folder_ / "a" / "b"); }

  project::Settings find(const std::string& text) {
    if (!text.empty()) {
      EXPECT_FALSE(static_cast<bool>(writeFile(folder_ / "tikc.yaml", text)));
    }
    diag::Sink sink(limits_);
    auto settings = project::findSettings(sources_, folder_ / "a" / "b", limits_, sink);
    EXPECT_TRUE(static_cast<bool>(settings));
    codes_.clear();
    for (const diag::Diagnostic& found : sink.take())
      codes_.push_back(std::string(diag::info(found.code).id) + " " + found.message);
    return *settings;
  }

  tests::ScratchFolder scratch_;
  fs::path folder_ = scratch_.path();
  Limits limits_;
  SourceManager sources_;
  std::vector<std::string> codes_;
};

TEST_F(SettingsFile, TheNearestOneAboveHolds) {
  auto settings = find("root: a\nseverities: { TK4002: error, TK7003: ignore }\nexclude: [drafts, "
                       "\"**/old/*.tikc.yaml\"]\n");
  EXPECT_THAT(codes_, IsEmpty());
  EXPECT_EQ(settings.root, folder_ / "a");
  EXPECT_EQ(settings.folder, folder_);
  EXPECT_EQ(settings.severities.at(diag::Code::VacuousBound), diag::Severity::Error);
  EXPECT_EQ(settings.severities.at(diag::Code::ClauseWithoutRule), diag::Severity::Off);
  EXPECT_TRUE(project::isExcluded(settings, folder_ / "drafts"));
  EXPECT_TRUE(project::isExcluded(settings, folder_ / "a" / "drafts" / "x.tikc.yaml"));
  EXPECT_TRUE(project::isExcluded(settings, folder_ / "a" / "old" / "x.tikc.yaml"));
  EXPECT_FALSE(project::isExcluded(settings, folder_ / "a" / "old" / "b" / "x.tikc.yaml"));
  EXPECT_FALSE(project::isExcluded(settings, folder_ / "drafts.tikc.yaml"));
  EXPECT_FALSE(project::isExcluded(settings, folder_.parent_path() / "drafts"));
}

TEST_F(SettingsFile, AProfileDecidesWhatSeveritiesDoNotName) {
  using diag::Code;
  using diag::Severity;
  auto strict = find("profile: strict\nseverities: { TK4002: note }\n");
  EXPECT_THAT(codes_, IsEmpty());
  EXPECT_EQ(strict.severityOf(Code::VacuousBound, Severity::Warning), Severity::Note);
  EXPECT_EQ(strict.severityOf(Code::ClauseWithoutRule, Severity::Warning), Severity::Error);
  EXPECT_EQ(strict.severityOf(Code::RecordWithoutReason, Severity::Note), Severity::Warning);
  EXPECT_EQ(strict.severityOf(Code::ClaimUnproved, Severity::Warning), Severity::Warning)
      << "a claim of a draft, whose code is fixed";
  auto adopting = find("profile: adopting\n");
  EXPECT_EQ(adopting.severityOf(Code::ClauseWithoutRule, Severity::Warning), Severity::Note);
  EXPECT_EQ(adopting.severityOf(Code::UnknownKey, Severity::Error), Severity::Error);
  auto plain = find("profile: default\n");
  for (Severity severity : {Severity::Off, Severity::Note, Severity::Warning, Severity::Error})
    EXPECT_EQ(plain.severityOf(Code::VacuousBound, severity), severity);
  find("profile: lax\n");
  EXPECT_THAT(codes_, ElementsAre("TK9008 `profile` must be strict, default or adopting"));
}

TEST_F(SettingsFile, WithoutOneTheRepositoryIsTheRoot) {
  fs::create_directory(folder_ / "a" / ".git");
  EXPECT_EQ(find("").root, folder_ / "a");
}

TEST_F(SettingsFile, EveryFaultIsReported) {
  find("rot: a\nroot: nowhere\nseverities: { TK4002: fatal, TK0815: error, TK2001: ignore "
       "}\nexclude: drafts\n");
  EXPECT_THAT(codes_, ElementsAre("TK2001 unknown key `rot` in tikc.yaml",
                                  "TK9008 `root` must be an existing folder",
                                  "TK9008 `TK4002` must be ignore, note, warning or error",
                                  "TK9006 unknown code `TK0815`",
                                  "TK9007 the severity of `TK2001` is fixed",
                                  "TK9008 `exclude` must be a list of patterns"));
}

TEST_F(SettingsFile, APatternOfStarsIsNotSlow) {
  std::string pattern;
  for (int i = 0; i < 40; ++i)
    pattern += "**/a*a*a*a*a*b/";
  auto settings = find("exclude: ['" + pattern + "']\n");
  fs::path deep = folder_;
  for (int i = 0; i < 60; ++i)
    deep /= "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  EXPECT_FALSE(project::isExcluded(settings, deep));
}

} // namespace
} // namespace tikc::tests
