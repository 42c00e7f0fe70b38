#include "support/Edits.h"
#include "unit/Checked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

using diag::Severity;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A contract whose clause gives mean(tv) <= 0.025, with what its head says besides.
std::string contract(const std::string& more, const std::string& claims) {
  std::string out = head();
  out.insert(out.find("kernels:"), more);
  return out +
         "model: { vocabulary: 1000, horizon: 1024 tokens }\nassumptions: { support: full }\n" +
         "numerical: { drift: max(logit_osc) <= 0.1 }\nclaims: { " + claims + " }\n" + observed();
}

constexpr const char* refuted = "a: tv <= 0.01";
constexpr const char* unproved = "a: seq_tv <= 60%"; // what follows is 68.76%
constexpr const char* unbounded = "a: reward_drift <= 0.1";
constexpr const char* proved = "a: tv <= 0.25";

std::vector<Severity> severities(const Checked& checked) {
  std::vector<Severity> out;
  for (const diag::Diagnostic& found : checked.diagnostics())
    out.push_back(found.severity);
  return out;
}

TEST(Draft, WarnsOfClaimsThatFail) {
  for (const char* claim : {refuted, unproved, unbounded}) {
    Checked whole(contract("", claim)), draft(contract("draft: true\n", claim));
    ASSERT_THAT(severities(whole), ElementsAre(Severity::Error)) << claim;
    ASSERT_THAT(severities(draft), ElementsAre(Severity::Warning)) << claim;
    const diag::Diagnostic &is = draft.diagnostics().front(), &was = whole.diagnostics().front();
    EXPECT_EQ(is.code, was.code);
    EXPECT_EQ(is.message, was.message);
    EXPECT_THAT(is.notes, Contains(HasSubstr("the contract is a draft")));
    EXPECT_THAT(was.notes, Not(Contains(HasSubstr("draft"))));
  }
}

TEST(Draft, LeavesAllElseAnError) {
  for (const char* more : {"draft: true\nmodle: {}\n", "draft: true\nsummary: [1]\n"}) {
    Checked checked(contract(more, refuted));
    EXPECT_THAT(severities(checked), ElementsAre(Severity::Error)) << more;
  }
  std::string text = contract("draft: true\n", refuted);
  text.replace(text.find("numerical: {"), 12, "numerical: { low: min(logit_osc) >= 2,");
  EXPECT_THAT(Checked(text).findings(), Contains(HasSubstr("TK6105")));
  EXPECT_THAT(severities(Checked(text)), Contains(Severity::Error));
}

TEST(Draft, FalseIsAsNone) {
  Checked none(contract("", refuted)), no(contract("draft: false\n", refuted));
  EXPECT_THAT(severities(no), ElementsAre(Severity::Error));
  EXPECT_EQ(model::print(none.contracts().front()), model::print(no.contracts().front()));
}

TEST(Draft, IsToldWhenNothingIsLeftToProve) {
  Checked checked(contract("draft: true # for now\n", proved));
  EXPECT_THAT(checked.findings(), ElementsAre("TK6106 4:1 `draft: true`"));
  EXPECT_THAT(severities(checked), ElementsAre(Severity::Note));
  EXPECT_THAT(Checked(contract("draft: true\n", "a: tv <= 0.25, b: tv <= 0.01")).findings(),
              Not(Contains(HasSubstr("TK6106"))));
  std::string nothing = contract("draft: true\n", "x");
  nothing.replace(nothing.find("claims: { x }\n"), 14, "");
  EXPECT_THAT(Checked(nothing).findings(), IsEmpty());
}

/// The edit is the author's to make, and takes nothing else with it.
TEST(Draft, EndsByAnEdit) {
  const std::string whole = contract("", proved);
  for (const char* more : {"draft: true\n", "draft: true # for now\n", "draft: True\r\n"}) {
    std::string text = contract(more, proved);
    Checked checked(text);
    ASSERT_EQ(checked.diagnostics().size(), 1u) << more;
    const diag::Fix& fix = checked.diagnostics().front().fixes.front();
    EXPECT_FALSE(fix.safe);
    EditSet edits;
    ASSERT_TRUE(edits.add(fix.edits));
    EXPECT_EQ(edits.apply(fix.edits.front().span.file, text), whole) << more;
  }
  std::string flow =
      "{ tikc: v1, contract: c, version: 1.0.0, draft: true, kernels: { a: { engine: "
      "vllm }, b: { engine: vllm } }, pair: { train: a, infer: b }, assumptions: { "
      "support: full }, model: { vocabulary: 9 }, numerical: { d: max(logit_osc) <= "
      "1 }, claims: { e: tv <= 0.25 }, observability: { r: 'sample(logits, 1%)' }, "
      "escalation: { x: { when: violated(any), do: rollback }, z: { when: "
      "undecided(any) for 2 windows, do: rollback } } }\n";
  Checked checked(flow);
  ASSERT_THAT(checked.findings(), ElementsAre("TK6106 1:42 `draft: true`"));
  const diag::Fix& fix = checked.diagnostics().front().fixes.front();
  EditSet edits;
  ASSERT_TRUE(edits.add(fix.edits));
  EXPECT_THAT(Checked(edits.apply(fix.edits.front().span.file, flow)).findings(), IsEmpty());
}

TEST(Draft, HasStagesThatPromoteNothing) {
  const std::string stages = "promotion: { full: { traffic: 100%, window: 10 min } }\n";
  EXPECT_THAT(Checked(contract("draft: true\n", proved) + stages).findings(),
              Contains("TK8007 4:1 `draft: true`"));
  EXPECT_THAT(Checked(contract("", proved) + stages).findings(), IsEmpty());
}

/// What is gathered under a draft is about the same clauses.
TEST(Draft, IsPrintedAndNoPartOfTheMeaning) {
  Checked whole(contract("", proved)), draft(contract("draft: true\n", proved));
  const model::Contract &is = draft.contracts().front(), &was = whole.contracts().front();
  EXPECT_THAT(model::print(is), HasSubstr("\ndraft: true\n"));
  EXPECT_EQ(model::meaning(is), model::meaning(was));
}

} // namespace
} // namespace tikc::tests
