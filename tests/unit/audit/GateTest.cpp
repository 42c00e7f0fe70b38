#include "audit/gates/Gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tikc::audit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class GateTest : public ::testing::Test {
protected:
  Gates read(std::string text, JudgingText::How how = JudgingText::How::Expression) {
    Gates out;
    addGates({how, {std::move(text), FileId{0}, {}, 0}, {}}, limits_, out);
    return out;
  }
  /// "median train/x < 1.1" a gate, "3-7 why" what was not understood.
  std::vector<std::string> said(std::string text,
                                JudgingText::How how = JudgingText::How::Expression) {
    const Gates gates = read(std::move(text), how);
    std::vector<std::string> out;
    for (const Gate& each : gates.gates)
      out.push_back(std::string(each.isAbsolute ? "|x| " : "") +
                    std::string(foldOf(each.fold).name) + " " + each.series + " " +
                    std::string(symbol(each.comparator)) + " " + printRational(each.limit) +
                    (each.leftOut.empty() ? "" : " without " + each.leftOut));
    for (const Misread& each : gates.misread)
      out.push_back(std::to_string(each.place.begin) + "-" + std::to_string(each.place.end));
    return out;
  }

  Limits limits_;
};

TEST_F(GateTest, ReadsWhatTestSuitesHave) {
  EXPECT_THAT(said(R"(median(data["train/gen_kl_error"]) < 1.3)"),
              ElementsAre("median train/gen_kl_error < 1.3"));
  EXPECT_THAT(said(R"(data['train/gen_kl_error']['$MAX_STEPS'] <= 1e-3)"),
              ElementsAre(" train/gen_kl_error <= 0.001"));
  EXPECT_THAT(said(R"(data["train/gen_kl_error"]["1"] > 0.05)"),
              ElementsAre(" train/gen_kl_error > 0.05"));
  EXPECT_THAT(said(R"(ratio_above(data["x"], 1.05) < 0.02)"), ElementsAre("ratio_above x < 0.02"));
  EXPECT_THAT(said(R"(ratio_above(data["x"], threshold=1.05) < 0.02)"),
              ElementsAre("ratio_above x < 0.02"));
  EXPECT_THAT(read(R"(all_finite(data["x"]))").finite, ElementsAre("x"));
}

TEST_F(GateTest, SidesMayBeExchangedAndChained) {
  EXPECT_THAT(said(R"(1.3 > max(data["x"]))"), ElementsAre("max x < 1.3"));
  EXPECT_THAT(said(R"(0 <= mean(data["x"]) < 2)"), ElementsAre("mean x >= 0", "mean x < 2"));
  EXPECT_THAT(said(R"(max(data["x"]) < 1 and (min(data["y"]) > -.5))"),
              ElementsAre("max x < 1", "min y > -0.5"));
  EXPECT_THAT(said(R"(max(data["x"]) < 1 + 2 * 0.5 - 1_0 / 4)"), ElementsAre("max x < -0.5"));
  EXPECT_THAT(said(R"(abs(max(data["x"])) < 1)"), ElementsAre("|x| max x < 1"));
}

TEST_F(GateTest, ArgumentsOfMeanLeaveStepsOut) {
  EXPECT_THAT(said(R"(mean(data["x"], range_start=-20, range_end=0) < 1)"),
              ElementsAre("mean x < 1 without the steps outside its range"));
  EXPECT_THAT(said(R"(mean(data["x"], 2) < 1)"),
              ElementsAre("mean x < 1 without the steps outside its range"));
  EXPECT_THAT(said(R"(mean(data["x"], 1, 0) < 1)"), ElementsAre("mean x < 1"));
  EXPECT_THAT(said(R"(mean(data["x"], ignore_top_p=0.05) < 1)"),
              ElementsAre("mean x < 1 without the worst 5% of the steps"));
  EXPECT_THAT(said(R"(mean(data["x"], ignore_top_p=0) < 1)"), ElementsAre("mean x < 1"));
}

