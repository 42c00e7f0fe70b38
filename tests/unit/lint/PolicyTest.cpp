#include "unit/Checked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// What is found of rules that add nothing.
std::vector<std::string> covered(const std::string& rules) {
  std::vector<std::string> out;
  for (const std::string& found :
       Checked(
           head() + "numerical: { drift: p99(logit_osc) <= 0.25, tv: p99(tv) <= 0.1 }\n" +
           "observability: { r: 'sample(logits, 1%)' }\nescalation:\n" + rules +
           "  rest: { when: violated(any) or undecided(any), do: hold, until: satisfied(any) }\n")
           .findings())
    if (found.find("TK7010") != std::string::npos)
      out.push_back(found.substr(found.find('`'),
                                 found.find('`', found.find('`') + 1) - found.find('`') + 1));
  return out;
}

TEST(Policy, ARouteWithoutAProbeEndsByWhatSilenceMeets) {
  auto isTold = [](const std::string& until) {
    const auto found =
        Checked(head() + "numerical: { drift: p99(logit_osc) <= 0.25 }\n" +
                "observability: { r: 'sample(logits, 1%)' }\nescalation:\n" +
                "  away: { when: violated(drift), do: route(trainer), until: " + until + " }\n")
            .findings();
    return std::any_of(found.begin(), found.end(), [](const std::string& each) {
      return each.find("TK7002") != std::string::npos;
    });
  };
  EXPECT_TRUE(isTold("satisfied(drift)"));
  EXPECT_TRUE(isTold("satisfied(drift) and undecided(drift)"));
  EXPECT_FALSE(isTold("undecided(drift)"));
  EXPECT_FALSE(isTold("undecided(drift) for 3 windows"));
  EXPECT_FALSE(isTold("satisfied(drift) or undecided(any) for 9 windows"));
  EXPECT_FALSE(isTold("not violated(drift)"));
}

TEST(Policy, AnAlertThatAnotherGivesAtTheSameTimesAddsNothing) {
  std::string one =
      "  one: { when: violated(drift), do: alert(\"us\"), until: satisfied(drift) }\n";
  auto other = [](const std::string& when, const std::string& action) {
    return "  other: { when: " + when + ", do: " + action + ", until: satisfied(drift) }\n";
  };
  // The same words are told by themselves.
  EXPECT_THAT(covered(one + other("violated(drift)", "alert(\"us\")")), IsEmpty());
  EXPECT_THAT(covered(one + other("violated(drift) or violated(drift)", "alert(\"us\")")),
              ElementsAre("`other`"));
  EXPECT_THAT(covered(one + other("violated(drift)", "[alert(\"us\"), quarantine]")),
              ElementsAre("`one`"));
  EXPECT_THAT(covered(other("violated(drift)", "[alert(\"us\"), quarantine]") + one),
              ElementsAre("`one`"));
  EXPECT_THAT(covered(one + other("violated(drift)", "alert(\"them\")")), IsEmpty());
  // At another time it is of another thing.
  EXPECT_THAT(covered(one + other("violated(drift) for 3 windows", "alert(\"us\")")), IsEmpty());
  EXPECT_THAT(covered(one + other("violated(any)", "alert(\"us\")")), IsEmpty());
}

TEST(Policy, OfTwoThatAreActiveTogetherTheOneThatDoesLessAddsNothing) {
  std::string one = "  one: { when: violated(drift), do: rollback, until: satisfied(drift) }\n";
  std::string more = "  more: { when: violated(drift), do: [rollback, alert(\"us\")], until: "
                     "satisfied(drift) }\n";
  EXPECT_THAT(covered(one + more), ElementsAre("`one`"));
  EXPECT_THAT(covered(more + one), ElementsAre("`one`"));
}

} // namespace
} // namespace tikc::tests
