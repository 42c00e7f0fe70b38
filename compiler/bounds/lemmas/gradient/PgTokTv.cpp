#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view tokenTrap =
    "X-PG-TOKUNB: token weights do not make the gradient unbiased: with two kernels that are the "
    "same at the second step, its term had a bias of 0.8 from the first token's drift. Nor do "
    "geometric means of a response's weights; only the full product does.";
constexpr std::string_view returnTrap =
    "X-PG-TOKUNB: neither the prefixes nor the tokens after this one have the trainer's law. The "
    "bound is for T − 1 steps, since the weight corrects the token itself.";

} // namespace

constinit const Lemma pgTokTv = {
    .id = "L-PG-TOK-TV",
    .statement = "With token weights and causal advantages, the prefixes' drift remains: a bias of "
                 "at most 2B times the sum of 1 − (1 − tau)^(t−1).",
    .hypotheses = "TV <= tau at every prefix that either kernel can reach; an advantage depends on "
                  "the tokens up to its own only; no token's term has a norm above B; no response "
                  "is longer than T.",
    .formula = "bias <= 2B·Σ_{t<=T} (1 − (1 − tau)^(t−1))",
    .proof = "The weighted term t has the expectation of the term under q for the first t − 1 "
             "tokens and p for the last; the first t − 1 differ by at most 1 − (1 − tau)^(t−1).",
    .trap = tokenTrap,
    .tight = "the kernels of L-SEQ-TV's worst case",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"tau", Domain::Share, "total variation of any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * discountedAnyOf(a[1], 1, a[2] - 1); },
    .useRow = {{{{given(Quantity::Gradient), sup(Quantity::Tv), given(Quantity::Horizon)},
                 Quantity::PgPrefix,
                 Quantifier::Sup,
                 Quantity::CausalWeighted}}},
};

constinit const Lemma pgTokHel = {
    .id = "L-PG-TOK-HEL",
    .statement = "With token weights and causal advantages, the prefixes' drift remains: a bias of "
                 "at most 2B times the sum of L-SEQ-HEL's bounds at t − 1.",
    .hypotheses = "The oscillation is at most omega at every prefix that either kernel can reach; "
                  "nothing is cut away; an advantage depends on the tokens up to its own only; no "
                  "token's term has a norm above B; T is at most 100 000.",
    .formula = "bias <= 2B·Σ_{t<=T} √(1 − sech(omega/4)^(2(t−1)))",
    .proof = "As L-PG-TOK-TV, with L-SEQ-HEL for the first t − 1 tokens.",
    .trap = tokenTrap,
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result {
      auto sum = discountedHellinger(a[1], 1, a[2] - 1);
      if (!sum)
        return std::nullopt;
      return 2 * a[0] * *sum;
    },
    .useRow = {{{{given(Quantity::Gradient), sup(Quantity::Omega), given(Quantity::Horizon)},
                 Quantity::PgPrefix,
                 Quantifier::Sup,
                 Quantity::CausalWeighted}}},
    .needsFullSupport = true,
};

constinit const Lemma pgTokMcTv = {
    .id = "L-PG-TOKMC-TV",
    .statement = "With token weights and whole-response returns, all other tokens' drift remains: "
                 "a bias of at most 2B·T·(1 − (1 − tau)^(T−1)).",
    .hypotheses = "TV <= tau at every prefix that either kernel can reach; no token's term has a "
                  "norm above B; no response is longer than T.",
    .formula = "bias <= 2B·T·(1 − (1 − tau)^(T−1))",
    .proof =
        "The weighted term t has the expectation of the term under q, but p at step t. Against P "
        "that is T − 1 steps of drift, each at most tau; then L-PG-NAIVE for each term.",
    .trap = returnTrap,
    .tight = "the kernels of L-SEQ-TV's worst case",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"tau", Domain::Share, "total variation of any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * a[2] * anyOf(a[1], a[2] - 1); },
    .useRow = {{{{given(Quantity::Gradient), sup(Quantity::Tv), given(Quantity::Horizon)},
                 Quantity::PgPrefix,
                 Quantifier::Sup,
                 Quantity::ReturnWeighted}}},
};

constinit const Lemma pgTokMcHel = {
    .id = "L-PG-TOKMC-HEL",
    .statement = "With token weights and whole-response returns, all other tokens' drift remains: "
                 "a bias of at most 2B·T times L-SEQ-HEL's bound at T − 1.",
    .hypotheses =
        "The oscillation is at most omega at every prefix that either kernel can reach; nothing is "
        "cut away; no token's term has a norm above B; no response is longer than T.",
    .formula = "bias <= 2B·T·√(1 − sech(omega/4)^(2(T−1)))",
    .proof = "As L-PG-TOKMC-TV: the affinities of T − 1 steps multiply.",
    .trap = returnTrap,
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result {
      return 2 * a[0] * a[2] * seqHellinger(a[1], a[2] - 1);
    },
    .useRow = {{{{given(Quantity::Gradient), sup(Quantity::Omega), given(Quantity::Horizon)},
                 Quantity::PgPrefix,
                 Quantifier::Sup,
                 Quantity::ReturnWeighted}}},
    .needsFullSupport = true,
};

constinit const Lemma pgTokOne = {
    .id = "L-PG-TOK-ONE",
    .statement = "Responses of one token have no prefixes, so token weights leave no bias.",
    .hypotheses = "No response is longer than T = 1.",
    .formula = "bias = 0 where T = 1",
    .proof = "The weight of the only token is that of the response.",
    .trap = tokenTrap,
    .tight = "always",
    .parameterRow = {{{"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result {
      return isAtMost(a[0], 1) ? Result(Real(Rational(0), a[0].bits())) : std::nullopt;
    },
    .useRow = {{{{given(Quantity::Horizon)},
                 Quantity::PgPrefix,
                 Quantifier::Sup,
                 Quantity::CausalWeighted},
                {{given(Quantity::Horizon)},
                 Quantity::PgPrefix,
                 Quantifier::Sup,
                 Quantity::ReturnWeighted},
                {{given(Quantity::Horizon)},
                 Quantity::PgPrefix,
                 Quantifier::Sup,
                 Quantity::MeanWeighted}}},
};

constinit const Lemma pgTokMean = {
    .id = "L-PG-TOK-MEAN",
    .statement = "With token weights and causal advantages, the prefixes' drift remains: a bias of "
                 "at most 2B·(T − 1) times the mean total variation of responses.",
    .hypotheses =
        "Mean total variation of whole responses is at most tv; an advantage depends on the tokens "
        "up to its own only; no token's term has a norm above B; no response is longer than T.",
    .formula = "bias <= 2B·(T − 1)·tv",
    .proof = "The first token has no prefix. Each other term has the expectation of the term under "
             "q for its prefix and p for the token; prefixes differ no more than responses do.",
    .trap = tokenTrap,
    .tight = "at T = 1, where no bias remains",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"tv", Domain::Share, "mean total variation of responses"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * a[1] * (a[2] - 1); },
    .useRow = {{{{given(Quantity::Gradient), mean(Quantity::SeqTv), given(Quantity::Horizon)},
                 Quantity::PgPrefix,
                 Quantifier::Mean,
                 Quantity::CausalWeighted}}},
    .isStrict = true,
};

} // namespace tikc::bounds::lemmas