TEST_F(GateTest, AlarmsPassWhereTheyAreFalse) {
  EXPECT_THAT(said(R"(log["gen_kl_error"] > 0.1)", JudgingText::How::Alarm),
              ElementsAre(" gen_kl_error <= 0.1"));
  EXPECT_THAT(said(R"(a["gen_kl_error"] > 1 or a["k3_kl"] >= 2)", JudgingText::How::Alarm),
              ElementsAre(" gen_kl_error <= 1", " k3_kl < 2"));
  EXPECT_THAT(said(R"("gen_kl_error" in log and log["x"] > 1)", JudgingText::How::Alarm),
              SizeIs(1));
}

/// What is not understood is told where it stands, and is no gate.
TEST_F(GateTest, WhatIsNotUnderstoodIsNoGate) {
  for (const char* text : {R"(sum(data["x"].values()) < 1)",
                           R"(max(data["x"]) < $TOLERANCE)",
                           R"(max(data["x"]) < limit)",
                           R"(max(data["x"]) < 1 or max(data["y"]) < 1)",
                           R"(not max(data["x"]) > 1)",
                           R"(data["x"] < 1)",
                           R"(max(data["x"], key=f) < 1)",
                           R"(max(v for v in data["x"]) < 1)",
                           R"(max(data["x"]) < 1 if a else b)",
                           R"(max(data["x"] < 1)",
                           R"(max(data["x"]) < 1e999999999)",
                           R"(max(data["x"]) < 1 / 0)",
                           R"(max(data["x"]) <> 1)",
                           R"(data["x)",
                           R"(max(data[f"x{i}"]) < 1)",
                           R"(ratio_above(data["x"]) < 1)",
                           R"(__import__("os").system("data[\"x\"]"))",
                           R"(max(data["x"]) in (1, 2))",
                           "",
                           "(",
                           "\xff\xfe",
                           "data[\"x\"][\"1\"].real < 1"}) {
    const Gates gates = read(text);
    EXPECT_THAT(gates.gates, IsEmpty()) << text;
    EXPECT_THAT(gates.misread, SizeIs(1)) << text;
    for (const Misread& each : gates.misread) {
      EXPECT_LE(each.place.begin, each.place.end) << text;
      EXPECT_LE(each.place.end, std::string_view(text).size()) << text;
    }
  }
}

TEST_F(GateTest, IsBounded) {
  const std::string deep(2000, '(');
  EXPECT_THAT(read(deep + "data[\"x\"]").misread, SizeIs(1));
  std::string lean = "max(data[\"x\"]) < 1";
  for (int i = 0; i < 500; ++i)
    lean += "+1";
  EXPECT_THAT(read(lean).misread, SizeIs(1)) << "as deep as it is long";
  EXPECT_THAT(read("max(data[\"x\"]) < " + std::string(5000, '1')).misread, SizeIs(1));
  std::string members = "data[\"x\"]";
  for (int i = 0; i < 500; ++i)
    members += "[1]";
  EXPECT_THAT(read(members + " < 1").misread, SizeIs(1));
}

TEST_F(GateTest, FiguresAreKnownAsTheyAreLogged) {
  for (const char* name : {"train/gen_kl_error", "gen_kl_error", "rollout_corr/rollout_is_max",
                           "actor/rollout_corr/rollout_is_max", "rollout_is_max",
                           "rollout_is_oob_ratio", "rollout_rs_token_k3_max",
                           "rollout_rs_seq_masked_fraction", "training/rollout_probs_diff_valid",
                           "train/train_rollout_logprob_abs_diff", "train/ppo_kl"})
    EXPECT_TRUE(findFigure(name)) << name;
  for (const char* name : {"train/loss", "mean", "max", "kl", "gen_kl_error2", "train/reward", ""})
    EXPECT_FALSE(findFigure(name)) << name;
}

} // namespace
} // namespace tikc::audit
