#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

/// What holds of any two kernels: a bias is at most the norms of the two gradients together. Where
/// drift is large, these bounds win.
namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view normsProof =
    "The bias is at most the trainer's norm plus the estimator's. Importance weights have mean at "
    "most 1 at every prefix, and truncated or masked ones are no larger; clipping raises the mean "
    "to at most 1 + min(c, 1 − c).";
constexpr std::string_view normsTight = "gradients of opposite directions";

constexpr Parameter normOfTrivial = {"B", Domain::NonNegative, "largest norm of a token's term"};
constexpr Parameter meanWeight = {"m", Domain::NonNegative, "largest mean of a weight"};

constexpr Use ofNorm(Quantity estimator) {
  return {{given(Quantity::Gradient), given(Quantity::WeightMean)},
          Quantity::PgBias,
          Quantifier::Sup,
          estimator};
}

constexpr Use ofBatch(Quantity estimator) {
  return {{given(Quantity::Gradient), given(Quantity::WeightMean)},
          Quantity::PgTokenBias,
          Quantifier::Mean,
          estimator};
}

constexpr Use ofSum(Quantity estimator) {
  return {{given(Quantity::Gradient), given(Quantity::WeightMean), given(Quantity::Horizon)},
          Quantity::PgBias,
          Quantifier::Sup,
          estimator};
}

constexpr Use ofLength(Quantity estimator) {
  return {{given(Quantity::Gradient), given(Quantity::WeightMean), mean(Quantity::MeanLength),
           mean(Quantity::LengthDrift)},
          Quantity::PgBias,
          Quantifier::Mean,
          estimator};
}

constexpr Use ofCap(Quantity estimator, Quantity concludes, Quantifier quantifier) {
  return {
      {given(Quantity::Gradient), given(Quantity::WeightCap)}, concludes, quantifier, estimator};
}

} // namespace

constinit const Lemma pgTrivial = {
    .id = "L-PG-TRIVIAL",
    .statement = "Whatever the drift, one token's gradient, a mean over a response's tokens, and a "
                 "mean over a batch's tokens have a bias of at most B·(1 + m).",
    .hypotheses = "No token's term has a norm above B; no weight has a mean above m at any prefix.",
    .formula = "bias <= B·(1 + m); m = 1 without weights",
    .proof = normsProof,
    .trap = "With token weights, it does not hold for the mean over a response's tokens: dividing "
            "by the length gives more weight to terms of short responses (L-PG-TRIVIAL-MEAN).",
    .tight = normsTight,
    .parameterRow = {{normOfTrivial, meanWeight}},
    .evaluate = [](Arguments a) -> Result { return a[0] * (1 + a[1]); },
    .useRow = {{ofNorm(Quantity::StepPlain), ofNorm(Quantity::StepWeighted),
                ofNorm(Quantity::GroupStepPlain), ofNorm(Quantity::GroupStepWeighted),
                ofNorm(Quantity::MeanPlain), ofNorm(Quantity::MeanWhole),
                ofNorm(Quantity::GroupMeanPlain), ofNorm(Quantity::GroupMeanWhole),
                ofBatch(Quantity::CausalPlain), ofBatch(Quantity::CausalWeighted),
                ofBatch(Quantity::ReturnPlain), ofBatch(Quantity::ReturnWeighted),
                ofBatch(Quantity::GroupPlain), ofBatch(Quantity::GroupWeighted)}},
};

