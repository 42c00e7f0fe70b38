#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

/// The gradient of a loss that takes the mean over all tokens of a batch: a sum over the mean
/// length. Both change where the kernels part, at prefixes that the inference kernel reaches, so
/// that the mean length of the inference kernel cancels.
namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view batchTrap =
    "It is a ratio of two means: neither the biases of slices nor the mean of each response's bias "
    "over its length bounds the bias of the mixture.";
constexpr std::string_view firstOrder = "as tau goes to 0";

constexpr Parameter normOfTerm = {"B", Domain::NonNegative, "largest norm of a token's term"};
constexpr Parameter tauOfBatch = {"tau", Domain::Share, "total variation of any prefix"};
constexpr Parameter horizonOfBatch = {"T", Domain::Count, "the horizon"};

/// Of weighted terms: (1 + min(1, 2·tau))·tau·(T − 1).
Real othersDrift(const Real& tau, const Real& horizonOf) {
  return (1 + min(1, 2 * tau)) * tau * (horizonOf - 1);
}

constexpr Use perPrefixOfBatch(Quantity concludes, Quantity estimator) {
  return {{given(Quantity::Gradient), sup(Quantity::Tv), given(Quantity::Horizon)},
          concludes,
          Quantifier::Mean,
          estimator};
}

constexpr Use perPrefixOfGroup(Quantity concludes, Quantity estimator) {
  return {{given(Quantity::Gradient), sup(Quantity::Tv), given(Quantity::GroupSize),
           given(Quantity::Horizon)},
          concludes,
          Quantifier::Mean,
          estimator};
}

constexpr Use perTokenOfBatch(Quantity lost, Quantity concludes, Quantity estimator) {
  return {{given(Quantity::Gradient), mean(lost)}, concludes, Quantifier::Mean, estimator};
}

constexpr Use cutOfTokens(Quantity lost, Quantity estimator) {
  return perTokenOfBatch(lost, Quantity::PgTokenCut, estimator);
}

constexpr Use cutOfWhole(Quantity lost) {
  return {{given(Quantity::Gradient), mean(lost), given(Quantity::Horizon),
           mean(Quantity::LeastLength)},
          Quantity::PgTokenCut,
          Quantifier::Mean,
          Quantity::WholeWeighted};
}

} // namespace

constinit const Lemma pgBatch = {
    .id = "L-PG-BATCH",
    .statement = "If a loss is the mean over all tokens of a batch, the bias per token has two "
                 "parts: the bias of the sums, and the drift of the number of tokens.",
    .hypotheses = "The batch is so large that its mean length is the kernel's; bias bounds that of "
                  "a response's sum, drift the difference of the kernels' mean lengths; the "
                  "inference kernel's is at least m; no token's term has a norm above B. The "
                  "divisor is the number of all drawn tokens.",
    .formula = "‖E_Q ŝ/E_Q L − E_P s/E_P L‖ <= (bias + B·drift)/m",
    .proof = "Go by E_P s/E_Q L: the first part is the sum's bias over E_Q L. The second is ‖E_P "
             "s‖·|1/E_Q L − 1/E_P L|, and ‖E_P s‖ <= B·E_P L.",
    .trap = batchTrap,
    .parameterRow = {{normOfTerm,
                      {"bias", Domain::NonNegative, "bias of a response's sum"},
                      {"drift", Domain::NonNegative, "difference of the mean lengths"},
                      {"m", Domain::NonNegative, "least mean length of the inference kernel"}}},
    .evaluate = [](Arguments a) -> Result {
      return isLess(0, a[3]) ? Result((a[1] + a[0] * a[2]) / a[3]) : std::nullopt;
    },
    .useRow = {{{{given(Quantity::Gradient), mean(Quantity::PgBias), mean(Quantity::LengthDrift),
                  mean(Quantity::LeastLength)},
                 Quantity::PgTokenBias,
                 Quantifier::Mean}}},
};

