#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view everyStep =
    "TV <= tau at every prefix that either kernel can reach; the reward of each step lies in an "
    "interval of length range that contains 0, the reward of the steps after the end.";
constexpr std::string_view rewardDiscTraps =
    "tau is a supremum: for means L-R-DISCMEAN holds, which is larger. The textbook range·tau/(1 − "
    "gamma)² is a bound, but nearly twice as large at tau = 0.1 and gamma = 0.9. Step rewards in "
    "[1, 2] have a range of 2, not of 1, where responses can end early.";

} // namespace

constinit const Lemma rewardDisc = {
    .id = "L-R-DISC",
    .statement =
        "If every reachable prefix has total variation at most tau, the expected discounted "
        "return changes by at most range·tau/((1 − gamma)(1 − gamma + gamma·tau)).",
    .hypotheses = everyStep,
    .formula = "range·Σ gamma^(t−1)·(1 − (1 − tau)^t) = range·tau/((1 − gamma)(1 − gamma + "
               "gamma·tau)), gamma < 1",
    .proof = "The reward of step t depends on the first t tokens, which differ by at most 1 − (1 − "
             "tau)^t (L-SEQ-TV); sum over all t.",
    .trap = rewardDiscTraps,
    .tight = "the kernels of L-SEQ-TV's worst case",
    .parameterRow = {{{"range", Domain::NonNegative, "length of the range of one step's reward"},
                      {"tau", Domain::Share, "total variation of any prefix"},
                      {"gamma", Domain::Share, "the discount factor"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real &range = a[0], &tau = a[1], &gamma = a[2];
      if (!isLess(gamma, 1))
        return std::nullopt;
      return range * tau / ((1 - gamma) * (1 - gamma + gamma * tau));
    },
    .useRow = {{{{given(Quantity::StepRewardReach), sup(Quantity::Tv), given(Quantity::Discount)},
                 Quantity::DiscountedRewardDrift}}},
    .inverse = &inverseRewardDisc,
};

constinit const Lemma rewardDiscT = {
    .id = "L-R-DISC-T",
    .statement =
        "If every reachable prefix has total variation at most tau, the expected discounted "
        "return of up to T steps changes by at most the discounted sum of 1 − (1 − tau)^t.",
    .hypotheses = everyStep,
    .formula = "range·Σ_{t<=T} gamma^(t−1)·(1 − (1 − tau)^t)",
    .proof = "As L-R-DISC, with the sum ending at T. It is the difference of two geometric sums.",
    .trap = rewardDiscTraps,
    .tight = "the kernels of L-SEQ-TV's worst case",
    .parameterRow = {{{"range", Domain::NonNegative, "length of the range of one step's reward"},
                      {"tau", Domain::Share, "total variation of any prefix"},
                      {"gamma", Domain::Share, "the discount factor"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * discountedAnyOf(a[1], a[2], a[3]); },
    .useRow = {{{{given(Quantity::StepRewardReach), sup(Quantity::Tv), given(Quantity::Discount),
                  given(Quantity::Horizon)},
                 Quantity::DiscountedRewardDrift}}},
};

constinit const Lemma rewardDiscHel = {
    .id = "L-R-DISC-HEL",
    .statement = "If the logit drift oscillates by at most omega at every reachable prefix, the "
                 "expected discounted return of up to T steps changes by at most the discounted "
                 "sum of L-SEQ-HEL's bounds.",
    .hypotheses =
        "The oscillation is at most omega at every prefix that either kernel can reach; nothing is "
        "cut away; the reward of each step lies in an interval of length range that contains 0, "
        "the reward of the steps after the end; T is at most 100 000.",
    .formula = "range·Σ_{t<=T} gamma^(t−1)·√(1 − sech(omega/4)^(2t))",
    .proof =
        "The reward of step t depends on the first t tokens: L-SEQ-HEL for each t, then L-R-RANGE.",
    .trap = "Using L-SEQ-HEL at T for every step is a bound too, though larger: early rewards see "
            "few steps.",
    .parameterRow = {{{"range", Domain::NonNegative, "length of the range of one step's reward"},
                      {"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"gamma", Domain::Share, "the discount factor"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result {
      auto sum = discountedHellinger(a[1], a[2], a[3]);
      if (!sum)
        return std::nullopt;
      return a[0] * *sum;
    },
    .useRow = {{{{given(Quantity::StepRewardReach), sup(Quantity::Omega), given(Quantity::Discount),
                  given(Quantity::Horizon)},
                 Quantity::DiscountedRewardDrift}}},
    .needsFullSupport = true,
};

constinit const Lemma rewardDiscReturn = {
    .id = "L-R-DISC-RETURN",
    .statement = "The expected discounted return of up to T steps changes by at most the length of "
                 "its range times the total variation of whole responses.",
    .hypotheses = "The reward of each step lies in an interval of length range that contains 0, "
                  "the reward of the steps after the end; no response is longer than T.",
    .formula = "range·(1 − gamma^T)/(1 − gamma)·TV(P, Q), range·T·TV(P, Q) for gamma = 1",
    .proof =
        "Returns lie in an interval of length range·(1 + gamma + … + gamma^(T−1)); then L-R-RANGE.",
    .trap = "It is the one to use for means: a token-weighted mean gives a mean for whole "
            "responses (L-SEQ-TVMEAN), but not one for each step, which L-R-DISCMEAN needs.",
    .parameterRow = {{{"range", Domain::NonNegative, "length of the range of one step's reward"},
                      {"gamma", Domain::Share, "the discount factor"},
                      {"T", Domain::Count, "the horizon"},
                      {"tv", Domain::NonNegative, "total variation of whole responses"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * geometric(a[1], a[2]) * a[3]; },
    .useRow = {{{{given(Quantity::StepRewardReach), given(Quantity::Discount),
                  given(Quantity::Horizon), each(Quantity::SeqTv)},
                 Quantity::DiscountedRewardDrift},
                {{given(Quantity::StepRewardReach), given(Quantity::Discount),
                  given(Quantity::Horizon), mean(Quantity::SeqTv)},
                 Quantity::DiscountedRewardDrift,
                 Quantifier::Mean}}},
    .curvature = Curvature::Concave,
};

constinit const Lemma inverseRewardDisc = {
    .id = "G-R-DISC",
    .statement = "The largest total variation of a prefix for which L-R-DISC gives b.",
    .hypotheses = "b >= 0, range > 0, gamma < 1",
    .formula = "tau = (1 − gamma)²·b/(range − gamma·(1 − gamma)·b); 1 where b >= range/(1 − gamma)",
    .proof = "L-R-DISC solved for tau. At tau = 1 it gives range/(1 − gamma).",
    .parameterRow = {{{"b", Domain::NonNegative, "the budget of the drift"},
                      {"range", Domain::Positive, "length of the range of one step's reward"},
                      {"gamma", Domain::Share, "the discount factor"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real &b = a[0], &range = a[1], &gamma = a[2];
      if (!isLess(gamma, 1))
        return std::nullopt;
      Real rest = 1 - gamma;
      if (isAtMost(range, b * rest))
        return Real(Rational(1), b.bits());
      return rest * rest * b / (range - gamma * rest * b);
    },
};

} // namespace tikc::bounds::lemmas
