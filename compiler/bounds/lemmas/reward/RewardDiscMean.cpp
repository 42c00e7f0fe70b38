#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

#include <algorithm>

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view eachMean =
    "For every step t, tau bounds the mean of TV over the inference kernel's prefixes of t − 1 "
    "tokens; the reward of each step lies in an interval of length range that contains 0, the "
    "reward of the steps after the end.";
constexpr std::string_view rewardDiscMeanTraps =
    "tau bounds each step's mean. A token-weighted mean over all steps may hide larger drift at "
    "early steps, which weigh most: use L-R-DISC-RETURN for it.";

/// The sum of gamma^(t−1)·(1 + gamma + … + gamma^(T−t)) over t = 1, …, T.
Real weights(const Real& gamma, const Real& horizon) {
  if (gamma.isExact() && gamma.lower() == 1)
    return horizon * (horizon + 1) / 2;
  Real rest = 1 - gamma;
  unsigned lost = static_cast<unsigned>(std::clamp(-rest.magnitude(), 0L, 4096L));
  Real wide = gamma.withBits(gamma.bits() + 64 + 2 * lost);
  Real last = pow(wide, horizon.withBits(wide.bits()));
  return ((geometric(wide, horizon) - horizon * last) / (1 - wide)).withBits(gamma.bits());
}

} // namespace

constinit const Lemma rewardDiscMean = {
    .id = "L-R-DISCMEAN",
    .statement = "If the mean total variation of each step is at most tau, the expected "
                 "discounted return changes by at most range·tau/(1 − gamma)².",
    .hypotheses = eachMean,
    .formula = "range·tau/(1 − gamma)², gamma < 1",
    .proof = "The performance difference: a step's change costs its mean TV times the range of the "
             "action values from there on, which is range/(1 − gamma) at most; discount and sum.",
    .trap = rewardDiscMeanTraps,
    .parameterRow = {{{"range", Domain::NonNegative, "length of the range of one step's reward"},
                      {"tau", Domain::NonNegative, "mean total variation of any step"},
                      {"gamma", Domain::Share, "the discount factor"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isLess(a[2], 1))
        return std::nullopt;
      Real rest = 1 - a[2];
      return a[0] * a[1] / (rest * rest);
    },
};

constinit const Lemma rewardDiscMeanT = {
    .id = "L-R-DISCMEAN-T",
    .statement = "If the mean total variation of each of T steps is at most tau, the expected "
                 "discounted return changes by at most the discounted sum of tau times the "
                 "remaining range of the return.",
    .hypotheses = eachMean,
    .formula = "range·Σ_{t<=T} gamma^(t−1)·tau·(1 − gamma^(T−t+1))/(1 − gamma); range·tau·T(T + "
               "1)/2 for gamma = 1",
    .proof = "As L-R-DISCMEAN, with action values of T − t + 1 steps.",
    .trap = rewardDiscMeanTraps,
    .parameterRow = {{{"range", Domain::NonNegative, "length of the range of one step's reward"},
                      {"tau", Domain::NonNegative, "mean total variation of any step"},
                      {"gamma", Domain::Share, "the discount factor"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[1] * weights(a[2], a[3]); },
};

} // namespace tikc::bounds::lemmas
