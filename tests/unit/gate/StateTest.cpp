#include "gate/State.h"

#include <gtest/gtest.h>

#include <string>

namespace tikc::gate {
namespace {

const std::vector<std::string> stages = {"offline", "shadow", "canary"};

data::PieceId piece(unsigned of) {
  data::PieceId out;
  out.digest.fill(static_cast<std::uint8_t>(of));
  return out;
}

measure::EvidenceOrigin kernel(const std::string& build) {
  measure::EvidenceOrigin out;
  out.contract = "some";
  out.build = build;
  return out;
}

GateDecision decided(GateOutcome outcome, std::size_t stage, double at,
                     std::vector<data::PieceId> pieces, const std::string& build = "a") {
  GateDecision out;
  out.outcome = outcome;
  out.stage = stages[stage];
  out.origin = kernel(build);
  out.at = at;
  out.pieces = std::move(pieces);
  out.restsOn = out.pieces.size();
  out.reasons = {{ReasonId::Undecided, "too few", "gap", "math"}};
  return out;
}

/// The decision of each reason by itself, and of notes and holds beside it.
TEST(DecisionTest, TheStrongestReasonDecides) {
  const Reason note{ReasonId::Unasked, "", "", ""}, hold{ReasonId::Stale, "", "", ""},
      back{ReasonId::Violated, "", "", ""};
  EXPECT_EQ(decide({}), GateOutcome::Promote);
  for (unsigned i = 0; i <= static_cast<unsigned>(ReasonId::Given); ++i) {
    const Reason each{static_cast<ReasonId>(i), "", "", ""};
    const ReasonEffect effect = info(each.id).effect;
    const GateOutcome alone = effect == ReasonEffect::Back   ? GateOutcome::RollBack
                              : effect == ReasonEffect::Hold ? GateOutcome::Hold
                                                             : GateOutcome::Promote;
    EXPECT_EQ(decide({each}), alone) << info(each.id).name;
    EXPECT_EQ(decide({note, each, note}), alone) << info(each.id).name;
    EXPECT_EQ(decide({hold, each}), alone == GateOutcome::Promote ? GateOutcome::Hold : alone);
    EXPECT_EQ(decide({each, back}), GateOutcome::RollBack) << info(each.id).name;
  }
}

/// The rows of the design's table.
TEST(DecisionTest, EachReasonHasTheEffectThatIsPromised) {
  for (ReasonId each :
       {ReasonId::Violated, ReasonId::Incoherent, ReasonId::NotANumber, ReasonId::RuleGoesBack})
    EXPECT_EQ(info(each).effect, ReasonEffect::Back) << info(each).name;
  for (ReasonId each :
       {ReasonId::Draft, ReasonId::Skipped, ReasonId::Passed, ReasonId::Foreign,
        ReasonId::NoEvidence, ReasonId::Withheld, ReasonId::PassedOver, ReasonId::Stale,
        ReasonId::Undated, ReasonId::Ahead, ReasonId::TooFew, ReasonId::TooShort,
        ReasonId::Undecided, ReasonId::RuleActive, ReasonId::Broken, ReasonId::Suspended,
        ReasonId::Beyond, ReasonId::NoHistory, ReasonId::OutsideCorridor})
    EXPECT_EQ(info(each).effect, ReasonEffect::Hold) << info(each).name;
  EXPECT_EQ(info(ReasonId::BetterThanHistory).effect, ReasonEffect::Note);
}

TEST(StateTest, AKernelGoesOnBackAndOnAgain) {
  GateState state;
  state.decisions = {decided(GateOutcome::Hold, 0, 10, {piece(1)}),
                     decided(GateOutcome::Promote, 0, 20, {piece(2)})};
  KernelProgress is = state.progressOf(kernel("a"), stages, 0);
  EXPECT_EQ(is.stage, 1U);
  EXPECT_EQ(is.used.size(), 2U);
  EXPECT_TRUE(is.passed);
  EXPECT_EQ(is.since, 10);
  EXPECT_EQ(state.progressOf(kernel("b"), stages, 0).stage, 0U); // another has passed nothing
  EXPECT_TRUE(state.progressOf(kernel("a"), stages, 1).used.empty());
  // What passed one stage passes no other; what did not pass one may be looked at by another.
  EXPECT_EQ(state.progressOf(kernel("a"), stages, 1).spent.size(), 2U);
  EXPECT_TRUE(is.spent.empty());

  state.decisions.push_back(decided(GateOutcome::RollBack, 1, 30, {piece(3)}));
  is = state.progressOf(kernel("a"), stages, 0);
  EXPECT_EQ(is.stage, 0U);
  EXPECT_EQ(is.attempt, 2U);
  EXPECT_TRUE(is.used.empty());
  EXPECT_EQ(is.closed.size(), 3U);
  EXPECT_FALSE(is.sentBack);
  is = state.progressOf(kernel("a"), stages, 1);
  ASSERT_TRUE(is.sentBack);
  EXPECT_EQ(is.sentBackBy, std::set<data::PieceId>{piece(3)});
  EXPECT_TRUE(is.spent.empty());
  is = state.progressOf(kernel("a"), stages, 0);
  EXPECT_FALSE(is.since);
  state.decisions.push_back(decided(GateOutcome::RollBack, 0, 40, {}));
  is = state.progressOf(kernel("a"), stages, 0);
  EXPECT_EQ(is.stage, 0U);
  EXPECT_EQ(is.attempt, 3U);
}

GateState full() {
  GateState out;
  out.contract = "some";
  out.latest = 12;
  out.decisions = {decided(GateOutcome::Hold, 0, 10, {piece(1)}),
                   decided(GateOutcome::Promote, 0, 20, {piece(2), piece(3)})};
  AcceptedRun run;
  run.stage = "canary";
  run.origin = kernel("a");
  run.by = "ana";
  run.because = "it was well";
  run.pieces = {piece(9)};
  run.rows.push_back({"gap", "mean(x) <= 1", "math", {}});
  run.rows.back().sums.add(0.5, 2, true);
  out.history = {run};
  return out;
}

std::string whyNot(std::string_view bytes) {
  auto out = GateState::read(bytes, "gate.state");
  return out ? "" : llvm::toString(out.takeError());
}

TEST(StateTest, IsReadAsItWasWrittenAndInNoOtherWay) {
  const std::string bytes = full().bytes();
  auto read = GateState::read(bytes, "gate.state");
  ASSERT_TRUE(static_cast<bool>(read));
  EXPECT_EQ(read->bytes(), bytes);
  EXPECT_EQ(read->decisions[0].reasons[0].clause, "gap");
  EXPECT_EQ(read->history[0].rows[0].sums.squares, 0.25);
  for (std::size_t cut = 0; cut < bytes.size(); ++cut)
    EXPECT_NE(whyNot(std::string_view(bytes).substr(0, cut)), "") << cut;
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string other = bytes;
      other[at] = static_cast<char>(other[at] ^ (1 << bit));
      EXPECT_NE(whyNot(other), "") << at;
    }
  EXPECT_NE(whyNot(bytes + '\0'), "");
  std::string newer = bytes;
  newer[8] = 2;
  EXPECT_NE(whyNot(newer).find("of version 2; this tikc reads version 1"), std::string::npos)
      << whyNot(newer);
  EXPECT_NE(whyNot("TIKCEVID and more").find("is no"), std::string::npos);
}

} // namespace
} // namespace tikc::gate
