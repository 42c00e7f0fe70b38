#include "unit/Checked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

/// What is offered leads on: with the edit, the text is what somebody could have meant.
namespace tikc::tests {
namespace {

struct Offer {
  const char* clause;
  std::vector<std::string> offered; // the clause after each edit
};

void PrintTo(const Offer& offer, std::ostream* out) { *out << offer.clause; }

std::string contractWith(std::string_view clause) {
  return head() + "observability: { o: 'sample(logprobs, 100%)' }\nstatistical:\n  c: " +
         std::string(clause) + "\n";
}

bool isAsked(const std::string& finding) {
  return !finding.starts_with("TK7") && !finding.starts_with("TK8"); // of what the test leaves out
}

class Offered : public testing::TestWithParam<Offer> {};

TEST_P(Offered, LeadsOn) {
  std::string text = contractWith(GetParam().clause);
  Checked checked(text);
  auto found = std::find_if(
      checked.diagnostics().begin(), checked.diagnostics().end(),
      [](const diag::Diagnostic& each) { return isAsked(std::string(diag::info(each.code).id)); });
  ASSERT_NE(found, checked.diagnostics().end());
  std::vector<std::string> after;
  for (const diag::Fix& fix : found->fixes) {
    std::string mended = applied(text, fix);
    after.push_back(mended.substr(mended.find("  c: ") + 5));
    after.back().pop_back();
    std::vector<std::string> left = Checked(mended).findings();
    std::erase_if(left, [](const std::string& each) { return !isAsked(each); });
    EXPECT_THAT(left, testing::IsEmpty()) << mended;
  }
  EXPECT_EQ(after, GetParam().offered);
}

INSTANTIATE_TEST_SUITE_P(
    Clauses, Offered,
    testing::Values(
        Offer{"p99(abs(logprob_diff)) <= 1", {"p99(abs(logprob_gap)) <= 1"}},
        Offer{"max(abs(train_rollout_logprob_abs_diff)) <= 1", {"max(abs(logprob_gap)) <= 1"}},
        Offer{"max(logprob_abs_diff) <= 1", {"max(abs(logprob_gap)) <= 1"}},
        Offer{"percentile(k3, 99) <= 1", {"quantile(k3, 0.99) <= 1"}},
        Offer{"quantile(k3, 99) <= 1", {"quantile(k3, 0.99) <= 1"}},
        Offer{"quantile(k3, 100) <= 1", {}}, Offer{"ess >= 90%", {"ess_sample >= 90%"}},
        Offer{"p99(logprob_gap) <= 0.1", {"p99(abs(logprob_gap)) <= 0.1"}},
        Offer{"ess_sample >= 60", {"ess_sample >= 60%"}},
        Offer{"mean(ratio) = 1 ± 0.02", {"mean(ratio) in [0.98, 1.02]"}},
        Offer{"mean(k3) <= 2 * 1e-3", {"mean(k3) <= 0.002"}}, Offer{"p999.9(k3) <= 1", {}},
        Offer{"max(k1) <= 0.1", {"max(abs(k1)) <= 0.1"}}, Offer{"min(k1) >= -0.1", {}},
        Offer{"rate(ratio < 0.5 or ratio > 2) <= 1%", {"mean(clipped(0.5, 2)) <= 1%"}},
        Offer{"rate(ratio > 2 or ratio < 0.5) <= 1%", {"mean(clipped(0.5, 2)) <= 1%"}},
        Offer{"rate(ratio > 2 and ratio < 5) <= 1%", {}},
        Offer{"mean(clipped(2, 0.5)) <= 1%", {"mean(clipped(0.5, 2)) <= 1%"}},
        Offer{"mean(clipped(1, 1)) <= 1%", {}},
        Offer{"max(k3) <= 1 and mean(tv_sampled) <= 0.1 with confidence 99%",
              {"mean(tv_sampled) <= 0.1 with confidence 99% and max(k3) <= 1"}},
        Offer{"mean(prob_gap) <= 1% and mean(tv_sampled) <= 0.1 with confidence 99%",
              {"mean(prob_gap) <= 1% with confidence 99% and mean(tv_sampled) <= 0.1 with "
               "confidence 99%",
               "mean(tv_sampled) <= 0.1 with confidence 99% and mean(prob_gap) <= 1%"}},
        Offer{"mean(tv_sampled) <= 0.1 and sum(seq_veto(0.1)) <= 1 with confidence 99%", {}}));

TEST(Offers, BothReadingsOfALevelThatMayBeAShare) {
  Checked checked(contractWith("percentile(k3, 0.99) <= 1"));
  const auto& fixes = checked.diagnostics().back().fixes;
  ASSERT_EQ(fixes.size(), 2u);
  EXPECT_EQ(fixes[0].title, "write quantile(…, 0.99)");
  EXPECT_EQ(fixes[1].title, "write quantile(…, 0.0099)");
  EXPECT_FALSE(fixes[0].safe || fixes[1].safe);
}

TEST(Offers, AVersionIsWrittenOut) {
  for (auto [written, meant] : {std::pair{"v1.2.3", "1.2.3"}, {"V1.2", "1.2.0"}}) {
    std::string text = head();
    text.replace(text.find("1.0.0"), 5, written);
    Checked checked(text);
    ASSERT_EQ(checked.diagnostics().size(), 1u) << written;
    EXPECT_EQ(checked.diagnostics()[0].fixes.at(0).edits.at(0).text, meant);
  }
}

TEST(Offers, EndsThatAreEqualAreNotCalledReversed) {
  for (auto [clause, says] : {std::pair{"mean(clipped(1, 1)) <= 1%", "equals"},
                              {"mean(clipped(2, 1)) <= 1%", "is above"}}) {
    Checked checked(contractWith(clause));
    EXPECT_THAT(checked.diagnostics().back().message, testing::HasSubstr(says));
  }
}

} // namespace
} // namespace tikc::tests
