#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

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
    .trap = "It is a ratio of two means: neither the biases of slices nor the mean of each "
            "response's bias over its length bounds the bias of the mixture.",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
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

constinit const Lemma pgBatchAll = {
    .id = "L-PG-BATCH-ALL",
    .statement = "Without weights, a mean over all tokens of a batch is off by at most twice the "
                 "norm of a term.",
    .hypotheses = "No token's term has a norm above B; there is a token.",
    .formula = "‖E_Q s/E_Q L − E_P s/E_P L‖ <= 2B",
    .proof = "Each of the two is a mean of terms.",
    .tight = "terms of opposite directions on responses that never coincide",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0]; },
    .useRow = {{{{given(Quantity::Gradient)},
                 Quantity::PgTokenBias,
                 Quantifier::Mean,
                 Quantity::CausalPlain},
                {{given(Quantity::Gradient)},
                 Quantity::PgTokenBias,
                 Quantifier::Mean,
                 Quantity::ReturnPlain},
                {{given(Quantity::Gradient)},
                 Quantity::PgTokenBias,
                 Quantifier::Mean,
                 Quantity::GroupPlain}}},
};

} // namespace tikc::bounds::lemmas
