#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

/// The gradient of a loss that takes the mean over a response's tokens. Its terms divide by the
/// response's own length, so that none of them depends on the tokens up to its own alone.
namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view pgMeanTraps =
    "This is the distance from the trainer's gradient of the same loss. A loss that divides by the "
    "tokens of a whole batch is a different loss.";

constexpr Use perToken(Quantity lost, Quantity concludes, Quantity estimator) {
  return {{given(Quantity::Gradient), sup(lost), given(Quantity::Horizon)},
          concludes,
          Quantifier::Sup,
          estimator};
}

constexpr Use ofResponses(Quantity lost, Quantity estimator) {
  return {{given(Quantity::Gradient), mean(lost)}, Quantity::PgCut, Quantifier::Mean, estimator};
}

constexpr Use missing(Quantity estimator) {
  return {{given(Quantity::Gradient), sup(Quantity::MissingMass), given(Quantity::Horizon)},
          Quantity::PgSupport,
          Quantifier::Sup,
          estimator};
}

} // namespace

constinit const Lemma pgMean = {
    .id = "L-PG-MEAN",
    .statement = "Without weights, the mean of a response's terms has a bias of at most 2B times "
                 "the total variation of whole responses, however long they are.",
    .hypotheses = "No token's term has a norm above B.",
    .formula = "bias <= 2B·TV(P, Q)",
    .proof =
        "The mean of a response's terms has norm at most B; then L-PG-NAIVE for whole responses.",
    .trap = pgMeanTraps,
    .tight = "responses of one token",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"tv", Domain::NonNegative, "mean total variation of whole responses"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * a[1]; },
    .useRow = {{{{given(Quantity::Gradient), mean(Quantity::SeqTv)},
                 Quantity::PgBias,
                 Quantifier::Mean,
                 Quantity::MeanPlain}}},
    .isStrict = true,
};

constinit const Lemma pgMeanGroup = {
    .id = "L-PG-MEAN-GROUP",
    .statement = "With advantages normalised within a group of n, the mean of a response's terms "
                 "has a bias of at most 2B·(1 − (1 − tv)^n).",
    .hypotheses = "The n responses to a prompt are independent; tv bounds the mean over prompts of "
                  "the total variation of whole responses; no token's term has a norm above B.",
    .formula = "bias <= 2B·(1 − (1 − tv)^n)",
    .proof = "The mean depends on all n responses and has norm at most B: L-PG-GROUP for it as one "
             "term. The bound is concave in tv, so the mean over prompts may enter. With "
             "whole-response weights the response itself is corrected and n − 1 others remain.",
    .trap = pgMeanTraps,
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"tv", Domain::Share, "mean total variation of whole responses"},
                      {"n", Domain::Count, "responses of a group"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * anyOf(a[1], a[2]); },
    .useRow = {{{{given(Quantity::Gradient), mean(Quantity::SeqTv), given(Quantity::GroupSize)},
                 Quantity::PgBias,
                 Quantifier::Mean,
                 Quantity::GroupMeanPlain},
                {{given(Quantity::Gradient), mean(Quantity::SeqTv), given(Quantity::GroupSize)},
                 Quantity::PgPrefix,
                 Quantifier::Mean,
                 Quantity::GroupMeanWhole}}},
};

