#include "measure/Journal.h"

#include "data/bytes/Digest.h"
#include "measure/Measurement.h"
#include "pipeline/Pipeline.h"
#include "unit/Observed.h"
#include "unit/ScratchFolder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace tikc::measure {
namespace {

namespace fs = std::filesystem;

class JournalTest : public ::testing::Test {
protected:
  JournalTest() {
    const FileId file = sources_.add("journal.tikc.yaml", {},
                                     "tikc: v1\ncontract: journal\nversion: 1.0.0\nkernels:\n"
                                     "  trainer: { engine: fsdp2, weights: bf16 }\n"
                                     "  rollout: { engine: vllm, weights: bf16 }\n"
                                     "pair: { train: trainer, infer: rollout }\n"
                                     "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.5 nat\n" +
                                         tests::observed());
    plans_ = pipeline::plansOf(pipeline::Checker(sources_, settings_).check(file));
    loaded_ = std::make_unique<engine::LoadedPlan>(plans_.at(0));
    subject_ = std::make_unique<MeasuredPlan>(
        MeasuredPlan{plans_[0], *loaded_, 0, Rounds{Rounds::By::All, 0}});
  }

  /// Data of as many tokens as there are responses.
  data::Source data(const std::string& name, unsigned responses) const {
    const fs::path path = folder_ / name;
    std::ofstream out(path);
    for (unsigned i = 0; i < responses; ++i)
      out << R"({"train":[-1.5],"infer":[-1]})"
          << "\n";
    out.close();
    data::Options options;
    options.map = "train=train,infer=infer";
    auto source = data::Source::open(std::vector{path.string()}, options);
    EXPECT_TRUE(static_cast<bool>(source));
    return std::move(*source);
  }
  std::uint64_t tokensOf(const data::Source& source, Journal* journal = nullptr) const {
    return llvm::cantFail(measure(*subject_, engine::LoadedPolicy(plans_[0]), source, 1,
                                  {{}, nullptr, journal}))
        .intake.tokens;
  }
  llvm::Expected<std::unique_ptr<Journal>> open(std::string_view about = "this") const {
    return Journal::open(folder_ / "journal", data::digestOf(about));
  }

  tests::ScratchFolder scratch_;
  fs::path folder_ = scratch_.path();
  SourceManager sources_;
  project::Settings settings_;
  std::vector<plan::Plan> plans_;
  std::unique_ptr<engine::LoadedPlan> loaded_;
  std::unique_ptr<MeasuredPlan> subject_;
};

TEST_F(JournalTest, WhatItHasIsNotObservedAgain) {
  const data::Source seven = data("seven", 7), three = data("three", 3);
  {
    // As a run about seven responses would have left it, had it seen three in them.
    auto journal = open();
    ASSERT_TRUE(static_cast<bool>(journal));
    EXPECT_EQ(tokensOf(three, journal->get()), 3U);
  }
  {
    auto journal = open();
    ASSERT_TRUE(static_cast<bool>(journal));
    const JournalEntry* const found = (*journal)->find(0);
    ASSERT_NE(found, nullptr);
    JournalEntry claimed = *found;
    claimed.id = seven.read(0)->skim();
    claimed.files.assign(1, (folder_ / "seven").string());
    (*journal)->keep(0, claimed, claimed.bytes(), {});
  }
  auto journal = open();
  ASSERT_TRUE(static_cast<bool>(journal));
  EXPECT_EQ(tokensOf(seven, journal->get()), 3U);
  // And other bytes are.
  EXPECT_EQ(tokensOf(three, journal->get()), 3U);
  EXPECT_EQ(tokensOf(data("five", 5), journal->get()), 5U);
}

TEST_F(JournalTest, SkimmingNamesWhatReadingDoes) {
  const data::Source source = data("some", 9);
  const auto reader = source.read(0);
  data::Response response;
  while (reader->next(response)) {
  }
  EXPECT_EQ(reader->id(), source.read(0)->skim());
}

TEST_F(JournalTest, WhatHasAFaultIsNotKept) {
  auto journal = open();
  ASSERT_TRUE(static_cast<bool>(journal));
  Intake broken;
  broken.report.broken = 1;
  (*journal)->keep(0, {}, ContentBytes({}, nullptr), broken);
  journal->reset();
  auto again = open();
  ASSERT_TRUE(static_cast<bool>(again));
  EXPECT_EQ((*again)->size(), 0U);
}

TEST_F(JournalTest, WhatWasRewrittenIsNotKept) {
  const data::Source kept = data("kept", 7), rewritten = data("rewritten", 7);
  const fs::path path = folder_ / "rewritten";
  std::fstream(path, std::ios::in | std::ios::out) << R"({"train":[-1.4])";
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1));
  auto journal = open();
  ASSERT_TRUE(static_cast<bool>(journal));
  EXPECT_EQ(tokensOf(rewritten, journal->get()), 7U);
  journal->reset();
  auto again = open();
  ASSERT_TRUE(static_cast<bool>(again));
  EXPECT_EQ((*again)->size(), 0U);
  EXPECT_EQ(tokensOf(kept, again->get()), 7U);
  again->reset();
  auto last = open();
  ASSERT_TRUE(static_cast<bool>(last));
  EXPECT_EQ((*last)->size(), 1U);
}

TEST_F(JournalTest, AnEmptyOneIsNotLeftBehind) {
  auto journal = open();
  ASSERT_TRUE(static_cast<bool>(journal));
  journal->reset();
  EXPECT_FALSE(fs::exists(folder_ / "journal"));
}

TEST_F(JournalTest, WhatLiesInItsPlaceIsLeft) {
  auto journal = open();
  ASSERT_TRUE(static_cast<bool>(journal));
  fs::rename(folder_ / "journal", folder_ / "moved");
  std::ofstream(folder_ / "journal") << "something dear";
  EXPECT_FALSE(static_cast<bool>((*journal)->finish()));
  EXPECT_TRUE(fs::exists(folder_ / "journal"));
  journal->reset();
  fs::remove(folder_ / "journal");
  fs::rename(folder_ / "moved", folder_ / "journal");
  auto again = open();
  ASSERT_TRUE(static_cast<bool>(again));
  EXPECT_FALSE(static_cast<bool>((*again)->finish()));
  EXPECT_FALSE(fs::exists(folder_ / "journal"));
}

TEST_F(JournalTest, TwoRunsDoNotShareOne) {
  auto journal = open();
  ASSERT_TRUE(static_cast<bool>(journal));
  auto other = open();
  ASSERT_FALSE(static_cast<bool>(other));
  EXPECT_NE(llvm::toString(other.takeError()).find("another run is writing"), std::string::npos);
  (*journal)->keep(0, {}, ContentBytes({}, nullptr), {});
  journal->reset();
  auto stranger = open("that");
  ASSERT_FALSE(static_cast<bool>(stranger));
  EXPECT_NE(llvm::toString(stranger.takeError()).find("belongs to another run"), std::string::npos);
}

} // namespace
} // namespace tikc::measure
