#include "unit/Checked.h"

#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

TEST(Plans, AreThoseOfTheContractsThatAreNotAbstract) {
  std::string text = head() + observed();
  auto named = [&](const std::string& name, const std::string& more) {
    std::string out = text;
    out.replace(out.find("contract: test"), 14, "contract: " + name + more);
    return out;
  };
  SourceManager sources;
  FileId file = sources.add("test.tikc.yaml", {},
                            named("a", "") + "---\n" + named("b", "\nabstract: true") + "---\n" +
                                named("c", ""));
  project::Settings settings;
  auto checked = pipeline::Checker(sources, settings).check(file);
  ASSERT_EQ(checked.contracts.size(), 3U);
  std::vector<plan::Plan> plans = pipeline::plansOf(checked);
  ASSERT_EQ(plans.size(), 2U);
  EXPECT_EQ(plans[0].contract, "a");
  EXPECT_EQ(plans[1].contract, "c");
}

TEST(Plans, TheSizeOfWhatIsNeverNegativeIsItself) {
  SourceManager sources;
  FileId file = sources.add("test.tikc.yaml", {},
                            head() + observed() +
                                "statistical:\n"
                                "  a: p99(abs(ratio)) <= 2\n"
                                "  b: p99(ratio) <= 2\n"
                                "  c: p99(abs(k1)) <= 2\n");
  project::Settings settings;
  std::vector<plan::Plan> plans =
      pipeline::plansOf(pipeline::Checker(sources, settings).check(file));
  ASSERT_EQ(plans.size(), 1U);
  ASSERT_EQ(plans[0].signals.size(), 2U) << "that of a is that of b";
  EXPECT_FALSE(plans[0].signals[0].absolute);
  EXPECT_TRUE(plans[0].signals[1].absolute);
}

} // namespace
} // namespace tikc::tests
