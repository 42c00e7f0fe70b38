#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view pgGroupTraps =
    "Bounds for one response do not cover advantages normalised within its group: they drift with "
    "all n responses.";

} // namespace

constinit const Lemma pgGroup = {
    .id = "L-PG-GROUP",
    .statement = "With advantages normalised within a group of n, one term of the gradient has a "
                 "bias of at most 2B·(1 − (1 − tv)^n).",
    .hypotheses = "The n responses to a prompt are independent; whole responses differ by at most "
                  "tv; no token's term has a norm above B.",
    .formula = "bias of one term <= 2B·(1 − (1 − tv)^n)",
    .proof = "The term depends on all n responses, whose joint laws differ by at most 1 − (1 − "
             "tv)^n; then L-PG-NAIVE.",
    .trap = pgGroupTraps,
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"tv", Domain::Share, "total variation of whole responses"},
                      {"n", Domain::Count, "responses of a group"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * anyOf(a[1], a[2]); },
};

constinit const Lemma pgGroupSum = {
    .id = "L-PG-GROUP-SUM",
    .statement = "With advantages normalised within a group of n, a response's gradient has a bias "
                 "of at most 2B·T·(1 − (1 − tv)^n).",
    .hypotheses = "The n responses to a prompt are independent; tv bounds the mean over prompts of "
                  "the total variation of whole responses; no token's term has a norm above B; no "
                  "response is longer than T.",
    .formula = "bias <= 2B·T·(1 − (1 − tv)^n)",
    .proof =
        "T terms of L-PG-GROUP. The bound is concave in tv, so the mean over prompts may enter. "
        "With whole-response weights the response itself is corrected and n − 1 others remain.",
    .trap = pgGroupTraps,
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"tv", Domain::Share, "mean total variation of whole responses"},
                      {"n", Domain::Count, "responses of a group"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * a[3] * anyOf(a[1], a[2]); },
    .useRow = {{{{given(Quantity::Gradient), mean(Quantity::SeqTv), given(Quantity::GroupSize),
                  given(Quantity::Horizon)},
                 Quantity::PgBias,
                 Quantifier::Mean,
                 Quantity::GroupPlain},
                {{given(Quantity::Gradient), mean(Quantity::SeqTv), given(Quantity::GroupSize),
                  given(Quantity::Horizon)},
                 Quantity::PgPrefix,
                 Quantifier::Mean,
                 Quantity::GroupWhole}}},
};

constinit const Lemma pgGroupHel = {
    .id = "L-PG-GROUP-HEL",
    .statement = "With advantages normalised within a group of n, a response's gradient has a bias "
                 "of at most 2B·T times L-SEQ-HEL's bound at n·T steps.",
    .hypotheses = "The n responses to a prompt are independent; the oscillation is at most omega "
                  "at every prefix that either kernel can reach; nothing is cut away; no token's "
                  "term has a norm above B; no response is longer than T.",
    .formula = "bias <= 2B·T·√(1 − sech(omega/4)^(2nT))",
    .proof = "The affinities of n responses of T steps multiply. With token weights, one step "
             "fewer remains.",
    .trap = pgGroupTraps,
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"n", Domain::Count, "responses of a group"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result {
      return 2 * a[0] * a[3] * seqHellinger(a[1], a[2] * a[3]);
    },
    .useRow = {{{{given(Quantity::Gradient), sup(Quantity::Omega), given(Quantity::GroupSize),
                  given(Quantity::Horizon)},
                 Quantity::PgBias,
                 Quantifier::Sup,
                 Quantity::GroupPlain},
                {{given(Quantity::Gradient), sup(Quantity::Omega), given(Quantity::GroupSize),
                  given(Quantity::Horizon)},
                 Quantity::PgPrefix,
                 Quantifier::Sup,
                 Quantity::GroupWeighted}}},
    .needsFullSupport = true,
};

constinit const Lemma pgGroupTok = {
    .id = "L-PG-GROUP-TOK",
    .statement =
        "With token weights and advantages normalised within a group of n, the drift of all other "
        "tokens of the group remains: a bias of at most 2B·T·(1 − (1 − tau)^(nT)).",
    .hypotheses =
        "The n responses to a prompt are independent; TV <= tau at every prefix that either kernel "
        "can reach; no token's term has a norm above B; no response is longer than T.",
    .formula = "bias <= 2B·T·(1 − (1 − tau)^(nT))",
    .proof = "As L-PG-TOKMC-TV with the n·T steps of the whole group, where the weight corrects "
             "one step.",
    .trap = pgGroupTraps,
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"tau", Domain::Share, "total variation of any prefix"},
                      {"n", Domain::Count, "responses of a group"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * a[3] * anyOf(a[1], a[2] * a[3]); },
    .useRow = {{{{given(Quantity::Gradient), sup(Quantity::Tv), given(Quantity::GroupSize),
                  given(Quantity::Horizon)},
                 Quantity::PgPrefix,
                 Quantifier::Sup,
                 Quantity::GroupWeighted}}},
};

} // namespace tikc::bounds::lemmas
