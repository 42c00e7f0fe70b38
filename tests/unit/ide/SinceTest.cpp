#include "Analysed.h"

#include "ide/Since.h"
#include "ide/actions/Actions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc::ide::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string contract(const std::string& version, const std::string& clauses,
                     const std::string& head = "") {
  return "tikc: v1\ncontract: x\n" + version + head +
         "kernels: { t: { engine: fsdp2 }, s: { engine: vllm } }\n"
         "pair: { train: t, infer: s }\nnumerical:\n" +
         clauses +
         "observability: { rows: 'sample(logits, 1%)' }\nescalation:\n"
         "  rest: { when: violated(any), do: hold, until: satisfied(any) }\n"
         "  silent: { when: undecided(any) for 6 windows, do: alert(\"us\") }\n";
}

const std::string drift = "  drift: max(logit_osc) <= 0.5\n";
const std::string tight = "  drift: max(logit_osc) <= 0.4\n";
const std::string old = "version: 1.2.0\n";

std::vector<std::string> needs(const Analysed& was, const Analysed& is) {
  std::vector<std::string> out;
  for (const VersionLens& lens : versionLensesIn(*is, changesSince(*was, *is)))
    out.push_back(lens.need);
  return out;
}

TEST(Since, TellsWhatTheVersionNeeds) {
  Analysed was(contract(old, tight));
  EXPECT_THAT(needs(was, was), ElementsAre("unchanged since HEAD"));
  EXPECT_THAT(needs(was, Analysed(contract(old, drift))),
              ElementsAre("1.2.0 → needs 2.0.0: looser: drift"));
  EXPECT_THAT(needs(was, Analysed(contract("version: 2.0.0-rc.1\n", drift))),
              ElementsAre("looser: drift: major, 2.0.0 is enough"));
}

TEST(Since, NamesAFewOfMany) {
  std::string more;
  for (char name = 'a'; name < 'f'; ++name)
    more += std::string("  ") + name + ": max(tv) <= 0." + std::to_string(name - 'a' + 1) + "\n";
  EXPECT_THAT(needs(Analysed(contract(old, tight)), Analysed(contract(old, tight + more))),
              ElementsAre(::testing::EndsWith(", 2 more")));
}

TEST(Since, IsSilentWhereThereIsNothingToHoldItTo) {
  Analysed was(contract(old, drift));
  EXPECT_THAT(needs(was, Analysed(contract(old, "  drift: max(logit_ocs) <= 0.5\n"))), IsEmpty());
  EXPECT_THAT(needs(Analysed("tikc: v1\n"), was), IsEmpty());
  EXPECT_THAT(needs(Analysed(contract(old, drift, "abstract: true\n")), was), IsEmpty());
  EXPECT_THAT(needs(was, Analysed(contract(old, tight, "abstract: true\n"))), IsEmpty());
  EXPECT_THAT(needs(was, Analysed(contract("", tight))), IsEmpty());
}

TEST(Since, TellsWhyThereIsNothingToTell) {
  Analysed was(contract(old, tight)), is(contract(old, drift));
  auto told = toldSince(*was, *is, "x");
  ASSERT_TRUE(bool(told));
  EXPECT_THAT(*told, HasSubstr("looser  clause drift"));
  EXPECT_THAT(*told, HasSubstr("(test.tikc.yaml:7:3)")); // the old one's place is nobody's file
  EXPECT_THAT(llvm::toString(toldSince(*was, *is, "y").takeError()), HasSubstr("HEAD does not"));
  Analysed faulty(contract(old, "  drift: 1\n"));
  EXPECT_THAT(llvm::toString(toldSince(*was, *faulty, "x").takeError()),
              HasSubstr("the file has errors: "));
  EXPECT_THAT(llvm::toString(toldSince(*faulty, *is, "x").takeError()), HasSubstr("at HEAD"));
}

TEST(Since, KnowsTheContractAtAPlace) {
  std::string one = contract(old, drift);
  Analysed two(one + "---\n" + "tikc: v1\ncontract: second\n");
  EXPECT_EQ(contractAt(*two, two.at("drift")), "x");
  EXPECT_EQ(contractAt(*two, two.at("second")), "second");
}

} // namespace
} // namespace tikc::ide::testing
