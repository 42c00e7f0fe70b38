#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view supIsTraps =
    "No weight brings back tokens that are never sampled. State the contract for p restricted to "
    "the kept tokens instead, where the support is the same.";

constexpr Use perResponse(Quantity estimator) {
  return {{given(Quantity::Gradient), mean(Quantity::MissingMass), given(Quantity::Horizon)},
          Quantity::PgSupport,
          Quantifier::Mean,
          estimator};
}

constexpr Use wholeResponse(Quantity estimator) {
  return {{given(Quantity::Gradient), sup(Quantity::MissingMass), given(Quantity::Horizon)},
          Quantity::PgSupport,
          Quantifier::Sup,
          estimator};
}

} // namespace

constinit const Lemma supIs = {
    .id = "L-SUP-IS",
    .statement = "With weights, one token's gradient keeps a bias of up to B times p's mass on "
                 "tokens that are never sampled.",
    .hypotheses = "eta bounds the mean of p's mass on tokens that the inference kernel never "
                  "samples; no token's term has a norm above B.",
    .formula = "‖E_q̃ w·f − E_p f‖ <= B·eta",
    .proof = "The bias is exactly −Σ p·f over the tokens that are never sampled.",
    .trap = supIsTraps,
    .tight = "f of one direction over the cut tokens",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"eta", Domain::Share, "mean of p's mass on tokens that are never sampled"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[1]; },
    .useRow = {{{{given(Quantity::Gradient), mean(Quantity::MissingMass)},
                 Quantity::PgSupport,
                 Quantifier::Mean,
                 Quantity::StepWeighted}}},
};

constinit const Lemma supIsSum = {
    .id = "L-SUP-IS-SUM",
    .statement = "With token weights, a response's gradient keeps a bias of up to B·T times p's "
                 "mean mass on tokens that are never sampled.",
    .hypotheses = "eta bounds the token-weighted mean, over the inference kernel's prefixes, of "
                  "p's mass on tokens that it never samples; no token's term has a norm above B; "
                  "no response is longer than T.",
    .formula = "bias <= B·T·eta",
    .proof = "L-SUP-IS for each token, whose prefix is the inference kernel's; the sum is eta "
             "times the mean length.",
    .trap = "For whole-response weights it does not hold (L-SUP-IS-WHOLE): the missing responses "
            "are counted under the trainer, and each takes all of its T terms along.",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"eta", Domain::Share, "mean of p's mass on tokens that are never sampled"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[2] * a[1]; },
    .useRow = {{perResponse(Quantity::CausalWeighted), perResponse(Quantity::ReturnWeighted),
                perResponse(Quantity::GroupWeighted)}},
};

constinit const Lemma supIsWhole = {
    .id = "L-SUP-IS-WHOLE",
    .statement = "With whole-response weights, a response's gradient keeps a bias of up to B·T "
                 "times the trainer's probability of a response that is never sampled.",
    .hypotheses = "At every prefix that either kernel can reach, p's mass on tokens that the "
                  "inference kernel never samples is at most eta; no token's term has a norm above "
                  "B; no response is longer than T.",
    .formula = "bias <= B·T·(1 − (1 − eta)^T)",
    .proof = "The bias is minus the trainer's expectation over the responses that are never "
             "sampled, whose terms sum to a norm of at most B·T. At each step a share of at most "
             "eta of the trainer's responses becomes one of them.",
    .trap = "A mean of eta over sampled prefixes may not enter: the trainer may favour prefixes "
            "that are rarely sampled and continue with tokens that are never sampled.",
    .tight = "all responses that are never sampled of one direction",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"eta", Domain::Share,
                       "p's mass on tokens that are never sampled, at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[2] * anyOf(a[1], a[2]); },
    .useRow = {{wholeResponse(Quantity::WholeWeighted), wholeResponse(Quantity::GroupWhole)}},
};

constinit const Lemma supIsWrongQ = {
    .id = "L-SUP-IS-WRONGQ",
    .statement = "Weights with the probability before the cut, for tokens sampled after it, have a "
                 "bias of up to B(r + eta·max(1 − r, 0)), r = etaq/(1 − etaq).",
    .hypotheses =
        "Tokens are sampled from q restricted to the kept tokens, weights are p/q with q "
        "before the restriction; q's mass that is cut is at most etaq < 1, p's is at most "
        "eta; no term has a norm above B.",
    .formula = "‖E_q̃ (p/q)·f − E_p f‖ <= B(r + eta·max(1 − r, 0)), r = etaq/(1 − etaq)",
    .proof = "If q loses etaq and p loses eta, q̃·p/q = p/(1 − etaq) on kept tokens, which is "
             "too much by r of p there, and the others are lost: B((1 − eta)·r + eta). That grows "
             "with r, and with eta only for r <= 1; above, it is largest where p loses nothing.",
    .trap = "Log-probabilities that a server reports are often those before the cut.",
    .tight = "f of one direction on the kept tokens, of the other on those cut",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"eta", Domain::Share, "p's mass on tokens that are cut away"},
                      {"etaq", Domain::Share, "q's mass that is cut away"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isLess(a[2], 1))
        return std::nullopt;
      const Real excess = a[2] / (1 - a[2]);
      return a[0] * (excess + a[1] * max(1 - excess, Real(0)));
    },
};

} // namespace tikc::bounds::lemmas
