#include "unit/Checked.h"

#include "model/Metrics.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

/// What is offered for a call that could not be read leads on: the text after it can be.
namespace tikc::tests {
namespace {

std::string withRules(const std::string& rules) {
  return head() + "numerical: { c: 'max(tv) <= 0.1' }\n" +
         "observability: { o: 'sample(logits, 1%)' }\nescalation:\n" + rules +
         "  rest: { when: undecided(any) or violated(any), do: rollback }\n";
}

std::string withAction(const std::string& action) {
  return withRules(fmt::format("  r: {{ when: violated(c), do: {} }}\n", action));
}

TEST(CallAdvice, ATextThatLostItsQuotesGetsThem) {
  for (std::string word : {"rl-oncall", "a-b-c", "on-call team", "rl.oncall-2", "x@example.org"})
    for (std::string_view quote : {"", "'"}) {
      std::string text = withAction(fmt::format("{0}alert({1}){0}", quote, word));
      Checked checked(text);
      ASSERT_EQ(checked.diagnostics().size(), 1u) << text;
      ASSERT_EQ(checked.diagnostics()[0].fixes.size(), 1u) << text;
      std::string after = applied(text, checked.diagnostics()[0].fixes[0]);
      EXPECT_NE(after.find(fmt::format("alert(\"{}\")", word)), std::string::npos) << after;
      EXPECT_THAT(Checked(after).findings(), testing::IsEmpty()) << after;
    }
}

TEST(CallAdvice, AStateIsOfAClauseInBracketsForSomeWindows) {
  for (const auto& [written, meant] :
       {std::pair("violated(tv)", "violated(c)"), std::pair("violated c", "violated(c)"),
        std::pair("violated(c) for 2", "violated(c) for 2 windows")}) {
    const std::string text =
        withRules(fmt::format("  r: {{ when: {}, do: 'alert(\"us\")' }}\n", written));
    Checked checked(text);
    ASSERT_EQ(checked.diagnostics().size(), 1u) << text;
    ASSERT_EQ(checked.diagnostics()[0].fixes.size(), 1u) << text;
    const std::string after = applied(text, checked.diagnostics()[0].fixes[0]);
    EXPECT_NE(after.find(fmt::format("when: {}, do", meant)), std::string::npos) << after;
    // That the rule comes too late is another matter.
    EXPECT_THAT(Checked(after).findings(), testing::Each(testing::StartsWith("TK7008"))) << after;
  }
}

TEST(CallAdvice, AClaimIsNotMeasured) {
  const std::string text =
      head() + "assumptions: { support: full }\nnumerical: { c: 'max(tv) <= 0.1' }\n" +
      "observability: { o: 'sample(logits, 1%)' }\nclaims: { far: tv <= 0.1 }\nescalation:\n" +
      "  rest: { when: undecided(any) or violated(far), do: rollback }\n";
  Checked checked(text);
  const auto found = std::find_if(
      checked.diagnostics().begin(), checked.diagnostics().end(),
      [](const diag::Diagnostic& each) { return each.code == diag::Code::UnknownClause; });
  ASSERT_NE(found, checked.diagnostics().end());
  EXPECT_THAT(found->notes, testing::Contains(testing::HasSubstr("proved, not measured")));
}

TEST(CallAdvice, AnUnknownActionMayBeAReceiver) {
  for (std::string word : {"page-oncall", "pageoncall", "page_oncall", "'page-oncall'"}) {
    std::string text = withAction(word);
    Checked checked(text);
    ASSERT_EQ(checked.diagnostics().size(), 1u) << text;
    const diag::Diagnostic& found = checked.diagnostics()[0];
    for (std::string_view told : {"quarantine, hold or rollback", "write alert(\"page"})
      EXPECT_TRUE(std::any_of(found.notes.begin(), found.notes.end(), [&](const std::string& note) {
        return note.find(told) != note.npos;
      })) << word;
    EXPECT_THAT(found.fixes, testing::IsEmpty()) << word; // to tell somebody is not to do something
  }
}

TEST(CallAdvice, AnActionInAnotherSpellingIsThatAction) {
  for (const model::CallInfo& row : model::calls()) {
    if (row.place != model::CallPlace::Action || !model::parameters(row.id).empty())
      continue;
    std::string spelt(row.name);
    spelt.insert(spelt.size() / 2, "-");
    Checked checked(withAction(spelt));
    ASSERT_EQ(checked.diagnostics().size(), 1u) << spelt;
    EXPECT_EQ(checked.diagnostics()[0].fixes.at(0).title, fmt::format("write {}", row.name));
  }
}

TEST(CallAdvice, NothingIsSaidOfWhatIsNotKnown) {
  Checked checked(withRules("  a: { when: violated(c), do: rollback, quarantine }\n"
                            "  b: { when: violated(c), do: page-oncall }\n"));
  EXPECT_THAT(checked.findings(),
              testing::ElementsAre(testing::StartsWith("TK2003"), testing::StartsWith("TK3001")));
}

} // namespace
} // namespace tikc::tests
