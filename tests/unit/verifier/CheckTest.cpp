#include "unit/verifier/Certificate.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace verify::tests {
namespace {

/// Made once: each is changed in hundreds of ways.
const std::vector<Certificate>& examples() {
  static const std::vector<Certificate> all = {wholeExample(), sliceExample(), chainExample()};
  return all;
}

void expectRejected(const Certificate& certificate, const std::string& what) {
  EXPECT_FALSE(certificate.check().accepted) << what << "\n" << certificate.json();
}

TEST(Check, AcceptsTheExamples) {
  for (const Certificate& example : examples()) {
    Verdict verdict = example.check();
    EXPECT_TRUE(verdict.accepted) << verdict.report;
  }
}

TEST(Check, ReportsWhatAClaimRestsOn) {
  std::string report = wholeExample().check().report;
  EXPECT_NE(report.find("token_tv on other: accepted"), std::string::npos) << report;
  EXPECT_NE(report.find("usual_drift: p99(logit_osc) <= 0.25"), std::string::npos);
  EXPECT_NE(report.find("reward: [0, 1]"), std::string::npos);
  EXPECT_NE(report.find("Not checked"), std::string::npos);
}

TEST(Check, RejectsResultsThatAreTooGood) {
  const mpq_class nudge = 1 - mpq_class(1, 1L << 30);
  for (const Certificate& example : examples())
    for (std::size_t i = 0; i < example.steps.size(); ++i) {
      Certificate changed = example;
      StepText& step = changed.steps[i];
      step.bound = print(parse(step.bound) * (step.fact.quantity == "ess" ? 2 - nudge : nudge));
      expectRejected(changed, step.lemma);
    }
}

TEST(Check, RejectsInputsThatSayMoreThanTheirText) {
  const mpq_class nudge = 1 - mpq_class(1, 1L << 30);
  for (const Certificate& example : examples())
    for (std::size_t i = 0; i < example.inputs.size(); ++i) {
      Certificate changed = example;
      const InputText input = changed.inputs[i];
      changed.inputs[i].value =
          print(parse(input.value) * nudge + mpq_class(input.value == "0" ? 1 : 0, 8));
      expectRejected(changed, input.quote.text);
      if (input.fact.share.empty())
        continue;
      changed = example;
      changed.inputs[i].fact.share = print(parse(input.fact.share) * nudge);
      expectRejected(changed, input.quote.text);
    }
}

TEST(Check, RejectsClaimsThatTheirTextDoesNotMake) {
  for (const Certificate& example : examples())
    for (std::size_t i = 0; i < example.claims.size(); ++i) {
      Certificate changed = example;
      changed.claims[i].budget = print(parse(changed.claims[i].budget) + mpq_class(1, 1000));
      expectRejected(changed, changed.claims[i].id);
      changed = example;
      changed.claims[i].fact.quantifier =
          changed.claims[i].fact.quantifier == "mean" ? "sup" : "mean";
      expectRejected(changed, changed.claims[i].id);
      changed = example;
      changed.claims[i].op = changed.claims[i].op == "<=" ? "<" : "<=";
      expectRejected(changed, changed.claims[i].id);
      changed = example;
      changed.claims[i].id += "x";
      expectRejected(changed, changed.claims[i].id);
    }
}

TEST(Check, RejectsOtherPremises) {
  for (const Certificate& example : examples())
    for (std::size_t i = 0; i < example.steps.size(); ++i)
      for (std::size_t j = 0; j < example.steps[i].args.size(); ++j)
        for (const InputText& input : example.inputs) {
          Certificate changed = example;
          if (changed.steps[i].args[j] == input.id)
            continue;
          changed.steps[i].args[j] = input.id;
          expectRejected(changed, changed.steps[i].lemma);
        }
}

TEST(Check, RejectsMissingPremisesAndHypotheses) {
  for (const Certificate& example : examples())
    for (std::size_t i = 0; i < example.steps.size(); ++i) {
      Certificate changed = example;
      changed.steps[i].args.pop_back();
      expectRejected(changed, changed.steps[i].lemma);
      if (example.steps[i].under.empty())
        continue;
      changed = example;
      changed.steps[i].under.clear();
      expectRejected(changed, changed.steps[i].lemma);
    }
}

TEST(Check, RejectsEntriesThatAreMissingOrTwice) {
  for (const Certificate& example : examples()) {
    for (std::size_t i = 0; i < example.inputs.size(); ++i) {
      Certificate changed = example;
      changed.inputs.erase(changed.inputs.begin() + static_cast<std::ptrdiff_t>(i));
      bool isUsed = false;
      for (const StepText& step : changed.steps)
        for (const auto* list : {&step.args, &step.under})
          isUsed =
              isUsed || std::find(list->begin(), list->end(), example.inputs[i].id) != list->end();
      EXPECT_EQ(changed.check().accepted, !isUsed) << example.inputs[i].quote.text;
      changed = example;
      changed.inputs.push_back(changed.inputs[i]);
      expectRejected(changed, "an input stands twice");
    }
    for (std::size_t i = 0; i < example.steps.size(); ++i) {
      Certificate changed = example;
      changed.steps.push_back(changed.steps[i]);
      expectRejected(changed, "a step stands twice");
    }
  }
}

TEST(Check, RejectsStepsThatRestOnLaterOnesOrOnThemselves) {
  for (const Certificate& example : examples()) {
    Certificate reversed = example;
    std::reverse(reversed.steps.begin(), reversed.steps.end());
    expectRejected(reversed, "reversed");
    for (std::size_t i = 0; i < example.steps.size(); ++i) {
      Certificate changed = example;
      changed.steps[i].args[0] = changed.steps[i].id;
      expectRejected(changed, changed.steps[i].lemma);
    }
  }
}

TEST(Check, RejectsOtherBytes) {
  for (const Certificate& example : examples()) {
    Certificate changed = example;
    changed.contract += "\n";
    changed.quotedFile = example.contract;
    expectRejected(changed, "another file");
    for (std::size_t i = 0; i < example.inputs.size(); ++i)
      for (std::size_t at = i; at <= example.contract.size() + 1; at += 61) {
        changed = example;
        std::size_t& from = changed.inputs[i].quote.from;
        if (changed.inputs[i].kind == "default" || from == at)
          continue;
        from = at;
        expectRejected(changed, "another place");
      }
  }
}

TEST(Check, RejectsTextsThatStandElsewhere) {
  Certificate changed = wholeExample();
  const std::string good = changed.contract, text = "usual_drift: p99(logit_osc) <= 0.25";
  auto moved = [&](const std::string& from, const std::string& to) {
    Certificate other = wholeExample();
    other.contract.replace(good.find(from), from.size(), to);
    for (InputText& input : other.inputs) {
      input.quote = other.quote(input.quote.text);
      for (QuoteText& quote : input.with)
        quote = other.quote(quote.text);
    }
    for (ClaimText& claim : other.claims)
      claim.quote = other.quote(claim.quote.text);
    return other;
  };
  EXPECT_TRUE(moved("model:", "# a comment\nmodel:").check().accepted);
  expectRejected(moved("numerical:", "claims:"), "a claim is no clause");
  expectRejected(moved("numerical:", "observability:"), "an observation is no clause");
  expectRejected(moved(text, "# " + text), "a comment");
  expectRejected(moved(text, "x: " + text), "within another value");
  expectRejected(moved(text, "x: '" + text + "'"), "within quotes");
  expectRejected(moved(text, "x: >\n    " + text), "within a block of text");
  expectRejected(moved(text, "x:\n    " + text), "a part of another clause");
  expectRejected(moved(text, "\"" + text + "\": 1"), "a part of a key");
  expectRejected(moved(text, text + " ms"), "another unit");
  expectRejected(moved(text, "x: 1 #\n#" + text), "a comment after a value");
  expectRejected(moved("claims:", "statistical:"), "a clause is no claim");
}

TEST(Check, RejectsOtherPlaces) {
  for (const Certificate& example : examples())
    for (std::size_t i = 0; i < example.steps.size(); ++i) {
      Certificate changed = example;
      changed.steps[i].fact.scope += "x";
      expectRejected(changed, changed.steps[i].lemma);
      changed = example;
      changed.steps[i].fact.link = "x>y";
      // A fact of the contract holds for every link.
      bool isEverywhere = example.steps[i].lemma == "L-PG-B";
      if (!isEverywhere)
        expectRejected(changed, changed.steps[i].lemma);
    }
}

TEST(Check, RejectsAnEstimatorWithoutItsCorrection) {
  Certificate changed = wholeExample();
  changed.inputs[7].with.clear();
  expectRejected(changed, "no correction is quoted");
  changed = wholeExample();
  changed.inputs[7].fact.quantity = "step_weighted";
  expectRejected(changed, "it is not weighted");
}

TEST(Check, RejectsAMixtureWithoutOneOfItsSlices) {
  Certificate changed = sliceExample();
  changed.steps[3].args = {0, 10, 1, 11};
  expectRejected(changed, "the remainder is missing");
  changed.steps[3].bound = "211/1000"; // 0.5 · 0.02 + 0.3 · 0.04 + 0.2 · 1 is above
  expectRejected(changed, "the remainder is missing");
  changed = sliceExample();
  changed.steps[3].args = {0, 10, 11, 12};
  changed.steps[3].bound = "3/100"; // the worst of the others has the rest
  EXPECT_TRUE(changed.check().accepted);
}

TEST(Check, RejectsSharesOfRequestsForMeansOverTokens) {
  Certificate changed = sliceExample();
  changed.inputs[0].fact.quantity = "weight";
  changed.inputs[0].value = "2/5";
  changed.steps[3].bound = "4/125"; // 0.4 · 0.02 + 0.3 · 0.04 + 0.3 · 0.04
  expectRejected(changed, "a share of requests");
}

TEST(Check, RejectsWholeResponsesOfSlicesThatCutThem) {
  Certificate changed = wholeExample();
  changed.contract += "slices:\n  late: { when: position >= 10 }\n";
  changed.slices = {{"late", changed.quote("late: { when: position >= 10 }")}};
  changed.claims.resize(3);
  EXPECT_FALSE(changed.check().accepted);
  changed.steps.erase(changed.steps.begin() + 11); // L-SEQ-HEL
  changed.steps.erase(changed.steps.begin() + 10); // L-PG-STEP
  EXPECT_TRUE(changed.check().accepted) << changed.check().report;
}

TEST(Check, RejectsAClauseOnTvWhereSupportIsCut) {
  Certificate changed = sliceExample();
  changed.contract += "numerical: { extra: mean(tv) <= 1% }\n";
  changed.input(7, "extra: mean(tv) <= 1%", {"tv", "mean", "", "math"}, "1/100");
  EXPECT_TRUE(changed.check().accepted) << changed.check().report;
  changed.inputs.erase(changed.inputs.begin() + 6);
  changed.steps.resize(4);
  changed.claims.resize(1);
  expectRejected(changed, "support is not full");
  changed.inputs.back().fact.quantity = "plain_tv";
  EXPECT_TRUE(changed.check().accepted) << changed.check().report;
}

TEST(Check, LeavesAloneWhatIsNotProved) {
  Certificate changed = wholeExample();
  changed.claims[0].verdict = "unproved";
  changed.claims[0].budget = "1/1000";
  Verdict verdict = changed.check();
  EXPECT_TRUE(verdict.accepted);
  EXPECT_NE(verdict.report.find("token_tv on other: not checked"), std::string::npos);
}

} // namespace
} // namespace verify::tests
