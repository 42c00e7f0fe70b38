#include "tools/Rounds.h"
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

/// Whether one of a step's premises is of a kind.
bool rests(const Certificate& example, std::size_t step, const char* kind) {
  auto isOne = [&](const auto& entry) {
    const auto& args = example.steps[step].args;
    return std::count(args.begin(), args.end(), entry.id) > 0 &&
           isOneOf(kindOf(entry.fact.quantity), kind);
  };
  return std::any_of(example.inputs.begin(), example.inputs.end(), isOne) ||
         std::any_of(example.steps.begin(), example.steps.end(), isOne);
}

void expectRejected(const Certificate& certificate, const std::string& what) {
  EXPECT_FALSE(certificate.check().accepted) << what;
}

TEST(Check, AcceptsTheExamples) {
  for (const Certificate& example : examples()) {
    Verdict verdict = example.check();
    EXPECT_TRUE(verdict.accepted) << verdict.report;
  }
}

TEST(Check, ReportsWhatAClaimRestsOn) {
  std::string report = wholeExample().check().report;
  EXPECT_NE(report.find("\n  token_tv: accepted"), std::string::npos) << report;
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

TEST(Check, NothingFollowsFromClausesThatNoKernelsKeepTogether) {
  const Certificate whole = wholeExample();
  const std::string before = "\nstatistical:\n";
  ASSERT_NE(whole.contract.find(before), std::string::npos);
  auto beside = [&](const std::string& clause) {
    return whole.with(before, before + "  more: " + clause + "\n").check().accepted;
  };
  for (const char* clause : {"min(tv) >= 0.9", "max(tv) >= 0.9", "mean(tv) > 0.9",
                             "max(logit_osc) in [2, 3]", "min(kl_infer_train) >= 0.5"})
    EXPECT_FALSE(beside(clause)) << clause;
  for (const char* clause : {"min(tv) >= 0.0001", "max(tv) >= 0.1", "mean(tv) >= 0.001",
                             "max(logit_osc) in [0.5, 3]", "p99(latency) <= 45 s over 15 min"})
    EXPECT_TRUE(beside(clause)) << clause;
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
      // A drift is infinite where the support is not the same.
      EXPECT_EQ(changed.check().accepted, rests(example, i, "drift")) << changed.steps[i].lemma;
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
        if (!changed.inputs[i].isWritten || from == at)
          continue;
        from = at;
        expectRejected(changed, "another place");
      }
  }
}

TEST(Check, RejectsTextsThatStandElsewhere) {
  const Certificate whole = wholeExample();
  const std::string text = "usual_drift: p99(logit_osc) <= 0.25";
  EXPECT_TRUE(whole.with("model:", "# a comment\nmodel:").check().accepted);
  expectRejected(whole.with("numerical:", "observability:"), "an observation is no clause");
  expectRejected(whole.with("numerical:", "claims:"), "a claim is no clause");
  expectRejected(whole.with(text, "# " + text), "a comment");
  expectRejected(whole.with(text, "x: " + text), "within another value");
  expectRejected(whole.with(text, "x: '" + text + "'"), "within quotes");
  expectRejected(whole.with(text, "x: >\n    " + text), "within a block of text");
  expectRejected(whole.with(text, "x:\n    " + text), "a part of another clause");
  expectRejected(whole.with(text, "\"" + text + "\": 1"), "a part of a key");
  expectRejected(whole.with(text, text + " ms"), "another unit");
  expectRejected(whole.with(text, "x: 1 #\n#" + text), "a comment after a value");
  expectRejected(whole.with("claims:", "statistical:"), "a clause is no claim");
}

