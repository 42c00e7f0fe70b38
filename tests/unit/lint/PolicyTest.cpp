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
  auto isTold = [](const std::string& until, const std::string& action = "do: route(trainer)") {
    const auto found =
        Checked(head() + "numerical: { drift: p99(logit_osc) <= 0.25 }\n" +
                "observability: { r: 'sample(logits, 1%)' }\nescalation:\n" +
                "  away: { when: violated(drift), " + action + ", until: " + until + " }\n")
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
  EXPECT_TRUE(isTold("not undecided(drift)"));
  EXPECT_FALSE(isTold("not undecided(drift) for 2 windows")); // in the first
  // What another step does, and what goes before the route.
  auto steps = [](const std::string& first, const std::string& last) {
    return "steps: [{ for: 2 windows, do: '" + first + "' }, { for: 2 windows, do: '" + last +
           "' }]";
  };
  EXPECT_FALSE(isTold("satisfied(drift)", steps("route(trainer)", "route(trainer, probe=1%)")));
  EXPECT_TRUE(isTold("satisfied(drift)", steps("route(trainer, probe=1%)", "route(trainer)")));
  EXPECT_FALSE(isTold("satisfied(drift)", "do: [route(trainer), quarantine]"));
}

TEST(Policy, AClauseIsReactedToBySinceWhatARuleStarts) {
  auto told = [](const std::string& when) {
    std::string out;
    for (const std::string& found :
         Checked(head() + "numerical:\n  a: p99(logit_osc) <= 0.25\n  b: p99(tv) <= 0.1\n" +
                 "observability: { s: 'sample(logits, 1%)' }\nescalation:\n  r: { when: " + when +
                 ", do: alert(\"us\"), until: satisfied(any) for 9 windows }\n")
             .findings())
      if (found.starts_with("TK7003"))
        out += found.substr(found.find('`') + 1, 1);
      else if (found.starts_with("TK7004"))
        out += '?';
    return out;
  };
  EXPECT_EQ(told("violated(any)"), "?");
  EXPECT_EQ(told("violated(any) or undecided(any)"), "");
  EXPECT_EQ(told("not satisfied(any)"), "");
  EXPECT_EQ(told("not violated(any) and not satisfied(any)"), "ab");
  EXPECT_EQ(told("violated(any) and satisfied(a)"), "a?");
  EXPECT_EQ(told("violated(a) and satisfied(a) or violated(b)"), "a?");
  EXPECT_EQ(told("not violated(b)"), "ab?");
  EXPECT_EQ(told("violated(a) and undecided(b)"), "b");
}

/// The codes of rules on two clauses, with what each shows.
std::vector<std::string> ofRules(const std::string& rules) {
  std::vector<std::string> out;
  const Checked checked(head() +
                        "numerical: { a: p99(logit_osc) <= 0.25, b: count(nonfinite) == 0 }\n" +
                        "observability: { r: 'sample(logits, 1%)' }\nescalation:\n" + rules +
                        "  rest: { when: violated(any) or undecided(any), do: alert(\"us\") }\n");
  for (const diag::Diagnostic& found : checked.diagnostics())
    out.push_back(std::string(diag::info(found.code).id) + " " + found.message +
                  (found.notes.empty() ? "" : " | " + found.notes.front()));
  return out;
}

TEST(Policy, OthersClausesAreSilentWhereThereIsNoTraffic) {
  using testing::Contains, testing::HasSubstr, testing::Not;
  const auto found =
      ofRules("  away: { when: violated(a), do: route(trainer), until: undecided(a) }\n");
  EXPECT_THAT(found, Not(Contains(HasSubstr("TK7019"))));
  EXPECT_THAT(found, Contains(HasSubstr("TK7013 `away` can flap")));
  EXPECT_THAT(ofRules("  stop: { when: violated(a), until: satisfied(a), steps: [{ for: 2 windows, "
                      "do: rollback }, { for: 2 windows, do: 'route(trainer, probe=1%)' }] }\n"),
              Contains(HasSubstr("TK7013 `stop` can flap")));
}

TEST(Policy, WhoTakesNoPartIsNotBlamed) {
  using testing::Contains, testing::HasSubstr;
  EXPECT_THAT(
      ofRules("  away: { when: violated(b) for 2 windows, do: 'route(trainer, probe=1%)', until: "
              "satisfied(b) for 10 windows }\n  slow: { when: violated(b), until: satisfied(b), "
              "steps: [{ for: 4 windows, do: alert(\"x\") }, { for: 2 windows, do: 'route(trainer, "
              "probe=2%)' }] }\n"),
      Contains(HasSubstr("TK7013 `slow` can flap")));
}

TEST(Policy, AStrongerRuleDoesNotHideWhichOfTwoGoesFirst) {
  using testing::Contains, testing::HasSubstr;
  const auto found = ofRules(
      "  away: { when: violated(a) for 2 windows, do: 'route(trainer, probe=1%)', until: "
      "satisfied(a) for 6 windows }\n  one: { when: violated(a) for 3 windows, do: 'correct(tis, "
      "2)', until: satisfied(a) for 8 windows }\n  two: { when: violated(a) for 3 windows, do: "
      "'correct(mis, 0.5, 2)', until: satisfied(a) for 8 windows }\n");
  EXPECT_THAT(found,
              Contains(HasSubstr("TK7009 `two` never affects traffic: whenever it would, `one`")));
  EXPECT_THAT(found, Contains(HasSubstr("TK7014 `two` starts together with `one`")));
}

TEST(Policy, ARollbackForWantOfDataUndoesARoute) {
  using testing::Contains, testing::HasSubstr;
  EXPECT_THAT(ofRules("  away: { when: violated(a) for 2 windows, do: route(trainer) }\n  stale: { "
                      "when: undecided(any) for 6 windows, do: rollback }\n"),
              Contains(HasSubstr("TK7016 `stale` undoes `away`")));
}

TEST(Policy, ARuleGoesOnInHealthWhicheverStartShowsIt) {
  auto isTold = [](const std::string& poison) {
    const auto found =
        Checked(head() + "numerical: { a: p99(logit_osc) <= 0.25, b: p99(tv) <= 0.1 }\n" +
                "observability: { r: 'sample(logits, 1%)' }\nescalation:\n" +
                "  poison: { when: violated(" + poison + "), do: rollback }\n" +
                "  rest: { when: violated(any), do: alert(\"us\"), until: violated(any) for 6 "
                "windows }\n")
            .findings();
    return std::any_of(found.begin(), found.end(),
                       [](const std::string& each) { return each.starts_with("TK7027"); });
  };
  EXPECT_TRUE(isTold("a"));
  EXPECT_TRUE(isTold("b"));
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
