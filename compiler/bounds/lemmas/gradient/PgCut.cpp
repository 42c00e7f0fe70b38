#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr Use token(Quantity lost, Quantity estimator) {
  return {{given(Quantity::Gradient), mean(lost)}, Quantity::PgCut, Quantifier::Mean, estimator};
}

constexpr Use response(Quantity lost, Quantity estimator) {
  return {{given(Quantity::Gradient), mean(lost), given(Quantity::Horizon)},
          Quantity::PgCut,
          Quantifier::Mean,
          estimator};
}

} // namespace

constinit const Lemma pgCut = {
    .id = "L-PG-CUT",
    .statement = "Truncating, masking or clipping the weight of one token adds a bias of at most B "
                 "times the mean change of the weight.",
    .hypotheses = "loss bounds the mean of |w − the weight that is used| over the inference "
                  "kernel's samples; no token's term has a norm above B.",
    .formula = "added bias <= B·loss",
    .proof = "The bias that is added is exactly −E_q (w − weight)·f, of norm at most B·E_q |w − "
             "weight|.",
    .trap =
        "X-CLIP0: clipping to width 0 removes everything, up to 2·TV: the width sets how much "
        "correction is kept, and the bias falls as it grows. PPO's clipping is a mask, not a clip.",
    .tight = "f of one direction wherever weight is lost",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"loss", Domain::NonNegative, "mean change of the weight"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[1]; },
    .useRow = {{token(Quantity::Excess, Quantity::StepWeighted),
                token(Quantity::Masked, Quantity::StepWeighted),
                token(Quantity::ClipLoss, Quantity::StepWeighted)}},
};

constinit const Lemma pgCutSum = {
    .id = "L-PG-CUT-SUM",
    .statement = "Truncating, masking or clipping weights adds a bias of at most B·T times the "
                 "mean change of the weight, to the gradient of a response of up to T tokens.",
    .hypotheses = "loss bounds the mean of |w − the weight that is used|, over the inference "
                  "kernel's tokens for token weights, over its responses for whole-response "
                  "weights; no token's term has a norm above B; no response is longer than T.",
    .formula = "added bias <= B·T·loss",
    .proof =
        "Token weights: L-PG-CUT for each token; the sum is loss times the mean length. "
        "Whole-response weights: L-PG-CUT for the sum of a response's terms, of norm at most B·T.",
    .trap = "Whole-response weights lose far more than token weights do: the loss is that of the "
            "product.",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"loss", Domain::NonNegative, "mean change of the weight"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[2] * a[1]; },
    .useRow = {{response(Quantity::Excess, Quantity::CausalWeighted),
                response(Quantity::Excess, Quantity::ReturnWeighted),
                response(Quantity::Excess, Quantity::GroupWeighted),
                response(Quantity::Masked, Quantity::CausalWeighted),
                response(Quantity::Masked, Quantity::ReturnWeighted),
                response(Quantity::Masked, Quantity::GroupWeighted),
                response(Quantity::ClipLoss, Quantity::CausalWeighted),
                response(Quantity::ClipLoss, Quantity::ReturnWeighted),
                response(Quantity::ClipLoss, Quantity::GroupWeighted),
                response(Quantity::SeqExcess, Quantity::WholeWeighted),
                response(Quantity::SeqExcess, Quantity::GroupWhole),
                response(Quantity::SeqMasked, Quantity::WholeWeighted),
                response(Quantity::SeqMasked, Quantity::GroupWhole),
                response(Quantity::SeqClipLoss, Quantity::WholeWeighted),
                response(Quantity::SeqClipLoss, Quantity::GroupWhole)}},
};

} // namespace tikc::bounds::lemmas