TEST(Check, RejectsOtherPlaces) {
  std::size_t place = 0;
  for (const Certificate& example : examples()) {
    auto each = [&](auto list) {
      for (std::size_t i = 0; i < (example.*list).size(); ++i)
        for (auto member : {&FactText::scope, &FactText::link, &FactText::laws, &FactText::drawn})
          for (const char* other :
               {"", "*", "other", "math", "x", "a>b", "b>c", "x>y", "served served", "served whole",
                "kept served", "raw served", "a", "b", "c", "text"}) {
            Certificate changed = example;
            FactText& fact = (changed.*list)[i].fact;
            // The number of the contract that a product is made of holds on every slice.
            const bool isNumber = fact.quantity == "gradient" && member == &FactText::scope;
            if (fact.*member == other || isNumber || !tikc::tests::isTried(place++))
              continue;
            fact.*member = other;
            expectRejected(changed, fact.quantity + " about " + other);
          }
    };
    each(&Certificate::inputs);
    each(&Certificate::steps);
    each(&Certificate::claims);
  }
}

TEST(Check, ReadsWhatAnEstimatorIsByItself) {
  const Certificate whole = wholeExample();
  expectRejected(whole.with("correction: none", "correction: is"), "it is weighted");
  expectRejected(whole.with("  correction: none\n", ""), "no correction is given");
  expectRejected(whole.with("correction: none", "correction: none\n  group: 4"), "it is of groups");
  Certificate changed = whole;
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
  const Certificate whole =
      wholeExample().with("numerical:", "slices: { late: { when: KEY >= 10 } }\nnumerical:");
  for (const char* key : {"prompt_tokens", "position", "response_tokens"}) {
    Certificate changed = whole.with("KEY", key);
    for (auto& step : changed.steps)
      step.fact.scope = "late";
    for (auto& input : changed.inputs)
      input.fact.scope = input.fact.scope.empty() ? "" : "late";
    changed.claims.clear();
    const Verdict verdict = changed.check();
    // That no claim was reached is what remains wrong with it.
    EXPECT_EQ(verdict.report.find("leaves out what token_tv claims on late") == std::string::npos,
              key != std::string("prompt_tokens"))
        << key << verdict.report;
  }
}

TEST(Check, RejectsAMixtureOfTokensThatSomebodyElseDrew) {
  Certificate changed = sliceExample();
  for (const char* text : {"<= 2%, slices: [math]", "all: max(logprob_linf) <= 0.5 on all"})
    EXPECT_NE(changed.contract.find(text), std::string::npos);
  changed =
      changed.with("mean(tv_sampled) <= 2%, slices", "mean(tv_sampled) <= 2%, drawn: text, slices");
  expectRejected(changed, "no kernel drew the tokens");
  changed.inputs[2].fact.drawn = "text";
  changed.inputs[2].quote = changed.quote("math: { require:");
  expectRejected(changed, "no kernel drew the tokens");
  changed.steps[0].fact.drawn = "text";
  expectRejected(changed, "no kernel drew the tokens");
}

/// Each changes what the contract says of its kernels, and nothing that the certificate quotes.
TEST(Check, ReadsKernelsByItself) {
  const Certificate whole = wholeExample();
  auto kernel = [&](const std::string& name, const std::string& own) {
    return whole.with(name + ": { engine: x }", name + ": { engine: x, " + own + " }");
  };
  EXPECT_TRUE(kernel("a", "sampling: { temperature: 1, top_p: 1, min_p: 0 }").check().accepted);
  EXPECT_TRUE(kernel("b", "logprobs: processed").check().accepted);
  EXPECT_TRUE(kernel("b", "logprobs: raw").check().accepted) << "at 1 it is the same";
  expectRejected(kernel("a", "sampling: { temperature: 0.5 }"), "another temperature");
  expectRejected(kernel("b", "sampling: { temperature: 0.5 }"), "another temperature");
  expectRejected(kernel("b", "sampling: { temperature: 0 }"), "it is greedy");
  expectRejected(kernel("b", "sampling: { top_p: 0.9 }"), "it cuts");
  expectRejected(kernel("b", "sampling: { top_k: 10 }"), "it cuts");
  expectRejected(kernel("b", "sampling: { min_p: 1% }"), "it cuts");
  expectRejected(kernel("a", "sampling: { top_p: 0.9 }"), "the trainer cuts");
  expectRejected(kernel("a", "sampling: { tpo_p: 0.9 }"), "nobody knows what that is");
  expectRejected(whole.with("temperature: 1.0", "temperature: 0.1"), "another temperature");
  expectRejected(whole.with("support: full", "support: { missing_mass: 1% }"), "mass is missing");
  expectRejected(whole.with("train: a, infer: b", "train: b, infer: a"), "the other way round");
  expectRejected(whole.with("tikc: v1", "tikc: v2"), "another language");
  Certificate chain = chainExample();
  expectRejected(chain.with("[a, b, c]\n", "[a, c, b]\n"), "another order");
  expectRejected(chain.with("support: full\n", "support: full\nmodel: { temperature: 0.1 }\n"),
                 "it is not the default");
  chain = chain.with("c: { engine: x }",
                     "c: { engine: x, logprobs: raw, sampling: { temperature: 2 } }");
  expectRejected(chain, "raw log-probs are of another law");
}

