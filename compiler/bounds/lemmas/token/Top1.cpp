#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view top1Traps =
    "X-TOP1-EPS: a change of every logit by less than the margin is not enough. Two logits can "
    "close it from both sides: eps = 0.6 flips a margin of 1.";

} // namespace

constinit const Lemma top1 = {
    .id = "L-TOP1",
    .statement = "If the logit drift oscillates by less than the margin between the two largest "
                 "logits, both kernels have the same most likely token.",
    .hypotheses = "max(z − z′) − min(z − z′) <= omega over the whole vocabulary; z₁ − z₂ >= margin "
                  "in either kernel; omega < margin.",
    .formula = "omega < margin: argmax z = argmax z′",
    .proof = "z′₁ − z′ⱼ >= (z₁ − zⱼ) − omega > 0 for every other token j.",
    .trap = top1Traps,
    .tight = "at equality the two tokens tie, and the implementation decides ties",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"},
                      {"margin", Domain::NonNegative, "margin between the two largest logits"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isLess(a[0], a[1]))
        return std::nullopt;
      return Real(Rational(0), a[0].bits());
    },
};

constinit const Lemma top1Both = {
    .id = "L-TOP1-BOTH",
    .statement = "If both kernels have a margin, the logit drift must oscillate by twice that "
                 "for their most likely tokens to differ.",
    .hypotheses = "max(z − z′) − min(z − z′) <= omega over the whole vocabulary; z₁ − z₂ >= margin "
                  "in each of the two kernels; omega < 2·margin.",
    .formula = "omega < 2·margin: argmax z = argmax z′",
    .proof = "If i and j were the two tokens, zᵢ − zⱼ >= margin and z′ⱼ − z′ᵢ >= margin: the drift "
             "of i is above that of j by twice the margin.",
    .trap = top1Traps,
    .tight = "at equality the two tokens can change places",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"},
                      {"margin", Domain::NonNegative,
                       "margin between the two largest logits, the smaller of the two kernels'"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isLess(a[0], 2 * a[1]))
        return std::nullopt;
      return Real(Rational(0), a[0].bits());
    },
    .useRow = {{{{each(Quantity::LogitOsc), each(Quantity::Top1Margin)}, Quantity::Top1Flip}}},
};

constinit const Lemma top1Served = {
    .id = "L-TOP1-SERVED",
    .statement = "The most likely token is the same before and after a cut, at any temperature.",
    .hypotheses = "The kernels' top_p, top_k and min_p keep their most likely token.",
    .formula = "flip <= flip",
    .proof = "Dividing by a temperature keeps the order of the logits, and cut tokens are less "
             "likely than kept ones.",
    .trap = "This is not so for masked tokens: a masked token may be the other kernel's most "
            "likely one.",
    .tight = "always",
    .parameterRow = {{{"flip", Domain::Share,
                       "whether the most likely token differs, or how often"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{.premises = {each(Quantity::Top1Flip).of(Premise::From::Rows)},
                 .concludes = Quantity::Top1Flip,
                 .into = Into::Served},
                {.premises = {mean(Quantity::Top1Flip).of(Premise::From::Rows)},
                 .concludes = Quantity::Top1Flip,
                 .quantifier = Quantifier::Mean,
                 .into = Into::Served}}},
    .isStrict = true,
};

constinit const Lemma top1Greedy = {
    .id = "L-TOP1-GREEDY",
    .statement = "If both kernels take their most likely token, total variation is 1 where that "
                 "token differs and 0 elsewhere.",
    .hypotheses = "Both kernels decode greedily.",
    .formula = "TV = 1{the most likely token differs}",
    .proof = "Both distributions are point masses.",
    .trap = "Without a margin, no drift of logits bounds it, however small: use L-TOP1.",
    .tight = "always",
    .parameterRow = {{{"flip", Domain::Share,
                       "whether the most likely token differs, or how often"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{{each(Quantity::Top1Flip)}, Quantity::Tv, Quantifier::Sup, Quantity::Greedy}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
};

} // namespace tikc::bounds::lemmas