constinit const Lemma pgTrivialSum = {
    .id = "L-PG-TRIVIAL-SUM",
    .statement = "Whatever the drift, a response's gradient has a bias of at most B·T·(1 + m).",
    .hypotheses = "No token's term has a norm above B; no weight has a mean above m at any prefix; "
                  "no response is longer than T.",
    .formula = "bias <= B·T·(1 + m); m = 1 without weights",
    .proof = normsProof,
    .tight = normsTight,
    .parameterRow = {{normOfTrivial, meanWeight, {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[2] * (1 + a[1]); },
    .useRow = {{ofSum(Quantity::CausalPlain), ofSum(Quantity::CausalWeighted),
                ofSum(Quantity::ReturnPlain), ofSum(Quantity::ReturnWeighted),
                ofSum(Quantity::WholeWeighted), ofSum(Quantity::GroupPlain),
                ofSum(Quantity::GroupWeighted), ofSum(Quantity::GroupWhole)}},
};

constinit const Lemma pgTrivialLength = {
    .id = "L-PG-TRIVIAL-LEN",
    .statement = "Without weights or with token weights, a response's gradient has a bias of at "
                 "most B·((1 + m)·L + drift).",
    .hypotheses = "No token's term has a norm above B; no weight has a mean above m at any prefix; "
                  "the inference kernel's mean length is at most L, and drift bounds the "
                  "difference of the kernels' mean lengths.",
    .formula = "bias <= B·((1 + m)·L + drift); m = 1 without weights",
    .proof = "A term of the estimator has mean norm at most B·m at each prefix that is reached, so "
             "B·m·L in all; the trainer's is at most B times its own mean length, L + drift.",
    .trap = "Weights of whole responses weight their lengths as well.",
    .tight = normsTight,
    .parameterRow = {{normOfTrivial,
                      meanWeight,
                      {"L", Domain::NonNegative, "mean length of the inference kernel"},
                      {"drift", Domain::NonNegative, "difference of the mean lengths"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * ((1 + a[1]) * a[2] + a[3]); },
    .useRow = {{ofLength(Quantity::CausalPlain), ofLength(Quantity::CausalWeighted),
                ofLength(Quantity::ReturnPlain), ofLength(Quantity::ReturnWeighted),
                ofLength(Quantity::GroupPlain), ofLength(Quantity::GroupWeighted)}},
};

constinit const Lemma pgTrivialMean = {
    .id = "L-PG-TRIVIAL-MEAN",
    .statement = "Whatever the drift, with token weights the mean of a response's terms has a bias "
                 "of at most B·(1 + m·(1 + log T)).",
    .hypotheses = "No token's term has a norm above B; no weight has a mean above m at any prefix; "
                  "no response is longer than T.",
    .formula = "bias <= B·(1 + m·(1 + log T))",
    .proof = "Divided by the length, term t has norm at most B/t, and its weight has mean at most "
             "m at its prefix: Σ m/t <= m·(1 + log T). The trainer's mean has norm at most B.",
    .trap = "2B is too little: where a kernel ends at step t what the other one goes on with, "
            "every term can weigh 1/t.",
    .parameterRow = {{normOfTrivial, meanWeight, {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * (1 + a[1] * harmonicBound(a[2])); },
    .useRow = {{{{given(Quantity::Gradient), given(Quantity::WeightMean), given(Quantity::Horizon)},
                 Quantity::PgBias,
                 Quantifier::Sup,
                 Quantity::MeanWeighted},
                {{given(Quantity::Gradient), given(Quantity::WeightMean), given(Quantity::Horizon)},
                 Quantity::PgBias,
                 Quantifier::Sup,
                 Quantity::GroupMeanWeighted}}},
};

constinit const Lemma pgTrivialCap = {
    .id = "L-PG-TRIVIAL-CAP",
    .statement = "If no weight is above M, the mean of a response's terms with token weights, and "
                 "of a batch's terms with whole-response weights, have a bias of at most B·(1 + "
                 "M).",
    .hypotheses = "No token's term has a norm above B; no weight in use is above M.",
    .formula = "bias <= B·(1 + M)",
    .proof = "A mean of terms of norm at most B, each weighted by at most M, and the trainer's.",
    .parameterRow = {{normOfTrivial, {"M", Domain::NonNegative, "largest weight"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * (1 + a[1]); },
    .useRow = {{ofCap(Quantity::MeanWeighted, Quantity::PgBias, Quantifier::Sup),
                ofCap(Quantity::GroupMeanWeighted, Quantity::PgBias, Quantifier::Sup),
                ofCap(Quantity::WholeWeighted, Quantity::PgTokenBias, Quantifier::Mean),
                ofCap(Quantity::GroupWhole, Quantity::PgTokenBias, Quantifier::Mean)}},
};

} // namespace tikc::bounds::lemmas