constinit const Lemma pgBatchTv = {
    .id = "L-PG-BATCH-TV",
    .statement = "Without weights, a mean over all tokens of a batch has a bias of at most 2B·T "
                 "times the total variation of any prefix, however short the responses are.",
    .hypotheses = "TV <= tau at every prefix that either kernel can reach; no token's term has a "
                  "norm above B; no response is longer than T, and each has a token. The divisor "
                  "is the number of all drawn tokens.",
    .formula = "‖E_Q s/E_Q L − E_P s/E_P L‖ <= 2B·T·tau",
    .proof = "Let μ = E_P s/E_P L. Replace q by p from the last step to the first: at step s, for "
             "prefixes that q reaches, the mean of Σ_t (f_t − μ) changes by at most tau times its "
             "range, 2B·T. These add up to 2B·T·tau·Σ_s Q(L >= s), and the sum is E_Q L.",
    .trap = batchTrap,
    .tight = "T = 1",
    .parameterRow = {{normOfTerm, tauOfBatch, horizonOfBatch}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * a[2] * a[1]; },
    .useRow = {{perPrefixOfBatch(Quantity::PgTokenBias, Quantity::CausalPlain),
                perPrefixOfBatch(Quantity::PgTokenBias, Quantity::ReturnPlain)}},
};

constinit const Lemma pgBatchGroup = {
    .id = "L-PG-BATCH-GROUP",
    .statement = "Without weights and with advantages normalised within a group of n, a mean over "
                 "all tokens of a batch has a bias of at most 2B·(T·tau + 1 − (1 − tau)^(T(n−1))).",
    .hypotheses = "Those of L-PG-BATCH-TV; the n responses to a prompt are independent.",
    .formula = "bias <= 2B·(T·tau + 1 − (1 − tau)^(T(n−1)))",
    .proof = "The other n − 1 responses change a term's mean by at most 2B·(1 − (1 − "
             "tau)^(T(n−1))); then L-PG-BATCH-TV for the response itself.",
    .trap = batchTrap,
    .parameterRow =
        {{normOfTerm, tauOfBatch, {"n", Domain::Count, "responses of a group"}, horizonOfBatch}},
    .evaluate = [](Arguments a) -> Result {
      return 2 * a[0] * (a[3] * a[1] + anyOf(a[1], a[3] * (a[2] - 1)));
    },
    .useRow = {{perPrefixOfGroup(Quantity::PgTokenBias, Quantity::GroupPlain)}},
};

constinit const Lemma pgBatchToken = {
    .id = "L-PG-BATCH-TOK",
    .statement = "With token weights and causal advantages, a mean over all tokens of a batch "
                 "keeps a bias of at most 2B·(T − 1) times the total variation of any prefix.",
    .hypotheses = "Those of L-PG-BATCH-TV; an advantage depends on the tokens up to its own only.",
    .formula = "bias <= 2B·(T − 1)·tau",
    .proof = "As L-PG-BATCH-TV: term t has the law q before t and p at t, so that a change of step "
             "s reaches the terms after s alone, at most T − 1.",
    .trap = batchTrap,
    .tight = firstOrder,
    .parameterRow = {{normOfTerm, tauOfBatch, horizonOfBatch}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * (a[2] - 1) * a[1]; },
    .useRow = {{perPrefixOfBatch(Quantity::PgTokenPrefix, Quantity::CausalWeighted)}},
};

constinit const Lemma pgBatchTokenMc = {
    .id = "L-PG-BATCH-TOKMC",
    .statement = "With token weights and whole-response returns, a mean over all tokens of a batch "
                 "keeps a bias of at most 2B·(T − 1)·tau·(1 + min(1, 2·tau)).",
    .hypotheses = "Those of L-PG-BATCH-TV; nothing is cut away.",
    .formula = "bias <= 2B·(T − 1)·tau·(1 + min(1, 2·tau))",
    .proof = "As L-PG-BATCH-TV: a change of step s reaches all terms but that of s, whose range is "
             "2B·(T − 1) under q's prefixes. Terms before s have p at their own step, which "
             "changes the law of the prefixes by tau: 4B·tau² for each step after a term.",
    .trap = batchTrap,
    .tight = firstOrder,
    .parameterRow = {{normOfTerm, tauOfBatch, horizonOfBatch}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * othersDrift(a[1], a[2]); },
    .useRow = {{perPrefixOfBatch(Quantity::PgTokenPrefix, Quantity::ReturnWeighted)}},
    .needsFullSupport = true,
};

