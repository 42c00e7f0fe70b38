#include "driver/ParallelChecker.h"
#include "driver/Rewrite.h"
#include "unit/ScratchFolder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace tikc::driver {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view faulty =
    "tikc: v1\ncontract: a\nversion: 1.0.0\nabstract: true\nlables: { task: [math] }\n";

class FixingTest : public testing::Test {
protected:
  FixingTest() {
    put("a.tikc.yaml", faulty);
    put("b.tikc.yaml", faulty);
    inputs_.addPath(folder_.string());
    EXPECT_FALSE(bool(inputs_.takeErrors()));
  }

  void put(const std::string& name, std::string_view text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string get(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }

  tests::ScratchFolder scratch_;
  fs::path folder_ = scratch_.path();
  Limits limits_;
  SourceManager sources_;
  project::Inputs inputs_{sources_, limits_};
  ParallelChecker checking_{sources_, limits_, 1};
  pipeline::Fixing::Check check_ = [this](const auto& files) { return checking_.check(files); };
};

TEST_F(FixingTest, AFileThatSomebodyElseChangedIsLeftToThem) {
  pipeline::Fixing fixing(sources_, check_, inputs_.files(), false);
  fixing.run();
  ASSERT_EQ(fixing.fixed().size(), 2u);
  EXPECT_TRUE(fixing.findings().empty());
  put("a.tikc.yaml", "owners: [me]\n");
  std::string said = llvm::toString(writeFixed(sources_, limits_, fixing));
  EXPECT_NE(said.find("a.tikc.yaml` changed"), std::string::npos) << said;
  EXPECT_EQ(get("a.tikc.yaml"), "owners: [me]\n");
  EXPECT_NE(get("b.tikc.yaml").find("\nlabels:"), std::string::npos) << "the other is written";
  EXPECT_EQ(fixing.fixed().size(), 1u);
  ASSERT_EQ(fixing.findings().size(), 1u) << "and what was found in it is still there";
  EXPECT_EQ(fixing.findings().front().code, diag::Code::UnknownKey);
}

TEST_F(FixingTest, AFileThatIsGoneIsNotMadeAgain) {
  pipeline::Fixing fixing(sources_, check_, inputs_.files(), false);
  fixing.run();
  fs::remove(folder_ / "a.tikc.yaml");
  EXPECT_NE(llvm::toString(writeFixed(sources_, limits_, fixing)), "");
  EXPECT_FALSE(fs::exists(folder_ / "a.tikc.yaml"));
}

TEST_F(FixingTest, NothingIsWrittenBeforeItIsAskedFor) {
  pipeline::Fixing fixing(sources_, check_, inputs_.files(), false);
  fixing.run();
  EXPECT_EQ(get("a.tikc.yaml"), faulty);
}

} // namespace
} // namespace tikc::driver