TEST(Check, AsksForEveryPartOfAClaim) {
  const Certificate whole = wholeExample();
  for (const char* more : {"mean(tv) <= 0.065 and max(tv) <= 0.1", "mean(tv) in [0.01, 0.065]",
                           "mean(tv) == 0.065", "mean(tv) <= 0.065 on all and ess >= 0.9"})
    expectRejected(whole.with("mean(tv) <= 0.065", more), more);
  EXPECT_TRUE(whole.with("mean(tv) <= 0.065", "mean(tv) in [0, 0.065]").check().accepted);
  Certificate changed = whole.with("mean(tv) <= 0.065", "mean(tv) <= 0.065 and max(tv) <= 0.1");
  changed.claims.insert(changed.claims.begin() + 1, changed.claims[0]);
  expectRejected(changed, "the same half twice");
  changed.claims[1].verdict = "unproved";
  changed.claims[1].quote = changed.quote("token_tv:");
  const Verdict verdict = changed.check();
  EXPECT_TRUE(verdict.accepted) << verdict.report;
  EXPECT_EQ(verdict.open, std::vector<std::string>{"token_tv"});
  EXPECT_NE(verdict.report.find("token_tv: not proved, mean(tv) <= 0.065 and max(tv) <= 0.1\n"
                                "    mean(tv) <= 0.065: accepted\n"
                                "    max(tv) <= 0.1: not checked, the certificate says unproved\n"),
            std::string::npos)
      << verdict.report;
  // A claim that binds each slice.
  changed = sliceExample().with("tv <= 0.03 on all", "tv <= 0.03");
  for (ClaimText& claim : changed.claims)
    claim.fact.scope = "code";
  expectRejected(changed, "one slice of three");
}

TEST(Check, TakesStrictTextsForStrictClaims) {
  Certificate strict = sliceExample().with(
      "max(logprob_linf) <= 0.5 on all", "max(logprob_linf) < 0.5 on all and p90(tv) < 1% on code");
  strict = strict.with("max(ratio) <= 1.65", "p90(tv) < 1%");
  strict.input(7, "all: max(logprob_linf)", {"tv", "quantile", "1/10", "code"}, "1/100");
  strict.claims[1].fact = strict.inputs.back().fact;
  strict.claims[1].op = "<";
  strict.claims[1].budget = "1/100";
  strict.claims[1].step = 7;
  strict.claims[1].quote = strict.quote("part:");
  for (int i : {5, 7})
    strict.inputs[static_cast<std::size_t>(i)].quote = strict.quote("all: max(logprob_linf)");
  EXPECT_TRUE(strict.check().accepted) << strict.check().report;
  expectRejected(strict.with("p90(tv) < 1% on code", "p90(tv) <= 1% on code"), "it may be reached");
}

TEST(Check, LeavesAloneWhatIsNotProved) {
  Certificate changed = wholeExample();
  changed.claims[0].verdict = "unproved";
  changed.claims[0].budget = "1/1000";
  Verdict verdict = changed.check();
  EXPECT_TRUE(verdict.accepted);
  EXPECT_NE(verdict.report.find("token_tv: not proved"), std::string::npos);
  changed.claims.erase(changed.claims.begin());
  expectRejected(changed, "it is silent about a claim");
}

} // namespace
} // namespace verify::tests