constinit const Lemma pgMeanToken = {
    .id = "L-PG-MEAN-TOK",
    .statement = "With token weights, the mean of a response's terms keeps a bias of at most 2B "
                 "times the total variation of whole responses plus 2B·tau·(1 + log T).",
    .hypotheses = "TV <= tau at every prefix that either kernel can reach; tv bounds the mean over "
                  "prompts of the total variation of whole responses; no token's term has a norm "
                  "above B; no response is longer than T.",
    .formula = "bias <= 2B·(tv + tau·(1 + log T))",
    .proof = "The weight of token t makes its law the trainer's and leaves those before and after "
             "it, which changes the response's law by at most tau. Divided by the length, term t "
             "has norm at most B/t, so the weights together change at most 2B·tau·Σ 1/t of the "
             "gradient without weights, whose bias is at most 2B·tv (L-PG-MEAN).",
    .trap = "Weights do not correct the effect of the length: it depends on later tokens, as "
            "whole-response returns do.",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"tv", Domain::NonNegative, "mean total variation of whole responses"},
                      {"tau", Domain::Share, "total variation of any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result {
      return 2 * a[0] * (a[1] + a[2] * harmonicBound(a[3]));
    },
    .useRow = {{{{given(Quantity::Gradient), mean(Quantity::SeqTv), sup(Quantity::Tv),
                  given(Quantity::Horizon)},
                 Quantity::PgPrefix,
                 Quantifier::Mean,
                 Quantity::MeanWeighted}}},
};

constinit const Lemma pgMeanTokenTv = {
    .id = "L-PG-MEAN-TOK-TV",
    .statement = "With token weights, the mean of a response's terms keeps a bias of at most 2B "
                 "times (T − 1)·tau plus a term of second order.",
    .hypotheses = "TV <= tau at every prefix that either kernel can reach; nothing is cut away; no "
                  "token's term has a norm above B; no response is longer than T.",
    .formula = "bias <= 2B·tau·(T − 1 + 2·tau·(T − 1 − log((T + 1)/2)))",
    .proof = "Replace q by p from the last step to the first. A change of step s reaches all terms "
             "but that of s, which together have norm at most B·(T − 1)/T under q's prefixes: "
             "2B·tau·(T − 1) in all. Terms before s, of norm B/s each, have p at their own step, "
             "which changes the law of the prefixes by tau: 4B·tau²·Σ (s − 1)/s in all, and Σ 1/s "
             ">= 1 + log((T + 1)/2).",
    .trap = pgMeanTraps,
    .tight = "as tau goes to 0, and at T = 1",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"tau", Domain::Share, "total variation of any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real &tau = a[1], others = a[2] - 1;
      return 2 * a[0] * tau * (others + 2 * tau * (others - log((a[2] + 1) / 2)));
    },
    .useRow = {{{{given(Quantity::Gradient), sup(Quantity::Tv), given(Quantity::Horizon)},
                 Quantity::PgPrefix,
                 Quantifier::Sup,
                 Quantity::MeanWeighted}}},
    .needsFullSupport = true,
};

constinit const Lemma pgMeanGroupToken = {
    .id = "L-PG-MEAN-GROUP-TOK",
    .statement = "With token weights and advantages normalised within a group of n, the mean of a "
                 "response's terms keeps a bias of at most 2B·(1 − (1 − tv)^n + tau·(1 + log T)).",
    .hypotheses = "Those of L-PG-MEAN-TOK and L-PG-MEAN-GROUP.",
    .formula = "bias <= 2B·(1 − (1 − tv)^n + tau·(1 + log T))",
    .proof = "As L-PG-MEAN-TOK, with L-PG-MEAN-GROUP for the gradient without weights.",
    .trap = pgMeanTraps,
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"tv", Domain::Share, "mean total variation of whole responses"},
                      {"tau", Domain::Share, "total variation of any prefix"},
                      {"n", Domain::Count, "responses of a group"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result {
      return 2 * a[0] * (anyOf(a[1], a[3]) + a[2] * harmonicBound(a[4]));
    },
    .useRow = {{{{given(Quantity::Gradient), mean(Quantity::SeqTv), sup(Quantity::Tv),
                  given(Quantity::GroupSize), given(Quantity::Horizon)},
                 Quantity::PgPrefix,
                 Quantifier::Mean,
                 Quantity::GroupMeanWeighted}}},
};

