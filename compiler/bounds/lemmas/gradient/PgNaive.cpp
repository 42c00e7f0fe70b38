#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma pgNaive = {
    .id = "L-PG-NAIVE",
    .statement = "Taking one token's gradient from the inference kernel without weights has a bias "
                 "of at most 2B·tanh(omega/4).",
    .hypotheses = "The logit drift oscillates by at most omega; nothing is cut away; no term of "
                  "the gradient has a norm above B.",
    .formula = "‖E_q f − E_p f‖ <= 2B·TV <= 2B·tanh(omega/4)",
    .proof = "‖Σ(q − p)f‖ <= B·Σ|q − p| = 2B·TV; then L-TV-OSC.",
    .trap = "X-CLIP0: clipping weights to width 0 makes them the constant 1, which is this "
            "uncorrected estimator; it forces no equivalence of the kernels.",
    .tight = "four tokens, even with scores of mean zero",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"omega", Domain::NonNegative, "oscillation of the drift"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * tanh(a[1] / 4); },
    .needsFullSupport = true,
    .inverse = &inversePgNaive,
};

constinit const Lemma pgStep = {
    .id = "L-PG-STEP",
    .statement = "Taking one token's gradient from the inference kernel without weights has a bias "
                 "of at most 2B times the mean total variation.",
    .hypotheses = "No term of the gradient has a norm above B; contexts are the inference kernel's "
                  "on both sides.",
    .formula = "‖E f under q − E f under p‖ <= 2B·E TV",
    .proof = "L-PG-NAIVE in every context, then the mean.",
    .trap = "It is the bias of one token in given contexts. The bias of a response's sum also "
            "includes the drift of the contexts.",
    .tight = "four tokens, even with scores of mean zero",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"tv", Domain::NonNegative, "mean total variation of a token"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * a[1]; },
    .useRow = {{{{given(Quantity::Gradient), mean(Quantity::Tv)},
                 Quantity::PgBias,
                 Quantifier::Mean,
                 Quantity::StepPlain}}},
    .isStrict = true,
};

constinit const Lemma pgKappa = {
    .id = "L-PG-KAPPA",
    .statement = "If no ratio is further than kappa from 1, leaving weights out has a bias of "
                 "at most B·kappa.",
    .hypotheses = "|p/q − 1| <= kappa for every token; nothing is cut away; no term of the "
                  "gradient has a norm above B.",
    .formula = "‖E_q f − E_p f‖ <= B·kappa",
    .proof = "E_q |w − 1| <= kappa.",
    .trap = "Never better than 2B·TV.",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"kappa", Domain::NonNegative, "largest |p/q − 1|"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[1]; },
    .needsFullSupport = true,
};

constinit const Lemma pgBase = {
    .id = "L-PG-BASE",
    .statement =
        "Off policy the expected score is not zero, but at most 2G times the total variation.",
    .hypotheses = "No token's score ∇log p has a norm above G.",
    .formula = "‖E_q ∇log p‖ <= 2G·TV",
    .proof = "E_p ∇log p = 0, and L-PG-NAIVE for f = ∇log p.",
    .trap = "X-BASELINE: a baseline is not free off policy: b times this bound is added to the "
            "gradient. With missing mass E_q |w − 1| is below 2·TV, while Σ|p − q| is still 2·TV.",
    .tight = "four tokens",
    .parameterRow = {{{"G", Domain::NonNegative, "largest norm of a token's score"},
                      {"tv", Domain::NonNegative, "total variation"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * a[1]; },
};

constinit const Lemma inversePgNaive = {
    .id = "G-PG-NAIVE",
    .statement = "The largest oscillation for which L-PG-NAIVE gives a bias of b.",
    .hypotheses = "b < 2B",
    .formula = "omega = 4·atanh(b/(2B))",
    .proof = "tanh increases.",
    .parameterRow = {{{"b", Domain::NonNegative, "the budget of the bias"},
                      {"B", Domain::Positive, "largest norm of a token's term"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isLess(a[0], 2 * a[1]))
        return std::nullopt;
      return 4 * atanh(a[0] / (2 * a[1]));
    },
};

} // namespace tikc::bounds::lemmas
