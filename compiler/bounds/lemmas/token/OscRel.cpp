#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view oscRelTraps = "A relative drift is not free of shifts: Z must bound the "
                                         "raw logits, not logits after subtracting a constant.";

} // namespace

constinit const Lemma oscRel = {
    .id = "L-OSC-REL",
    .statement = "If logits of at most Z change by at most r of their size plus a, the drift "
                 "oscillates by at most 2(r·Z + a).",
    .hypotheses = "|z − z′| <= r·|z| + a and |z| <= Z for every token that neither kernel masks.",
    .formula = "omega <= 2(r·Z + a)",
    .proof = "No logit changes by more than r·Z + a; then L-OSC-EPS.",
    .trap = oscRelTraps,
    .tight = "many tokens, all at ±Z; two tokens stay a few per cent below",
    .parameterRow = {{{"r", Domain::NonNegative, "largest change relative to the logit"},
                      {"a", Domain::NonNegative, "change allowed in addition"},
                      {"Z", Domain::NonNegative, "bound on the size of every logit"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * (a[0] * a[2] + a[1]); },
    .inverse = &inverseOscRel,
};

constinit const Lemma oscRelq = {
    .id = "L-OSC-RELQ",
    .statement = "L-OSC-REL where the change is relative to the inference kernel's logit, while Z "
                 "bounds the trainer's.",
    .hypotheses =
        "|z − z′| <= r·|z′| + a and |z| <= Z for every token that neither kernel masks; r < 1.",
    .formula = "omega <= 2(r·Z + a)/(1 − r)",
    .proof = "|z′| <= |z| + |z − z′|, so |z − z′|(1 − r) <= r·Z + a; then L-OSC-EPS.",
    .trap = oscRelTraps,
    .parameterRow = {{{"r", Domain::NonNegative, "largest change relative to the logit"},
                      {"a", Domain::NonNegative, "change allowed in addition"},
                      {"Z", Domain::NonNegative, "bound on the size of the trainer's logits"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isLess(a[0], 1))
        return std::nullopt;
      return 2 * (a[0] * a[2] + a[1]) / (1 - a[0]);
    },
};

constinit const Lemma oscRelMax = {
    .id = "L-OSC-REL-MAX",
    .statement = "If logits of at most Z change by at most r of the larger of their size and 1, "
                 "the drift oscillates by at most 2r·max(Z, 1).",
    .hypotheses =
        "|z − z′| <= r·max(|z|, 1) and |z| <= Z for every token that neither kernel masks.",
    .formula = "omega <= 2r·max(Z, 1)",
    .proof = "No logit changes by more than r·max(Z, 1); then L-OSC-EPS.",
    .trap = oscRelTraps,
    .parameterRow = {{{"r", Domain::NonNegative,
                       "largest change relative to the larger of the logit's size and 1"},
                      {"Z", Domain::NonNegative, "bound on the size of every logit"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] * max(a[1], 1); },
    .useRow = {{{{each(Quantity::LogitRel), given(Quantity::LogitBound)}, Quantity::LogitOsc}}},
    .curvature = Curvature::Concave,
};

constinit const Lemma inverseOscRel = {
    .id = "G-OSC-REL",
    .statement =
        "The largest relative change of logits for which L-OSC-REL gives an oscillation of omega.",
    .hypotheses = "Z > 0 and omega >= 2a",
    .formula = "r = (omega/2 − a)/Z",
    .proof = "L-OSC-REL solved for r.",
    .parameterRow = {{{"omega", Domain::NonNegative, "the budget of oscillation"},
                      {"a", Domain::NonNegative, "change allowed in addition to the relative one"},
                      {"Z", Domain::Positive, "bound on the size of every logit"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isAtMost(2 * a[1], a[0]))
        return std::nullopt;
      return (a[0] / 2 - a[1]) / a[2];
    },
};

} // namespace tikc::bounds::lemmas
