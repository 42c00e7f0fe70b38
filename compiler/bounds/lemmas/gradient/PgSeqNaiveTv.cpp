#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view pgSeqNaiveTvTraps =
    "Advantages that depend on the rest of the response, such as Monte-Carlo returns, are not "
    "covered: with them, every term drifts as much as the whole response (L-PG-RETURN). Dividing "
    "by the sampled length makes a different estimator (L-PG-MEAN).";

} // namespace

constinit const Lemma pgSeqNaiveTv = {
    .id = "L-PG-SEQNAIVE-TV",
    .statement = "Taking a response's gradient from the inference kernel without weights has a "
                 "bias of at most 2B times the sum of 1 − (1 − tau)^t over its tokens.",
    .hypotheses = "TV <= tau at every prefix that either kernel can reach; an advantage depends on "
                  "the tokens up to its own only; no token's term has a norm above B; no response "
                  "is longer than T.",
    .formula = "bias <= 2B·Σ_{t<=T} (1 − (1 − tau)^t)",
    .proof = "Term t depends on the first t tokens, whose laws differ by at most 1 − (1 − tau)^t "
             "(L-SEQ-TV); then L-PG-NAIVE for each.",
    .trap = pgSeqNaiveTvTraps,
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"tau", Domain::Share, "total variation of any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * discountedAnyOf(a[1], 1, a[2]); },
    .useRow = {{{{given(Quantity::Gradient), sup(Quantity::Tv), given(Quantity::Horizon)},
                 Quantity::PgBias,
                 Quantifier::Sup,
                 Quantity::CausalPlain}}},
};

constinit const Lemma pgSeqNaiveHel = {
    .id = "L-PG-SEQNAIVE-HEL",
    .statement = "Taking a response's gradient from the inference kernel without weights has a "
                 "bias of at most 2B times the sum of L-SEQ-HEL's bounds over its tokens.",
    .hypotheses = "The oscillation is at most omega at every prefix that either kernel can reach; "
                  "nothing is cut away; an advantage depends on the tokens up to its own only; no "
                  "token's term has a norm above B; T is at most 100 000.",
    .formula = "bias <= 2B·Σ_{t<=T} √(1 − sech(omega/4)^(2t))",
    .proof = "As L-PG-SEQNAIVE-TV, with L-SEQ-HEL for the first t tokens.",
    .trap = pgSeqNaiveTvTraps,
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result {
      auto sum = discountedHellinger(a[1], 1, a[2]);
      if (!sum)
        return std::nullopt;
      return 2 * a[0] * *sum;
    },
    .useRow = {{{{given(Quantity::Gradient), sup(Quantity::Omega), given(Quantity::Horizon)},
                 Quantity::PgBias,
                 Quantifier::Sup,
                 Quantity::CausalPlain}}},
    .needsFullSupport = true,
};

constinit const Lemma pgReturn = {
    .id = "L-PG-RETURN",
    .statement = "With any advantages, a response's gradient changes by at most 2B·T times the "
                 "total variation of whole responses.",
    .hypotheses = "No token's term has a norm above B; no response is longer than T.",
    .formula = "bias <= 2B·T·TV(P, Q)",
    .proof =
        "The sum of a response's terms has norm at most B·T; then L-PG-NAIVE for whole responses.",
    .trap = "With token weights and whole-response returns it does not hold: the response then "
            "follows neither kernel (L-PG-TOKMC).",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"tv", Domain::NonNegative, "mean total variation of whole responses"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * a[2] * a[1]; },
    .useRow = {{{{given(Quantity::Gradient), mean(Quantity::SeqTv), given(Quantity::Horizon)},
                 Quantity::PgBias,
                 Quantifier::Mean,
                 Quantity::CausalPlain},
                {{given(Quantity::Gradient), mean(Quantity::SeqTv), given(Quantity::Horizon)},
                 Quantity::PgBias,
                 Quantifier::Mean,
                 Quantity::ReturnPlain}}},
    .isStrict = true,
};

} // namespace tikc::bounds::lemmas