constinit const Lemma pgBatchGroupToken = {
    .id = "L-PG-BATCH-GROUP-TOK",
    .statement = "With token weights and advantages normalised within a group of n, a mean over "
                 "all tokens of a batch keeps the drift of the other n − 1 responses and that of "
                 "L-PG-BATCH-TOKMC.",
    .hypotheses = "Those of L-PG-BATCH-TOKMC; the n responses to a prompt are independent.",
    .formula = "bias <= 2B·(1 − (1 − tau)^(T(n−1)) + (T − 1)·tau·(1 + min(1, 2·tau)))",
    .proof = "As L-PG-BATCH-GROUP: weights have mean 1, so that the terms that the others change "
             "are no more than the inference kernel's mean length.",
    .trap = batchTrap,
    .parameterRow =
        {{normOfTerm, tauOfBatch, {"n", Domain::Count, "responses of a group"}, horizonOfBatch}},
    .evaluate = [](Arguments a) -> Result {
      return 2 * a[0] * (anyOf(a[1], a[3] * (a[2] - 1)) + othersDrift(a[1], a[3]));
    },
    .useRow = {{perPrefixOfGroup(Quantity::PgTokenPrefix, Quantity::GroupWeighted)}},
    .needsFullSupport = true,
};

constinit const Lemma pgBatchWhole = {
    .id = "L-PG-BATCH-WHOLE",
    .statement = "With whole-response weights, a mean over all tokens of a batch keeps the drift "
                 "of the mean length: a bias of at most B·(T − 1) times the total variation of any "
                 "prefix.",
    .hypotheses = "Those of L-PG-BATCH-TV.",
    .formula = "bias <= B·(T − 1)·tau",
    .proof = "The sum is unbiased, and is divided by E_Q L in place of E_P L. As in L-PG-BATCH-TV, "
             "|E_P L − E_Q L| <= (T − 1)·tau·E_Q L.",
    .trap = "Dividing by the drawn tokens makes the estimator biased although its weights are "
            "exact.",
    .tight = "lengths of 1 and T that the first token decides",
    .parameterRow = {{normOfTerm, tauOfBatch, horizonOfBatch}},
    .evaluate = [](Arguments a) -> Result { return a[0] * (a[2] - 1) * a[1]; },
    .useRow = {{perPrefixOfBatch(Quantity::PgTokenPrefix, Quantity::WholeWeighted)}},
};