constinit const Lemma pgMeanLost = {
    .id = "L-PG-MEAN-LOST",
    .statement = "Truncating token weights, or missing mass, adds a bias of at most B·loss·(1 + "
                 "log T) to the mean of a response's terms.",
    .hypotheses = "At every prefix that the inference kernel reaches, loss bounds the removed "
                  "weight, or p's mass on tokens that are never sampled; no token's term has a "
                  "norm above B; no response is longer than T.",
    .formula = "added bias <= B·loss·(1 + log T)",
    .proof = "Divided by the length, term t has norm at most B/t: L-PG-CUT and L-SUP-IS for each, "
             "and Σ 1/t <= 1 + log T.",
    .trap = "A mean of loss over sampled tokens may not enter: where responses are short, a token "
            "weighs more than its share.",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"loss", Domain::NonNegative,
                       "removed weight or missing mass, at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[1] * harmonicBound(a[2]); },
    .useRow = {{perToken(Quantity::Excess, Quantity::PgCut, Quantity::MeanWeighted),
                perToken(Quantity::Masked, Quantity::PgCut, Quantity::MeanWeighted),
                perToken(Quantity::ClipLoss, Quantity::PgCut, Quantity::MeanWeighted),
                perToken(Quantity::MissingMass, Quantity::PgSupport, Quantity::MeanWeighted),
                perToken(Quantity::Excess, Quantity::PgCut, Quantity::GroupMeanWeighted),
                perToken(Quantity::Masked, Quantity::PgCut, Quantity::GroupMeanWeighted),
                perToken(Quantity::ClipLoss, Quantity::PgCut, Quantity::GroupMeanWeighted),
                perToken(Quantity::MissingMass, Quantity::PgSupport, Quantity::GroupMeanWeighted)}},
};

constinit const Lemma pgMeanCut = {
    .id = "L-PG-MEAN-CUT",
    .statement = "Truncating, masking or clipping whole-response weights adds a bias of at most B "
                 "times the mean change of the weight to the mean of a response's terms.",
    .hypotheses = "loss bounds the mean of |W − the weight that is used| over the inference "
                  "kernel's responses; no token's term has a norm above B.",
    .formula = "added bias <= B·loss",
    .proof = "L-PG-CUT for the mean of a response's terms, of norm at most B.",
    .trap = "The loss is that of the product of the ratios, which is far more than a token's.",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"loss", Domain::NonNegative, "mean change of the weight"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[1]; },
    .useRow = {{ofResponses(Quantity::SeqExcess, Quantity::MeanWhole),
                ofResponses(Quantity::SeqMasked, Quantity::MeanWhole),
                ofResponses(Quantity::SeqClipLoss, Quantity::MeanWhole),
                ofResponses(Quantity::SeqExcess, Quantity::GroupMeanWhole),
                ofResponses(Quantity::SeqMasked, Quantity::GroupMeanWhole),
                ofResponses(Quantity::SeqClipLoss, Quantity::GroupMeanWhole)}},
};

constinit const Lemma supIsMean = {
    .id = "L-SUP-IS-MEAN",
    .statement = "With whole-response weights, the mean of a response's terms keeps a bias of up "
                 "to B times the trainer's probability of a response that is never sampled.",
    .hypotheses = "At every prefix that either kernel can reach, p's mass on tokens that the "
                  "inference kernel never samples is at most eta; no token's term has a norm above "
                  "B; no response is longer than T.",
    .formula = "bias <= B·(1 − (1 − eta)^T)",
    .proof = "As L-SUP-IS-WHOLE, of a mean whose norm is at most B.",
    .trap = "A mean of eta over sampled prefixes may not enter, as in L-SUP-IS-WHOLE.",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"eta", Domain::Share,
                       "p's mass on tokens that are never sampled, at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * anyOf(a[1], a[2]); },
    .useRow = {{missing(Quantity::MeanWhole), missing(Quantity::GroupMeanWhole)}},
};

} // namespace tikc::bounds::lemmas
