#include "Analysed.h"

#include "ide/hover/Hover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc::ide::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Analysed withRules(const std::string& rules, const std::string& slices = "",
                   const std::string& clause = "max(tv) <= 0.1") {
  return Analysed("tikc: v1\ncontract: x\nversion: 1.0.0\n"
                  "kernels: { t: { engine: fsdp2 }, s: { engine: vllm } }\n"
                  "pair: { train: t, infer: s }\n" +
                  slices + "numerical:\n  drift: " + clause +
                  "\nobservability: { rows: 'sample(logits, 1%)' }\nescalation:\n" + rules);
}

std::string hover(const Analysed& of, std::string_view words) {
  auto found = hoverAt(*of, of.at(words), false);
  return found ? found->text : "";
}

TEST(RuleCards, TellHowARuleStartsAndEnds) {
  Analysed of =
      withRules("  rest: { when: violated(drift) for 2 windows, do: hold, until: satisfied(drift) "
                "for 3 windows }\n");
  for (std::string_view place : {"rest", "when:", "violated(", "until:"}) {
    EXPECT_THAT(hover(of, place),
                HasSubstr("- `rest` starts after these verdicts: `{ drift: violated*2 }`"))
        << place;
    EXPECT_THAT(
        hover(of, place),
        HasSubstr("- `rest` ends after these verdicts: `{ drift: violated*2 satisfied*3 }`"))
        << place;
  }
  // A clause is what is asked about there.
  EXPECT_THAT(hover(of, "drift) for 2"), Not(HasSubstr("starts")));
  EXPECT_TRUE(isSearchedFor(*of, of.at("rest")));
  EXPECT_FALSE(isSearchedFor(*of, of.at("drift")));
}

TEST(RuleCards, TellWhyARuleNeverStarts) {
  Analysed of = withRules("  rest: { when: violated(drift) and satisfied(drift), do: hold, until: "
                          "satisfied(drift) }\n");
  EXPECT_THAT(hover(of, "rest"),
              HasSubstr("- `rest` never starts: no verdicts make its `when` true"));
  EXPECT_THAT(hover(of, "rest"), Not(HasSubstr("ends")));
}

TEST(RuleCards, TellWhyARuleNeverEnds) {
  Analysed of = withRules("  rest: { when: violated(drift), do: hold, until: satisfied(drift) and "
                          "violated(drift) }\n");
  EXPECT_THAT(hover(of, "rest"), HasSubstr("- `rest` never ends: no verdicts make its `until`"));
}

TEST(RuleCards, NameTheSlice) {
  Analysed of = withRules("  rest: { when: violated(drift), do: hold, until: satisfied(drift) }\n",
                          "labels: { task: [math, code] }\nslices: { math: { when: 'task == "
                          "\"math\"' } }\n",
                          "max(tv) <= 0.1 on math");
  EXPECT_THAT(hover(of, "rest"), HasSubstr("- `rest` starts on `math` after these verdicts: "));
}

TEST(RuleCards, SayNothingOfWhatIsNotKnown) {
  Analysed faulty = withRules("  rest: { when: violated(drift), do: hold }\n", "", "max(tv) <= 1x");
  EXPECT_THAT(hover(faulty, "rest"), Not(HasSubstr("starts")));
}

} // namespace
} // namespace tikc::ide::testing