constinit const Lemma pgBatchLost = {
    .id = "L-PG-BATCH-LOST",
    .statement = "Truncating, masking or clipping token weights, or missing mass, adds a bias of "
                 "at most B times its mean over tokens to a mean over all tokens of a batch.",
    .hypotheses = "loss bounds the mean over the inference kernel's tokens of |w − the weight that "
                  "is used|, or of p's mass on tokens that are never sampled; no token's term has "
                  "a norm above B.",
    .formula = "added bias <= B·loss",
    .proof = "L-PG-CUT and L-SUP-IS for each token: the sum over a response is loss times the mean "
             "length, which the mean over tokens divides by.",
    .parameterRow = {{normOfTerm,
                      {"loss", Domain::NonNegative, "mean change of the weight, or missing mass"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[1]; },
    .useRow = {{cutOfTokens(Quantity::Excess, Quantity::CausalWeighted),
                cutOfTokens(Quantity::Excess, Quantity::ReturnWeighted),
                cutOfTokens(Quantity::Excess, Quantity::GroupWeighted),
                cutOfTokens(Quantity::Masked, Quantity::CausalWeighted),
                cutOfTokens(Quantity::Masked, Quantity::ReturnWeighted),
                cutOfTokens(Quantity::Masked, Quantity::GroupWeighted),
                cutOfTokens(Quantity::ClipLoss, Quantity::CausalWeighted),
                cutOfTokens(Quantity::ClipLoss, Quantity::ReturnWeighted),
                cutOfTokens(Quantity::ClipLoss, Quantity::GroupWeighted),
                perTokenOfBatch(Quantity::MissingMass, Quantity::PgTokenSupport,
                                Quantity::CausalWeighted),
                perTokenOfBatch(Quantity::MissingMass, Quantity::PgTokenSupport,
                                Quantity::ReturnWeighted),
                perTokenOfBatch(Quantity::MissingMass, Quantity::PgTokenSupport,
                                Quantity::GroupWeighted)}},
};

constinit const Lemma pgBatchCutWhole = {
    .id = "L-PG-BATCH-CUT-WHOLE",
    .statement = "Truncating, masking or clipping whole-response weights adds a bias of at most "
                 "B·T/m times the mean change of the weight to a mean over all tokens of a batch.",
    .hypotheses = "loss bounds the mean of |W − the weight that is used| over the inference "
                  "kernel's responses, whose mean length is at least m; no token's term has a norm "
                  "above B; no response is longer than T.",
    .formula = "added bias <= B·loss·T/m",
    .proof = "L-PG-CUT-SUM, divided by the inference kernel's mean length.",
    .parameterRow = {{normOfTerm,
                      {"loss", Domain::NonNegative, "mean change of the weight"},
                      horizonOfBatch,
                      {"m", Domain::NonNegative, "least mean length of the inference kernel"}}},
    .evaluate = [](Arguments a) -> Result {
      return isLess(0, a[3]) ? Result(a[0] * a[1] * a[2] / a[3]) : std::nullopt;
    },
    .useRow = {{cutOfWhole(Quantity::SeqExcess), cutOfWhole(Quantity::SeqMasked),
                cutOfWhole(Quantity::SeqClipLoss)}},
};

constinit const Lemma supIsBatch = {
    .id = "L-SUP-IS-BATCH",
    .statement = "With whole-response weights, a mean over all tokens of a batch keeps a bias of "
                 "up to B·T/m times the trainer's probability of a response that is never sampled.",
    .hypotheses = "Those of L-SUP-IS-WHOLE; the inference kernel's mean length is at least m.",
    .formula = "bias <= B·(1 − (1 − eta)^T)·T/m",
    .proof = "L-SUP-IS-WHOLE, divided by the inference kernel's mean length.",
    .parameterRow = {{normOfTerm,
                      {"eta", Domain::Share,
                       "p's mass on tokens that are never sampled, at any prefix"},
                      horizonOfBatch,
                      {"m", Domain::NonNegative, "least mean length of the inference kernel"}}},
    .evaluate = [](Arguments a) -> Result {
      return isLess(0, a[3]) ? Result(a[0] * anyOf(a[1], a[2]) * a[2] / a[3]) : std::nullopt;
    },
    .useRow = {{{{given(Quantity::Gradient), sup(Quantity::MissingMass), given(Quantity::Horizon),
                  mean(Quantity::LeastLength)},
                 Quantity::PgTokenSupport,
                 Quantifier::Mean,
                 Quantity::WholeWeighted}}},
};

constinit const Lemma pgBatchSum = {
    .id = "L-PG-BATCH-SUM",
    .statement = "The bias per token of a weighted gradient is at most the sum of three parts, as "
                 "in L-PG-SUM.",
    .hypotheses = "Each of the three bounds its part, per token of the batch.",
    .formula = "bias <= prefix + cut + support",
    .proof = "The triangle inequality. Only the first part contains the drift of the mean length.",
    .trap = batchTrap,
    .parameterRow = {{{"prefix", Domain::NonNegative, "the part that the weights do not reach"},
                      {"cut", Domain::NonNegative, "the part that truncated weights add"},
                      {"support", Domain::NonNegative, "the part that missing mass adds"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] + a[1] + a[2]; },
    .useRow = {{{{mean(Quantity::PgTokenPrefix), mean(Quantity::PgTokenCut),
                  mean(Quantity::PgTokenSupport)},
                 Quantity::PgTokenBias,
                 Quantifier::Mean}}},
};

} // namespace tikc::bounds::lemmas
